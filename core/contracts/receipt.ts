import { type OrderBody, parseOrderStructure } from "#core/contracts/order.ts";
import { computeOrderCosts, type OrderCosts } from "#core/contracts/orderCosts.ts";
import { checkDay, decideOutcomeBySamples } from "#core/contracts/receiptDay.ts";
import { checkBinding, checkOrder, checkTerms } from "#core/contracts/receiptOrder.ts";
import {
  checkEntryPrice,
  checkOutcome,
  checkSettlementPrice,
  checkWindow,
} from "#core/contracts/receiptPrice.ts";
import { parseReceipt } from "#core/contracts/receiptSchema.ts";
import { checkSeed } from "#core/contracts/receiptSeed.ts";
import {
  type CheckState,
  type ContractMismatch,
  type ReceiptStep,
  receiptSteps,
  type StartedSeed,
  type StepName,
  type StepResult,
  secondAt,
  type WindowSample,
} from "#core/contracts/receiptState.ts";
import type { VerifyRound } from "#core/transparency-log/beacon.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import type { DayLeaf } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { LeafError } from "#core/transparency-log/provenLeaves.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

export interface ReceiptCheck {
  /** True only when every step agrees. Does not assert that any money exists. */
  ok: boolean;
  steps: ReceiptStep[];
  order: OrderBody | null;
  /** For the chart; empty for an order without an entry. */
  window: WindowSample[];
  entryPrice: bigint | null;
  settlementPrice: bigint | null;
  /** The costs between a fair bet at the mid and the result; null unless won, lost or tied. */
  costs: OrderCosts | null;
  /** For a void order: its outcome by the available samples. */
  bySamples: "won" | "lost" | "tie" | null;
  /** The day on which the order ended; null until that day is over. */
  day: DayLeaf | null;
  /** The source mixed into the seed of that day; null if the log names none. */
  seed: StartedSeed | null;
}

const steps: Record<Exclude<StepName, "marks">, (state: CheckState) => StepResult> = {
  order: checkOrder,
  terms: checkTerms,
  binding: checkBinding,
  entry: checkEntryPrice,
  window: checkWindow,
  selling: checkSettlementPrice,
  outcome: checkOutcome,
  day: checkDay,
  seed: checkSeed,
};

/**
 * Recomputes a receipt from raw leaves by index (the caller has proven them to be in the log) and
 * the `world` leaf. Stops at the first step that differs. Needs the leaves named by `listNeededLeaves`;
 * without `verify` a cosignature in the day's seed is not verified, without `verifyRound` a
 * beacon's round is not.
 */
export function checkReceipt(
  value: unknown,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
  verify: VerifyEd25519 | null = null,
  verifyRound: VerifyRound | null = null,
): ReceiptCheck {
  const receipt = parseReceipt(value);
  const fail = (difference: ContractMismatch, order: OrderBody | null = null): ReceiptCheck => ({
    ok: false,
    steps: [{ step: "marks", ok: false, difference, inputs: {} }],
    order,
    window: [],
    entryPrice: null,
    settlementPrice: null,
    costs: null,
    bySamples: null,
    day: null,
    seed: null,
  });
  if (!receipt) return fail("receipt_malformed");
  if (receipt.practice !== true || receipt.backing !== "none") return fail("not_practice");
  const result = parseOrderStructure(receipt.order);
  if (!result.ok)
    return fail(
      ["practice", "backing"].includes(result.field) ? "not_practice" : "order_malformed",
    );
  const { order } = result;
  if (receipt.world !== world.world || order.world !== world.world)
    return fail("world_differs", order);
  const sameMarket = [receipt.market, order.market].every(
    ({ kind, speed }) => kind === world.market.kind && speed === world.market.speed,
  );
  const column = world.symbols.findIndex(({ name }) => name === order.symbol);
  if (!sameMarket || column < 0) return fail("market_differs", order);
  const state: CheckState = {
    receipt,
    order,
    world,
    leaves,
    verify,
    verifyRound,
    tag: worldTag(world.world),
    column,
    passed: null,
    orderHash: null,
    entryAtMs: null,
    entryPrice: null,
    deliveryAtMs: null,
    window: [],
    settlementPrice: null,
    voidReason: null,
    day: null,
    seed: null,
  };
  const receiptSteps: ReceiptStep[] = [
    {
      step: "marks",
      ok: true,
      difference: null,
      inputs: { world: world.world, market: world.market.kind, speed: world.market.speed },
    },
  ];
  return runSteps(state, receiptSteps);
}

function runSteps(state: CheckState, completedSteps: ReceiptStep[]): ReceiptCheck {
  for (const [step, run] of Object.entries(steps) as [
    Exclude<StepName, "marks">,
    (typeof steps)["order"],
  ][]) {
    let result: StepResult;
    try {
      result = run(state);
    } catch (error) {
      if (!(error instanceof LeafError)) throw error;
      result = { difference: error.difference, inputs: { leaf: error.leaf } };
    }
    completedSteps.push({ step, ok: result.difference === null, ...result });
    if (result.difference !== null) break;
  }
  const ok =
    completedSteps.every((step) => step.ok) && completedSteps.length === receiptSteps.length;
  return {
    ok,
    steps: completedSteps,
    order: state.order,
    window: state.window,
    entryPrice: state.entryPrice,
    settlementPrice: state.settlementPrice,
    costs: ok ? computeCosts(state) : null,
    bySamples: decideOutcomeBySamples(state),
    day: state.day,
    seed: state.seed,
  };
}

/** The leaf before the binding one holds the index that was known when the order was accepted. */
function computeCosts(state: CheckState): OrderCosts | null {
  const { receipt, order, window, entryPrice: entry, settlementPrice: settlement, column } = state;
  const last = window.findLast(({ value }) => value !== null)?.value ?? null;
  if (entry === null || settlement === null || last === null) return null;
  const before = receipt.before_leaf === 0 ? null : secondAt(state, receipt.before_leaf);
  return computeOrderCosts(order, {
    accepted: before?.index[column] ?? null,
    entry,
    last,
    settlement,
  });
}
