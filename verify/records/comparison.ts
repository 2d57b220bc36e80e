import { MismatchError, sha256, toHex } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { Cursor, kinds, readKind } from "../log/leaves.ts";
import { computeHeads } from "./journal.ts";
import type { JournalReceipt, OwnAccount } from "./journalSchema.ts";

/** Comparing receipts with each other (docs/formats/comparison.md). */

/** Facts shown by receipts of one log; no later receipt may contradict them. */
export interface ShownFacts {
  /** Hashes of values, by subject. */
  facts: Record<string, string>;
  /** Per account: how many entries each `liabilities` leaf commits to. */
  committed: Record<string, [leaf: number, position: number][]>;
  /** `second` leaves that were read: index, and time in seconds since 1970. */
  seconds: [leaf: number, time: number][];
}

export const createShownFacts = (): ShownFacts => ({ facts: {}, committed: {}, seconds: [] });

type Fields = Record<string, unknown>;
type Fact = [subject: string, ...members: unknown[]];

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** A subject: its kind followed by ids, which the receipt's own check has validated. */
const subjectOf = (kind: string, ...ids: unknown[]): string =>
  [kind, ...ids.map((id) => (typeof id === "string" || typeof id === "number" ? id : ""))].join(
    " ",
  );

/** Facts by receipt format; the receipt's own check has validated all members. */
const factsOf: Record<string, (receipt: Fields) => Fact[]> = {
  "drydock.receipt.contract/1": ({ order, bound_leaf: boundLeaf, entry_leaf: entry, result }) => [
    [subjectOf("order", fieldsOf(order).order_id), order, boundLeaf],
    [subjectOf("result", fieldsOf(order).order_id), entry, result],
  ],
  "drydock.receipt.hosting/1": ({ order, bound_leaf: boundLeaf, mark_leaf: mark, result }) => [
    [subjectOf("order", fieldsOf(order).order_id), order, boundLeaf],
    [subjectOf("result", fieldsOf(order).order_id), mark, result],
  ],
  "drydock.receipt.lease/1": ({ lease, bound_leaf: boundLeaf, payouts, ended }) => {
    const id = fieldsOf(lease).lease_id;
    const days = (payouts as Fields[]).map(
      ({ day, amount }): Fact => [subjectOf("day", id, day), amount],
    );
    const { ending, bound_leaf: endBound } = fieldsOf(ended);
    const end: Fact[] = ended ? [[subjectOf("ending", id), ending, endBound]] : [];
    return [[subjectOf("lease", id), lease, boundLeaf], ...days, ...end];
  },
  "drydock.receipt.trade/1": (receipt) => [
    [
      subjectOf("trade", receipt.pool_id, receipt.number),
      receipt.decision_leaf,
      receipt.fill_leaves,
      receipt.result,
    ],
  ],
  "drydock.receipt.mark/1": ({ pool_id: pool, at_ms: atMs, mark_leaf: leaf, result }) => [
    [subjectOf("mark", pool, atMs), leaf, result],
  ],
  "drydock.receipt.publication/1": ({ publication, leaf, kind, subject, version, body }) => [
    [subjectOf("publication", publication), leaf, kind, subject, version, body],
  ],
  "drydock.receipt.journal/1": ({ journal, accounts, orders }) => {
    const ownAccounts = accounts as OwnAccount[];
    return [
      [subjectOf("journal", fieldsOf(journal).id), journal, ownAccounts[0]?.entries[0]?.parts],
      ...(orders as Fields[]).flatMap(factsOfOrder),
      ...ownAccounts.flatMap(factsOfAccount),
    ];
  },
};

/** The facts behind a journal's money: an order and its binding, or a whole receipt. */
function factsOfOrder(orderFields: Fields): Fact[] {
  if ("format" in orderFields) return factsOf[String(orderFields.format)]?.(orderFields) ?? [];
  const { order, bound_leaf: boundLeaf } = orderFields;
  const { lease_id: lease, order_id: id } = fieldsOf(order);
  return [
    [lease === undefined ? subjectOf("order", id) : subjectOf("lease", lease), order, boundLeaf],
  ];
}

function factsOfAccount(account: OwnAccount): Fact[] {
  const { account: id, owner, attempt_id: attempt, kind, coin, mark, place } = account;
  const heads = [account.hash_before, ...computeHeads(account).map(toHex)];
  let balance = BigInt(account.balance_before);
  const states = heads.map((head, index): Fact => {
    balance += index === 0 ? 0n : BigInt(account.entries[index - 1]?.amount ?? 0);
    return [`state ${id} ${account.position_before + index}`, head, String(balance)];
  });
  return [[`account ${id}`, owner, attempt, kind, coin, mark, place], ...states];
}

/** The facts shown by a receipt that agreed with these leaves. */
export function extractFacts(
  receipt: unknown,
  leaves: ReadonlyMap<number, Uint8Array>,
): ShownFacts {
  const facts = createShownFacts();
  const value = fieldsOf(receipt);
  for (const [subject, ...members] of factsOf[String(value.format)]?.(value) ?? [])
    facts.facts[subject] = toHex(sha256(canonicalBytes(members)));
  if (value.format === "drydock.receipt.journal/1") {
    const { accounts, liabilities_leaf: leaf } = receipt as JournalReceipt;
    for (const { account, position_before: before, entries } of accounts)
      facts.committed[account] = [[leaf, before + entries.length]];
  }
  for (const [index, entry] of [...leaves].sort(([a], [b]) => a - b))
    if (readKind(entry, null) === kinds.second)
      facts.seconds.push([index, Number(new Cursor(entry, 11).number())]);
  return facts;
}

const mismatch = (name: string, detail: string) => new MismatchError("compared", name, detail);

/** Throws a MismatchError that names the first contradiction between both. */
export function requireNoContradiction(knownFacts: ShownFacts, facts: ShownFacts): void {
  for (const [subject, value] of Object.entries(facts.facts)) {
    if (!Object.hasOwn(knownFacts.facts, subject) || knownFacts.facts[subject] === value) continue;
    const isPast = /^(state|account) /.test(subject);
    throw mismatch(
      isPast ? "account_past_differs" : "receipts_contradict",
      `an earlier receipt said otherwise of ${subject}`,
    );
  }
  for (const [account, [end]] of Object.entries(facts.committed))
    for (const commitment of knownFacts.committed[account] ?? []) {
      const [older, newer] = [commitment, end as [number, number]].sort(([a], [b]) => a - b);
      const [[leaf, least], [later, position]] = [older, newer] as [
        [number, number],
        [number, number],
      ];
      if (leaf === later ? least !== position : least > position)
        throw mismatch(
          "account_fell_back",
          `leaf ${leaf} commits to ${least} entries of account ${account}, leaf ${later} to ${position}`,
        );
    }
  const seconds = new Map(knownFacts.seconds);
  for (const [leaf, time] of facts.seconds) {
    if ((seconds.get(leaf) ?? time) !== time)
      throw mismatch("seconds_not_ascending", `leaf ${leaf} had another second`);
    seconds.set(leaf, time);
  }
  let last: [leaf: number, time: number] = [-1, -1];
  for (const [leaf, time] of [...seconds].sort(([a], [b]) => a - b)) {
    if (time <= last[1])
      throw mismatch("seconds_not_ascending", `leaf ${leaf} is not later than leaf ${last[0]}`);
    last = [leaf, time];
  }
}

/** Merges both. */
export function mergeFacts(knownFacts: ShownFacts, facts: ShownFacts): ShownFacts {
  const commitments = { ...knownFacts.committed };
  for (const [account, ends] of Object.entries(facts.committed)) {
    const others = (commitments[account] ?? []).filter(([leaf]) => leaf !== ends[0]?.[0]);
    commitments[account] = [...others, ...ends];
  }
  return {
    facts: { ...knownFacts.facts, ...facts.facts },
    committed: commitments,
    seconds: [...new Map([...knownFacts.seconds, ...facts.seconds])].sort(([a], [b]) => a - b),
  };
}

const keptMax = { facts: 50_000, accounts: 1_000, commitments: 64, seconds: 10_000 };

/**
 * The part that is stored between runs: the ends of each run of seconds, and the newest of
 * everything.
 */
export function abridgeFacts({ facts, committed: commitments, seconds }: ShownFacts): ShownFacts {
  const leaves = new Set(seconds.map(([leaf]) => leaf));
  const takeNewest = <Value>(list: [string, Value][], max: number) =>
    Object.fromEntries(list.slice(-max));
  return {
    facts: takeNewest(Object.entries(facts), keptMax.facts),
    committed: takeNewest(
      Object.entries(commitments).map(([account, ends]) => [
        account,
        ends.slice(-keptMax.commitments),
      ]),
      keptMax.accounts,
    ),
    seconds: seconds
      .filter(([leaf]) => !leaves.has(leaf - 1) || !leaves.has(leaf + 1))
      .slice(-keptMax.seconds),
  };
}

/** Returns true if a stored value is of this form. */
export function isShownFacts(value: unknown): value is ShownFacts {
  const { facts, committed: commitments, seconds } = fieldsOf(value);
  const isPair = (value: unknown) =>
    Array.isArray(value) && value.length === 2 && value.every((part) => Number.isSafeInteger(part));
  const arePairs = (list: unknown) => Array.isArray(list) && list.every(isPair);
  return (
    typeof facts === "object" &&
    Object.values(fieldsOf(facts)).every((value) => /^[0-9a-f]{64}$/.test(String(value))) &&
    typeof commitments === "object" &&
    Object.values(fieldsOf(commitments)).every(arePairs) &&
    arePairs(seconds)
  );
}
