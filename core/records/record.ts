import { dayMs } from "#core/money/time.ts";

/** The subjects of records, in the order of the filters. */
export const recordGroups = [
  "recharge",
  "withdraw",
  "exchange",
  "transfer",
  "contract",
  "hosting",
  "mining",
  "reward",
  "attempt",
  "console",
] as const;
export type RecordGroup = (typeof recordGroups)[number] | "other";

const groupByPrefix: Readonly<Record<string, RecordGroup>> = {
  attempt: "attempt",
  recharge: "recharge",
  withdraw: "withdraw",
  exchange: "exchange",
  send: "transfer",
  contract: "contract",
  hosting: "hosting",
  mining: "mining",
  reward: "reward",
  console: "console",
};

/** The group of a journal by its kind: the part before the first point. */
export function getGroup(kind: string): RecordGroup {
  const prefix = kind.split(".", 1)[0] as string;
  return Object.hasOwn(groupByPrefix, prefix) ? groupByPrefix[prefix]! : "other";
}

/** Prefixes of the kinds in a group. */
export function getPrefixes(group: RecordGroup): string[] {
  return Object.keys(groupByPrefix).filter((prefix) => groupByPrefix[prefix] === group);
}

/** The types of `/api/record/getRecordList` and the groups they show. */
export const recordTypes = {
  mining: ["mining"],
  hosting: ["hosting"],
  contract: ["contract"],
  exchange: ["exchange"],
  transfer: ["recharge", "withdraw", "transfer", "attempt"],
  reward: ["reward"],
} as const satisfies Record<string, readonly RecordGroup[]>;
export type RecordType = keyof typeof recordTypes;
export const recordTypeNames = Object.keys(recordTypes) as RecordType[];

/**
 * The time six calendar months after `fromMs` (UTC); a day missing from that month becomes its last
 * day.
 */
export function addSixMonths(fromMs: number): number {
  const from = new Date(fromMs);
  const month = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 6, 1);
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 7, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), last);
  const inDay = ((fromMs % dayMs) + dayMs) % dayMs;
  return month + (day - 1) * dayMs + inDay;
}

/**
 * Checks that a range of records spans at most six months and does not end before it begins. Both
 * ends are inclusive.
 */
export function checkRange(
  fromMs: number | undefined,
  toMs: number | undefined,
): "fine" | "backwards" | "too_long" | "half" {
  if (fromMs === undefined && toMs === undefined) return "fine";
  if (fromMs === undefined || toMs === undefined) return "half";
  if (toMs < fromMs) return "backwards";
  return toMs > addSixMonths(fromMs) ? "too_long" : "fine";
}
