import { MismatchError } from "../log/bytes.ts";
import { isWellFormed } from "../log/canonical.ts";
import { coinOrder } from "../log/liabilities.ts";

/** The members of a journal receipt, as docs/formats/journal.md names them. */
export interface JournalReceipt {
  format: string;
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  journal: { id: string; kind: string; at_ms: number; body_hash: string };
  legs: { leg: number; account: string; amount: string; position: number; balance: string }[];
  house: { kind: string; coin: string; amount: string }[];
  others: { coin: string; amount: string }[];
  facts: Record<string, string>;
  orders: unknown[];
  accounts: OwnAccount[];
  liabilities_leaf: number;
  second_leaf: number | null;
  log: { origin: string; vkey: string };
}

export interface OwnAccount {
  account: string;
  owner: string;
  attempt_id: string;
  kind: string;
  coin: string;
  mark: string;
  position_before: number;
  balance_before: string;
  hash_before: string;
  entries: {
    journal_id: string;
    leg: number;
    amount: string;
    at_ms: number;
    body_hash: string;
    parts: string;
    kind: string;
  }[];
  place: number;
  path: { hash: string; sums: string[] }[];
}

type CheckValue = (value: unknown, where: string) => void;

const malformed = (where: string) => new MismatchError("form", "receipt_malformed", where);
const toCheck =
  (test: (value: unknown) => boolean): CheckValue =>
  (value, where) => {
    if (!test(value)) throw malformed(where);
  };
const matches = (pattern: RegExp) =>
  toCheck((value) => typeof value === "string" && pattern.test(value));

const text = toCheck((value) => typeof value === "string" && value.length <= 200);
const count = toCheck((value) => Number.isSafeInteger(value) && (value as number) >= 0);
const amount = matches(/^(0|[1-9][0-9]{0,18})$/);
const isSigned = matches(/^(0|-?[1-9][0-9]{0,18})$/);
const hash = matches(/^[0-9a-f]{64}$/);
const uuid = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const coin = toCheck((value) => (coinOrder as readonly unknown[]).includes(value));
const any: CheckValue = () => {};
const valueOr =
  (first: unknown, checkValue: CheckValue): CheckValue =>
  (value, where) => {
    if (value !== first) checkValue(value, where);
  };

function object(members: Record<string, CheckValue>): CheckValue {
  return (value, where) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed(where);
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields))
      if (!Object.hasOwn(members, name)) throw malformed(`${where}.${name} is not of the format`);
    for (const [name, checkValue] of Object.entries(members)) {
      if (!Object.hasOwn(fields, name)) throw malformed(`${where}.${name} is missing`);
      checkValue(fields[name], `${where}.${name}`);
    }
  };
}

function list(checkValue: CheckValue, least: number, most: number): CheckValue {
  return (value, where) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      throw malformed(where);
    for (const [index, item] of value.entries()) checkValue(item, `${where}[${index}]`);
  };
}

const price = matches(/^(0|[1-9][0-9]{0,18})$/);
const oneStep = object({ rate: price, index: price });
const twoSteps = object({ rate: price, index: price, rate_2: price, index_2: price });

const entry = object({
  journal_id: uuid,
  leg: count,
  amount: isSigned,
  at_ms: count,
  body_hash: hash,
  parts: hash,
  kind: text,
});
const account = object({
  account: amount,
  owner: text,
  attempt_id: text,
  kind: toCheck((value) => value === "wallet" || value === "held"),
  coin,
  mark: matches(/^([0-9a-f]{64})?$/),
  position_before: count,
  balance_before: amount,
  hash_before: hash,
  entries: list(entry, 1, 50_000),
  place: count,
  path: list(object({ hash, sums: list(amount, coinOrder.length, coinOrder.length) }), 0, 64),
});
const receipt = object({
  format: toCheck((value) => value === "drydock.receipt.journal/1"),
  practice: any,
  backing: any,
  world: text,
  market: object({ kind: text, speed: count }),
  journal: object({ id: uuid, kind: text, at_ms: count, body_hash: hash }),
  legs: list(
    object({ leg: count, account: amount, amount: isSigned, position: count, balance: amount }),
    1,
    10_000,
  ),
  house: list(object({ kind: text, coin, amount: isSigned }), 0, 100),
  others: list(object({ coin, amount: isSigned }), 0, 10),
  facts: any,
  orders: list(any, 0, 2_000),
  accounts: list(account, 1, 16),
  liabilities_leaf: count,
  second_leaf: valueOr(null, count),
  log: object({ origin: text, vkey: text }),
});

/** Step 1, and the practice labels before anything else is trusted. */
export function parseJournalReceipt(value: unknown): JournalReceipt {
  const header = value as Partial<JournalReceipt> | null;
  if (typeof header !== "object" || header === null) throw malformed("not an object");
  if (!isWellFormed(value)) throw malformed("its text");
  if (header.practice !== true || header.backing !== "none") {
    throw new MismatchError(
      "marks",
      "not_practice",
      "a receipt must say practice true and backing none",
    );
  }
  receipt(value, "receipt");
  const journalReceipt = value as JournalReceipt;
  // A value that no step recomputes has no place in a receipt.
  if (journalReceipt.journal.kind === "exchange.execute")
    ("rate_2" in Object(journalReceipt.facts) ? twoSteps : oneStep)(
      journalReceipt.facts,
      "receipt.facts",
    );
  else {
    object({})(journalReceipt.facts, "receipt.facts");
    if (journalReceipt.second_leaf !== null) throw malformed("receipt.second_leaf");
  }
  return journalReceipt;
}
