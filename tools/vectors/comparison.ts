import { checkReceipt } from "#core/contracts/receipt.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import {
  createShownFacts,
  extractFacts,
  findContradiction,
  mergeFacts,
  type ShownFacts,
} from "#core/records/shownFacts.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import {
  createOrderAt,
  createReceiptOverLog,
  createSecondEntry,
  entries,
  findLeafIndex,
  getIndexAt,
  type Row,
  rows,
  startMs,
  world,
} from "./contractLog.ts";
import { createLedger, type LedgerAccount, type PostedJournal } from "./ledger.ts";

interface Compared {
  name: string;
  entries: readonly Uint8Array[];
  receipts: unknown[];
  difference: string | null;
}

/** Two receipts of contracts, each of which agrees with this log. */
function compareContracts(): Compared[] {
  const boundIndex = findLeafIndex(10);
  const [up, down] = [createOrderAt(1), createOrderAt(1, { direction: "down" })];
  const rowsWithBoth = rows.with(boundIndex, {
    second: 10,
    index: getIndexAt(10),
    orders: [up, down],
  });
  const places = {
    before: findLeafIndex(9),
    bound: boundIndex,
    entry: findLeafIndex(11),
    window: [findLeafIndex(61), findLeafIndex(71)] as [number, number],
  };
  const lateOrder = createOrderAt(7);
  const repeatedRows: Row[] = rows.slice(findLeafIndex(9), findLeafIndex(71) + 1).map((row) => ({
    second: row!.second,
    index: row!.index === null ? null : row!.index + BigInt(row!.second),
    orders: row!.second === 10 ? [lateOrder] : [],
  }));
  const [first, end] = [findLeafIndex(9), rows.length];
  const shift = (leaf: number) => leaf - first + end;
  const longer = [...rows, ...repeatedRows];
  const binding = {
    before: end,
    bound: shift(boundIndex),
    entry: shift(findLeafIndex(11)),
    window: [shift(findLeafIndex(61)), shift(findLeafIndex(71))] as [number, number],
  };
  const honestReceipt = createReceiptOverLog(rows, rows[boundIndex]!.orders[0]!, places);
  return [
    {
      name: "one order in both directions",
      entries: entries.with(boundIndex, createSecondEntry(rowsWithBoth[boundIndex]!)),
      receipts: [
        createReceiptOverLog(rowsWithBoth, up, places),
        createReceiptOverLog(rowsWithBoth, down, places),
      ],
      difference: "receipts_contradict",
    },
    {
      name: "a run of seconds that is written once more, with other prices",
      entries: [...entries.slice(0, end), ...repeatedRows.map(createSecondEntry)],
      receipts: [honestReceipt, createReceiptOverLog(longer, lateOrder, binding)],
      difference: "seconds_not_ascending",
    },
    {
      name: "the same receipt twice",
      entries,
      receipts: [honestReceipt, { ...honestReceipt, before_leaf: honestReceipt.before_leaf - 1 }],
      difference: null,
    },
  ];
}

const wallet: LedgerAccount = { id: 31n, coin: "pUSDT", attemptId: "attempt-1" };
const createJournal = (number: number, amount: bigint, account = wallet): PostedJournal => ({
  id: `018d0000-0000-8000-8000-00000000000${number}`,
  kind: "withdraw.place",
  atMs: startMs + number * 1_000,
  legs: [[account, amount]],
  house: "outside",
  orders: [],
});
/** The journal that begins the attempt, as the ledger of the vectors posts it. */
const createStartJournal = (account = wallet): PostedJournal => ({
  ...createJournal(9, 10_000_000_000n, account),
  id: "018d0000-0000-8000-8000-0000000000ff",
  kind: "attempt.start",
  atMs: world.createdAtMs,
  house: "issuance",
});

/** Two receipts of journals, under two commitments. */
function compareJournals(): Compared[] {
  const [opening] = entries as [Uint8Array];
  const compareTwo = (
    name: string,
    [earlier, later]: [PostedJournal, PostedJournal],
    difference: string | null,
  ): Compared => {
    const item = createLedger({ world, entries: [opening] }, earlier);
    const laterLedger = createLedger({ world, entries: [opening, item.leaf], before: 1 }, later);
    return {
      name,
      entries: [opening, item.leaf, laterLedger.leaf],
      receipts: [item.receipt, laterLedger.receipt],
      difference,
    };
  };
  const spendJournal = createJournal(1, -5_000_000n);
  const otherWallet = { ...wallet, attemptId: "attempt-2" };
  return [
    compareTwo("one journal, under both commitments", [spendJournal, spendJournal], null),
    compareTwo(
      "another past of the account under the later commitment",
      [spendJournal, createJournal(2, -7_000_000n)],
      "account_past_differs",
    ),
    compareTwo(
      "another amount of one journal",
      [spendJournal, createJournal(1, -7_000_000n)],
      "receipts_contradict",
    ),
    compareTwo(
      "the account of another attempt",
      [createStartJournal(), createStartJournal(otherWallet)],
      "account_past_differs",
    ),
    compareTwo(
      "fewer entries under the later commitment",
      [spendJournal, createStartJournal()],
      "account_fell_back",
    ),
    compareTwo(
      "more entries under the later commitment",
      [createStartJournal(), spendJournal],
      null,
    ),
    createFalseFirst(spendJournal),
  ];
}

/**
 * One receipt under a second commitment that claims to be the first: the leaves that it names do not
 * show the one before, which is found by reading the whole log (`accounts_fell`).
 */
function createFalseFirst(journal: PostedJournal): Compared {
  const [opening] = entries as [Uint8Array];
  const startLedger = createLedger({ world, entries: [opening] }, createStartJournal());
  const falseLedger = createLedger({ world, entries: [opening, startLedger.leaf] }, journal);
  return {
    name: "a commitment that claims to be the first, unseen by its receipt alone",
    entries: [opening, startLedger.leaf, falseLedger.leaf],
    receipts: [falseLedger.receipt],
    difference: null,
  };
}

function toLeaves(log: readonly Uint8Array[]): Map<number, Uint8Array> {
  return new Map(log.entries());
}

/** Compares in order, as a verifier does; throws unless each receipt agrees and the last one differs so. */
function requireFound({ name, entries: log, receipts, difference }: Compared): void {
  const world = decodeWorld(log[0]!);
  if (!world.ok) throw new Error(name);
  const worldLeaf = world.value;
  let knownFacts = createShownFacts();
  for (const [index, receipt] of receipts.entries()) {
    const journal = (receipt as { format: string }).format === "drydock.receipt.journal/1";
    const leaves = toLeaves(log);
    const check = journal
      ? checkJournal(receipt, worldLeaf, leaves)
      : checkReceipt(receipt, worldLeaf, leaves);
    if (!check.ok) throw new Error(`${name}: ${JSON.stringify(check.steps.at(-1))}`);
    const shownFacts = extractFacts(receipt, new Map());
    const comparisonMismatch = findContradiction(knownFacts, shownFacts)?.difference ?? null;
    // Seconds are compared as far as the check reads them, which its tests do.
    const expected = difference === "seconds_not_ascending" ? null : difference;
    if (comparisonMismatch !== (index === receipts.length - 1 ? expected : null))
      throw new Error(`${name}: ${comparisonMismatch}`);
    knownFacts = mergeFacts(knownFacts, shownFacts);
  }
}

function toFacts({ facts, commitments }: ShownFacts) {
  return { facts: Object.fromEntries(facts), commitments };
}

export function createComparisonVectors(
  journals: { entries: string[]; receipts: unknown[] },
  evidence: { files: { name: string; file: { receipt: unknown } }[] },
) {
  const compared: Compared[] = [
    {
      name: "all journals of two people",
      entries: journals.entries.map((entry) => hexToBytes(entry)),
      receipts: journals.receipts,
      difference: null,
    },
    ...compareContracts(),
    ...compareJournals(),
  ];
  compared.forEach(requireFound);
  return {
    about:
      "Receipts that agree with their log one by one, compared in their order: the last is refused with `difference`, or none. `shown` is what the receipt of each file in evidence.json shows.",
    compared: compared.map(({ name, entries: log, receipts, difference }) => {
      return { name, entries: log.map(bytesToHex), receipts, difference };
    }),
    shown: evidence.files.map(({ name, file }) => ({
      file: name,
      ...toFacts(extractFacts(file.receipt, new Map())),
    })),
  };
}
