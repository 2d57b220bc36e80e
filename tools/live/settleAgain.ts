import { parseOrderStructure } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { computeDelivery, readEntry, settle } from "#core/contracts/settle.ts";
import { computeSettlementPrice, getWindowBounds } from "#core/contracts/settlementWindow.ts";
import type { LogOfSeconds } from "#server/testing/fakeVenues/liveTrial.ts";

type Result = ContractReceipt["result"];

/**
 * The result of an order by the seconds of a world that replays its own recording
 * (docs/rules/contracts.md). Null if the recording lacks one of them (`lostSeconds`), or the order was
 * placed before that world's first second or ends after its last.
 */
export function settleAgain(
  { order: structure }: Pick<ContractReceipt, "order">,
  { world, seconds }: LogOfSeconds,
  lostSeconds: ReadonlySet<number>,
): Result | null {
  const result = parseOrderStructure(structure);
  if (!result.ok) throw new Error(`the order's ${result.field} is malformed`);
  const { order } = result;
  const column = world.symbols.findIndex(({ name }) => name === order.symbol);
  const times = [...seconds.keys()].toSorted((a, b) => a - b);
  const isKnown = (secondMs: number) => seconds.has(secondMs) && !lostSeconds.has(secondMs);
  const valueAt = (secondMs: number) => seconds.get(secondMs)?.index[column] ?? null;

  const boundIndex = times.findIndex((secondMs) => secondMs >= order.acceptedAtMs);
  if (boundIndex <= 0) return null;
  let entry: { price: bigint | null; atMs: number } | null = null;
  for (let index = boundIndex + 1; index < times.length && !entry; index += 1) {
    const secondMs = times[index]!;
    if (!isKnown(secondMs)) return null;
    const decision = readEntry(order.acceptedAtMs, { secondMs, value: valueAt(secondMs) });
    if (decision.decides) entry = { price: decision.price, atMs: secondMs };
  }
  if (!entry) return null;

  let sellingPrice: bigint | null = null;
  const deliveryAtMs = computeDelivery(entry.atMs, order.tierSeconds);
  if (entry.price !== null) {
    const { fromMs } = getWindowBounds(deliveryAtMs, order.windowSeconds);
    const window = Array.from(
      { length: order.windowSeconds },
      (_, index) => fromMs + index * 1_000,
    );
    if (!window.every(isKnown)) return null;
    const samples = window.map(valueAt).filter((value) => value !== null);
    const price = computeSettlementPrice(samples, order.windowSeconds);
    if (price.ok) sellingPrice = price.price;
  }
  const { outcome, payout, net } = settle(order, entry.price, sellingPrice);
  return {
    outcome,
    void_reason: entry.price === null ? "no_entry" : sellingPrice === null ? "few_samples" : null,
    purchase_price: entry.price?.toString() ?? null,
    selling_price: sellingPrice?.toString() ?? null,
    entry_at_ms: entry.price === null ? null : entry.atMs,
    delivery_at_ms: entry.price === null ? null : deliveryAtMs,
    payout: payout.toString(),
    net: net.toString(),
  };
}
