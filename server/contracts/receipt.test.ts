import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { type ContractReceipt, listNeededLeaves } from "#core/contracts/receiptSchema.ts";
import { sumFillCosts } from "#core/market/fillCosts.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { toFillCostsView } from "#server/market/fillCostsView.ts";
import {
  catchErrorName,
  createTestContracts,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import { checkJournals } from "#server/testing/journalReceipts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let person: Person;
let second = 0;

beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());

type Script = (start: number) => (ms: number) => bigint | null;

/** Places an order, runs it to settlement under a price script, and returns its receipt. */
async function settledReceipt(
  script: Script,
  direction: "up" | "down" = "up",
): Promise<ContractReceipt> {
  second += 100;
  t.script(() => 2_312_345n);
  await t.tickTo(t.at(second) + 400);
  person = await t.openPerson();
  const { orderId } = await place(t, person, { direction });
  // Others in the same second, so that the order's path in orders_root is not empty.
  await Promise.all([place(t, await t.openPerson()), place(t, await t.openPerson())]);
  expect(await catchErrorName(t.contracts.receipt(person.userId, orderId))).toBe(
    "contracts.receipt_not_ready",
  );
  t.script(script(second));
  await t.tickTo(t.at(second + 70));
  await t.contracts.settleDue();
  return t.contracts.receipt(person.userId, orderId);
}

async function check(receipt: unknown) {
  const leaves = new Map<number, Uint8Array>();
  for (const [from, to] of listNeededLeaves(receipt as ContractReceipt)) {
    for (const { leaf, bytes } of await readLeaves(from, to + 1)) leaves.set(leaf, bytes);
  }
  return checkReceipt(JSON.parse(JSON.stringify(receipt)), await t.world(), leaves);
}

async function readLeaves(from: number, to: number) {
  return (await t.transparencyLog.leaves(from, to)).map(({ bytes }, i) => ({
    leaf: from + i,
    bytes,
  }));
}

const wave = (start: number) => (ms: number) =>
  2_312_345n + BigInt((ms - t.at(start)) / 1_000) * 3n;
const noEntry = (start: number) => (ms: number) => (ms < t.at(start + 3) ? null : 2_312_345n);
const gaps = (start: number) => (ms: number) =>
  ms >= t.at(start + 53) && ms <= t.at(start + 55) ? null : 2_312_345n;

describe("a receipt is recomputed from the log", () => {
  test.each([
    ["won", wave, "up", null],
    ["lost", wave, "down", null],
    ["tie", () => () => 2_312_345n, "up", null],
    ["void", noEntry, "up", "no_entry"],
    ["void", gaps, "up", "few_samples"],
  ] as const)("%s", async (outcome, script, direction, reason) => {
    const receipt = await settledReceipt(script, direction);
    const result = await check(receipt);
    expect(result.steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.ok).toBe(true);
    expect(receipt.result).toMatchObject({ outcome, void_reason: reason });
    expect(receipt.orders_count).toBe(3);
  });
});

describe("a tampered receipt is refused with the difference", () => {
  let receipt: ContractReceipt;
  beforeAll(async () => {
    receipt = await settledReceipt(wave, "down");
  });
  const order = (change: object) => (r: ContractReceipt) => ({
    ...r,
    order: { ...r.order, ...change },
  });
  const result = (change: object) => (r: ContractReceipt) => ({
    ...r,
    result: { ...r.result, ...change },
  });
  test.each([
    ["no practice label", (r: ContractReceipt) => ({ ...r, practice: false }), "not_practice"],
    ["an order without the practice label", order({ backing: "gold" }), "not_practice"],
    ["another world", (r: ContractReceipt) => ({ ...r, world: "elsewhere" }), "world_differs"],
    [
      "another kind of market",
      (r: ContractReceipt) => ({ ...r, market: { kind: "live", speed: 1 } }),
      "market_differs",
    ],
    ["an extra field in the order", order({ note: "x" }), "order_malformed"],
    ["a reversed direction", order({ direction: "up" }), "order_not_in_root"],
    ["a larger stake without its fee", order({ stake: "200000000" }), "fee_differs"],
    [
      "a larger stake with its fee",
      order({ stake: "200000000", fee: "2000000" }),
      "order_not_in_root",
    ],
    [
      "other terms",
      (r: ContractReceipt) => ({ ...r, terms: { ...r.terms, version: 7 } }),
      "terms_hash_differs",
    ],
    [
      "terms from another leaf",
      (r: ContractReceipt) => ({ ...r, terms_leaf: r.terms_leaf + 1 }),
      "terms_not_in_log",
    ],
    [
      "a later binding leaf",
      (r: ContractReceipt) => ({
        ...r,
        bound_leaf: r.bound_leaf + 1,
        entry_leaf: r.entry_leaf + 1,
      }),
      "bound_too_late",
    ],
    [
      "no second before the binding one",
      (r: ContractReceipt) => ({ ...r, before_leaf: r.bound_leaf }),
      "bound_too_late",
    ],
    [
      "another number of orders",
      (r: ContractReceipt) => ({ ...r, orders_count: r.orders_count + 1 }),
      "orders_count_differs",
    ],
    [
      "a later entry",
      (r: ContractReceipt) => ({ ...r, entry_leaf: r.entry_leaf + 1 }),
      "entry_leaf_differs",
    ],
    ["another entry price", result({ purchase_price: "2312346" }), "purchase_price_differs"],
    ["another delivery time", result({ delivery_at_ms: 1 }), "delivery_time_differs"],
    [
      "a window cut short",
      (r: ContractReceipt) => ({
        ...r,
        window_leaves: [r.window_leaves![0] + 1, r.window_leaves![1]],
      }),
      "window_incomplete",
    ],
    ["another settlement price", result({ selling_price: "1" }), "selling_price_differs"],
    ["another outcome", result({ outcome: "won" }), "outcome_differs"],
    ["a larger payout", result({ payout: "1" }), "payout_differs"],
    [
      "a format of another version",
      (r: ContractReceipt) => ({ ...r, format: "drydock.receipt.contract/2" }),
      "receipt_malformed",
    ],
  ] as const)("%s", async (_title, tamper, difference) => {
    const result = await check(tamper(receipt));
    expect(result.ok).toBe(false);
    expect(result.steps.at(-1)?.difference).toBe(difference);
  });
  test("a missing leaf is reported", async () => {
    const { steps } = checkReceipt(receipt, await t.world(), new Map());
    expect(steps.at(-1)).toMatchObject({
      difference: "leaf_missing",
      inputs: { leaf: receipt.terms_leaf },
    });
  });
});

describe("a result is taken apart", () => {
  /** One step up in the second after acceptance, and another at delivery. */
  const latePrices = (start: number) => (ms: number) =>
    2_312_345n + (ms > t.at(start + 1) ? 10n : 0n) - (ms >= t.at(start + 62) ? 5n : 0n);

  test.each([
    ["won", wave, "up", { delay: 0n, slippage: 0n, spread: 9n, fee: 1n }],
    ["lost", wave, "down", { delay: 0n, slippage: 0n, spread: 0n, fee: 1n }],
    // The last price lay above the mid and below the entry price; the average tied.
    ["tie", latePrices, "up", { delay: 2n, slippage: -1n, spread: 0n, fee: 1n }],
  ] as const)("an order that is %s", async (outcome, script, direction, expected) => {
    const receipt = await settledReceipt(script, direction);
    expect(receipt.result.outcome).toBe(outcome);
    const { costs, order } = await check(receipt);
    const unit = { delay: order!.stake, slippage: order!.stake, spread: 0n, fee: 0n };
    const [spread, fee] = [order!.stake / 10n, order!.fee];
    expect(costs!.costs).toEqual({
      delay: expected.delay * unit.delay,
      slippage: expected.slippage * unit.slippage,
      spread: expected.spread === 0n ? 0n : spread,
      fee,
    });
    expect(`${costs!.fair - sumFillCosts(costs!.costs)}`).toBe(receipt.result.net);
    const parts = await t.contracts.costs(person.userId, String(receipt.order.order_id));
    expect(parts).toMatchObject({
      fair: formatPusdt(costs!.fair),
      costs: toFillCostsView(costs!.costs, "pUSDT"),
      net: formatPusdt(BigInt(receipt.result.net)),
    });
  });

  test("a void order has no costs", async () => {
    const receipt = await settledReceipt(noEntry);
    expect((await check(receipt)).costs).toBeNull();
    expect(await t.contracts.costs(person.userId, String(receipt.order.order_id))).toBeNull();
  });
});

test("an order's money is tied to its binding and its receipt", async () => {
  await settledReceipt(wave, "up");
  const records = [{ prefix: "contract", orders: t.contracts.ordersOf }];
  const mismatches = await checkJournals(t, records, person.userId);
  expect(mismatches.filter(([kind]) => kind.startsWith("contract."))).toEqual([
    ["contract.open", null],
    ["contract.settle", null],
  ]);
  const [[, untied]] = (await checkJournals(t, [], person.userId)).filter(
    ([kind]) => kind === "contract.open",
  ) as [[string, string]];
  expect(untied).toBe("order_missing");
});
