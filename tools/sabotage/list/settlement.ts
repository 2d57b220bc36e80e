import type { Sabotage } from "./sabotage.ts";

const file = "server/migrations/300-contracts.sql";
const settlement = "server/contracts/settlement/settlement.test.ts";
const replay = "server/contracts/settlement/replay.test.ts";
const equality = "server/contracts/orders/equality.test.ts";
const rules = "core/contracts/rules.test.ts";
const testFile = "server/contracts/orders/placeOrder.test.ts";

/** Prices, windows, outcomes and payouts, in SQL and in core. */
const deciding: readonly Sabotage[] = [
  {
    name: "settlement: the last second of the window is left out",
    file,
    find: "and s.second_ms <= d.due_at_ms",
    replace: "and s.second_ms < d.due_at_ms",
    tests: [settlement, equality],
  },
  {
    name: "settlement: the window begins a second early",
    file,
    find: "on s.second_ms > d.due_at_ms - d.window_seconds * 1000",
    replace: "on s.second_ms >= d.due_at_ms - d.window_seconds * 1000",
    tests: [settlement, equality],
  },
  {
    name: "settlement: half rounds up, not to even",
    file,
    find: "else t.sum / t.used + (t.sum / t.used) % 2 end as selling",
    replace: "else t.sum / t.used + 1 end as selling",
    tests: [settlement, equality],
  },
  {
    name: "settlement: exactly 80 % of the samples are too few",
    file,
    find: "and present * 5 >= window_seconds * 4",
    replace: "and present * 5 > window_seconds * 4",
    tests: [settlement, equality],
  },
  {
    name: "settlement: up and down change places",
    file,
    find: "when (p.selling > o.purchase_price) = (o.direction = 'up') then 'won'",
    replace: "when (p.selling > o.purchase_price) = (o.direction = 'down') then 'won'",
    tests: [settlement],
  },
  {
    name: "settlement: a move of exactly the range is a tie",
    file,
    find: "abs(p.selling - o.purchase_price) * 10000 < o.range_bp * o.purchase_price",
    replace: "abs(p.selling - o.purchase_price) * 10000 <= o.range_bp * o.purchase_price",
    tests: [settlement, equality],
  },
  {
    name: "settlement: an entry exactly two seconds late counts as too late",
    file,
    find: "case when v.second_ms - o.accepted_at_ms <= p_latest_ms then v.value end as price",
    replace: "case when v.second_ms - o.accepted_at_ms < p_latest_ms then v.value end as price",
    tests: [settlement, equality],
  },
  {
    name: "settlement: an order accepted when a second closes is bound to the next",
    file,
    find: "where s.second_ms >= o.accepted_at_ms",
    replace: "where s.second_ms > o.accepted_at_ms",
    tests: [settlement, testFile],
  },
  {
    name: "settlement: an order takes its price from the leaf that binds it",
    file,
    find: "and v.leaf > o.bound_leaf",
    replace: "and v.leaf >= o.bound_leaf",
    tests: [settlement, equality],
  },
  {
    name: "settlement: the contract's exposure is not given back",
    file,
    find: "-profit as delta from grp",
    replace: "0 as delta from grp",
    tests: [settlement],
  },
  {
    name: "settlement: a settled order may be changed",
    file,
    find: "  when (old.settled_at_ms is not null\n    or (",
    replace: "  when ((",
    tests: [settlement],
  },
  {
    name: "settlement: a journal that does not post goes unnoticed",
    file,
    find: "where x <> 'posted') then",
    replace: "where x = '') then",
    tests: [settlement],
  },
  {
    name: "settlement: journals have an id of their own with each try",
    file,
    find: "|| p_due_at_ms || '|' || p_part, 'UTF8')",
    replace: "|| p_due_at_ms || '|' || p_part || clock_timestamp(), 'UTF8')",
    tests: [settlement, replay],
  },
  {
    name: "settlement: a fee is rounded down",
    file: "core/contracts/settle.ts",
    find: "return divideUp(stake * BigInt(feeBp), 10_000n);",
    replace: "return divideDown(stake * BigInt(feeBp), 10_000n);",
    tests: [rules, "core/contracts/stake.test.ts"],
  },
  {
    name: "settlement: a void order keeps its fee",
    file: "core/contracts/settle.ts",
    find: "      return order.stake + order.fee;",
    replace: "      return order.stake;",
    tests: [rules],
  },
  {
    name: "settlement: half to even rounds half up",
    file: "core/money/rounding.ts",
    find: "return quotient % 2n === 0n ? quotient : quotient + 1n;",
    replace: "return quotient + 1n;",
    tests: ["core/money/rounding.test.ts"],
  },
  {
    name: "market: an outlier of exactly three per cent is dropped",
    file: "core/market/indexValue.ts",
    find: "distance(mid, middle) * 10_000n <= outlierBp * middle",
    replace: "distance(mid, middle) * 10_000n < outlierBp * middle",
    tests: ["core/market/indexValue.test.ts"],
  },
];

/** Sabotages of the checks before an order is accepted. */
const accepting: readonly Sabotage[] = [
  {
    name: "orders: accepted under terms that have changed",
    file: "server/contracts/orders/placeOrder.ts",
    find: '  if (contract.terms.termsHash !== params.termsHash) throw new ApiError("contracts.terms_changed");\n',
    replace: "",
    tests: [testFile],
  },
  {
    name: "orders: accepted without terms or under a suspension",
    file: "server/contracts/orders/placeOrder.ts",
    find: "  await session.requireNewPositions(userId);\n",
    replace: "",
    tests: [testFile, "server/contracts/routes.test.ts"],
  },
  {
    name: "orders: accepted while the public log is behind",
    file: "server/contracts/orders/placeOrder.ts",
    find: '  if (lagMs > logBehindMs) throw new ApiError("contracts.log_behind");\n',
    replace: "",
    tests: [testFile],
  },
  {
    name: "orders: accepted for a second that has closed",
    file,
    find: "    when v_closed_ms > p_at_ms then 'contracts.no_price'\n",
    replace: "",
    tests: [testFile, "server/contracts/orders/orderBulkInsert.test.ts"],
  },
  {
    name: "limits: self limits are not checked again when orders are written",
    file: "server/contracts/orders/placeOrder.ts",
    find: "    await limits.recheck(tx, [\n      ...new Set(postedJournals.map(({ row }) => (row as OrderDraft).userId)),\n    ]);\n",
    replace: "",
    tests: [testFile, "server/contracts/routes.test.ts"],
  },
  {
    name: "limits: a share of exposure is full one unit early",
    file: "core/contracts/exposure.ts",
    find: "if (ownExposure + profit > exposureShare)",
    replace: "if (ownExposure + profit >= exposureShare)",
    tests: ["core/contracts/exposure.test.ts"],
  },
  {
    name: "limits: orders under way do not count to a share of exposure",
    file: "server/platform/pendingAmounts.ts",
    find: "    const otherAmount = amounts.get(key) ?? 0n;\n    amounts.set(key, otherAmount + amount);",
    replace: "    const otherAmount = 0n;\n    amounts.set(key, otherAmount + amount);",
    tests: [testFile, "server/contracts/routes.test.ts"],
  },
];

export const settlementSabotages = [...deciding, ...accepting];
