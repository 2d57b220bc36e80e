import type { ResolvedBelief } from "#core/beliefs/calibration.ts";
import { type MaskedCount, maskCount, mergeCells, peopleMin } from "#core/classes/masking.ts";
import { computeBreakEvenOfSums } from "#core/contracts/breakEven.ts";
import { divideHalfEven } from "#core/money/rounding.ts";

/** The figures of a debrief in display order; each is counted separately. */
export const figureNames = ["results", "orders", "beliefs", "costs", "withdrawals"] as const;
export type FigureName = (typeof figureNames)[number];

/** One person of a class as counted in its debrief, over all their attempts. */
export interface ClassMember {
  /** Result in minor units of pUSDT (docs/rules/records.md, "The result"). */
  result: bigint;
  /**
   * Minor units of pUSDT: the fees and spread charged, and the signed results of pools and leases.
   */
  costs: { fees: bigint; spread: bigint; hosting: bigint; mining: bigint };
  /** Orders won or lost, and their sums in minor units of pUSDT. */
  orders: { decided: number; won: number; stake: bigint; fee: bigint; profit: bigint };
  /** True if they once withdrew everything they had. */
  hasWithdrawnAll: boolean;
  /** Empty unless they agreed. */
  beliefs: readonly ResolvedBelief[];
}

/** Boundaries between result ranges, in whole pUSDT on either side of zero. */
const steps = [50, 100, 250, 500, 1_000, 2_500, 5_000] as const;
const minorPerUnit = 1_000_000n;

/**
 * A range of results in whole pUSDT. A loss of exactly a step belongs to the smaller loss, a gain of
 * exactly a step to the smaller gain; null: open. From 0 to 0 is an unchanged balance.
 */
export interface ResultRange {
  from: number | null;
  to: number | null;
}

export const resultRanges: readonly ResultRange[] = [
  { from: null, to: -steps.at(-1)! },
  ...steps
    .map((step, index) => ({ from: -step, to: index === 0 ? 0 : -steps[index - 1]! }))
    .toReversed(),
  { from: 0, to: 0 },
  ...steps.map((step, index) => ({ from: index === 0 ? 0 : steps[index - 1]!, to: step })),
  { from: steps.at(-1)!, to: null },
];

/** The index in `resultRanges` of a result in minor units of pUSDT. */
export function findResultRange(result: bigint): number {
  const middle = steps.length + 1;
  if (result === 0n) return middle;
  const size = result < 0n ? -result : result;
  const index = steps.findIndex((step) => size <= BigInt(step) * minorPerUnit);
  const offset = (index === -1 ? steps.length : index) + 1;
  return result < 0n ? middle - offset : middle + offset;
}

interface Results {
  ranges: (ResultRange & { people: number })[];
  /** The number of people with less than they brought in. */
  below: MaskedCount;
}

interface Orders {
  people: MaskedCount;
  decided: number;
  /**
   * Whole percent of the decided orders, and the percentage needed to break even at their terms.
   */
  right_percent: number;
  break_even_percent: number;
}

interface Beliefs {
  people: MaskedCount;
  /** Mean stated confidence and share of right beliefs, in whole percent. */
  stated_percent: number;
  right_percent: number;
  /** By stated confidence, in percent, both ends included; at least five people in each. */
  steps: { from: number; to: number; stated_percent: number; right_percent: number }[];
}

interface Costs {
  people: MaskedCount;
  /** Whole pUSDT of all together; `null` where fewer than five people have any. */
  fees: number | null;
  spread: number | null;
  hosting: number | null;
  mining: number | null;
}

/** Each figure, or null while fewer than five people contribute to it. */
export interface DebriefFigures {
  results: Results | null;
  orders: Orders | null;
  beliefs: Beliefs | null;
  costs: Costs | null;
  withdrawals: MaskedCount | null;
}

/**
 * A person's contribution to each figure as text: equal texts mean equal contributions. Empty if
 * none.
 */
export function describeParts(member: ClassMember): Record<FigureName, string> {
  const { orders, costs, beliefs } = member;
  const { fees, spread, hosting, mining } = costs;
  const answers = beliefs.map(({ confidence, right }) => `${confidence}${right ? "+" : "-"}`);
  return {
    results: String(findResultRange(member.result)),
    orders:
      orders.decided === 0
        ? ""
        : [orders.decided, orders.won, orders.stake, orders.fee, orders.profit].join(" "),
    beliefs: answers.toSorted().join(" "),
    costs: hasCosts(member) ? [fees, spread, hosting, mining].join(" ") : "",
    withdrawals: member.hasWithdrawnAll ? "all" : "",
  };
}

/** Counts every figure over a class. */
export function computeDebrief(members: readonly ClassMember[]): DebriefFigures {
  const memberCount = members.length;
  if (memberCount < peopleMin) {
    return { results: null, orders: null, beliefs: null, costs: null, withdrawals: null };
  }
  return {
    results: countResults(members),
    orders: countOrders(
      members.filter(({ orders }) => orders.decided > 0),
      memberCount,
    ),
    beliefs: countBeliefs(
      members.filter(({ beliefs }) => beliefs.length > 0),
      memberCount,
    ),
    costs: sumCosts(members.filter(hasCosts), memberCount),
    withdrawals: maskCount(members.filter((member) => member.hasWithdrawnAll).length, memberCount),
  };
}

/**
 * Returns true if a figure may be counted again: compared with each earlier count, either no
 * person's part has changed or the parts of at least five have, so that the difference of two
 * counts never describes fewer. `earlier` has the parts of those still in the class and how many
 * were counted; people who have left since count as changed.
 */
export function mayCountAgain(
  current: ReadonlyMap<string, string>,
  earlier: readonly { people: number; parts: ReadonlyMap<string, string> }[],
): boolean {
  return earlier.every(({ people, parts }) => {
    const ids = new Set([...current.keys(), ...parts.keys()]);
    const isChanged = (userId: string) => (current.get(userId) ?? "") !== (parts.get(userId) ?? "");
    const changedCount = [...ids].filter(isChanged).length + Math.max(0, people - parts.size);
    return changedCount === 0 || changedCount >= peopleMin;
  });
}

function countResults(members: readonly ClassMember[]): Results {
  const places = members.map(({ result }) => findResultRange(result));
  const cells = resultRanges.map((range, index) => ({
    cell: { ...range, place: index },
    people: places.filter((range) => range === index).length,
  }));
  const merged = mergeCells(cells, ({ place }) => Math.sign(place - (steps.length + 1)));
  return {
    ranges: merged.map(({ cells: mergedCells, people }) => ({
      from: mergedCells[0]!.from,
      to: mergedCells.at(-1)!.to,
      people,
    })),
    below: maskCount(members.filter(({ result }) => result < 0n).length, members.length),
  };
}

function countOrders(members: readonly ClassMember[], memberCount: number): Orders | null {
  if (members.length < peopleMin) return null;
  const sum = (pick: (orders: ClassMember["orders"]) => bigint) =>
    members.reduce((total, { orders }) => total + pick(orders), 0n);
  const decidedCount = Number(sum((item) => BigInt(item.decided)));
  const breakEven = computeBreakEvenOfSums({
    stake: sum(({ stake }) => stake),
    fee: sum(({ fee }) => fee),
    profit: sum(({ profit }) => profit),
  });
  return {
    people: maskCount(members.length, memberCount),
    decided: decidedCount,
    right_percent: toPercent(Number(sum((item) => BigInt(item.won))), decidedCount),
    break_even_percent: Math.ceil((breakEven ?? 0) / 100),
  };
}

const confidenceSteps = [50, 60, 70, 80, 90] as const;

function countBeliefs(members: readonly ClassMember[], memberCount: number): Beliefs | null {
  if (members.length < peopleMin) return null;
  const beliefsWithin = ({ beliefs }: ClassMember, from: number, to: number) =>
    beliefs.filter(({ confidence }) => confidence >= from && confidence <= to);
  const figures = (from: number, to: number) => {
    const resolvedBeliefs = members.flatMap((member) => beliefsWithin(member, from, to));
    const statedSum = resolvedBeliefs.reduce((sum, { confidence }) => sum + confidence, 0);
    return {
      stated_percent: Math.round(statedSum / resolvedBeliefs.length),
      right_percent: toPercent(
        resolvedBeliefs.filter(({ right }) => right).length,
        resolvedBeliefs.length,
      ),
    };
  };
  return {
    people: maskCount(members.length, memberCount),
    ...figures(50, 100),
    steps: mergeConfidenceSteps(members, beliefsWithin).map(({ from, to }) => ({
      from,
      to,
      ...figures(from, to),
    })),
  };
}

/** Merges neighbouring steps of confidence until each has beliefs of at least five people. */
function mergeConfidenceSteps(
  members: readonly ClassMember[],
  within: (member: ClassMember, from: number, to: number) => readonly ResolvedBelief[],
): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  let from: number = confidenceSteps[0];
  for (const start of confidenceSteps) {
    const to = start === confidenceSteps.at(-1) ? 100 : start + 9;
    const people = members.filter((member) => within(member, from, to).length > 0).length;
    if (people < peopleMin) continue;
    stretches.push({ from, to });
    from = to + 1;
  }
  // The remainder joins the last step, which exists because there are at least five people in all.
  stretches.at(-1)!.to = 100;
  return stretches;
}

function hasCosts({ costs }: ClassMember): boolean {
  return Object.values(costs).some((amount) => amount !== 0n);
}

function sumCosts(members: readonly ClassMember[], memberCount: number): Costs | null {
  if (members.length < peopleMin) return null;
  const sum = (name: keyof ClassMember["costs"]) => {
    const paying = members.filter(({ costs }) => costs[name] !== 0n);
    if (paying.length < peopleMin) return null;
    const total = paying.reduce((amount, { costs }) => amount + costs[name], 0n);
    const size = Number(divideHalfEven(total < 0n ? -total : total, minorPerUnit));
    return total < 0n ? -size : size;
  };
  return {
    people: maskCount(members.length, memberCount),
    fees: sum("fees"),
    spread: sum("spread"),
    hosting: sum("hosting"),
    mining: sum("mining"),
  };
}

function toPercent(part: number, total: number): number {
  return Math.round((part * 100) / total);
}
