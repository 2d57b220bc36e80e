import { expect, test } from "vitest";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { decodeSecond, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { createReceiptSubject, readVectors } from "./testing.ts";

/**
 * A journal that pays for an order rests on the order's receipt as a whole: on the source of its
 * seed and the quotes behind its index too, although the journal states neither.
 */
interface FalsifiedLog {
  name: string;
  at: number;
  remove: number;
  insert: string[];
  difference: string;
}

const { entries, journals, falsified, forged_sources: forged } = readVectors("receipt");
const paymentReceipts = journals.receipts.filter(
  ({ receipt }: { receipt: { journal: { kind: string } } }) =>
    receipt.journal.kind === "contract.settle",
);

/** The log with another ask in the second of the first order's entry, at the same index. */
function createOtherQuote(): FalsifiedLog {
  const entryLeaf: number = paymentReceipts[0].receipt.orders[0].entry_leaf;
  const bytes = hexToBytes(entries[entryLeaf]);
  const second = decodeSecond(bytes, null);
  if (!second.ok) throw new Error(second.error);
  const quotes = second.value.quotes.map((row, venue) =>
    row.map((quote, column) =>
      quote && venue === 1 && column === 0 ? { ...quote, ask: quote.ask + 1_000n } : quote,
    ),
  );
  const leaf = encodeSecond({ ...second.value, quotes }, bytes.slice(3, 11));
  const name = "a quote that does not give the index";
  return {
    name,
    at: entryLeaf,
    remove: 1,
    insert: [bytesToHex(leaf)],
    difference: "index_differs",
  };
}

const logs = [
  ...(forged as FalsifiedLog[]),
  ...(falsified as FalsifiedLog[]).filter(
    ({ remove, difference }) => remove === 1 && difference === "seed_source_differs",
  ),
  createOtherQuote(),
];

test.each(logs)("a payout over a log with $name is refused by both verifiers", async (testCase) => {
  const log = entries.toSpliced(testCase.at, testCase.remove, ...testCase.insert);
  for (const { keep, append, receipt } of paymentReceipts) {
    const { checkByCommandLine, checkByBrowser } = createReceiptSubject(testCase.name, receipt, [
      ...log.slice(0, keep),
      ...append,
    ]);
    const expected = { step: "orders", difference: "order_differs" };
    expect(await checkByCommandLine(receipt)).toEqual(expected);
    expect(await checkByBrowser(receipt)).toEqual(expected);
  }
});
