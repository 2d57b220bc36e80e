import type { CheckState, StepResult } from "#core/contracts/receiptState.ts";
import { toRealDay } from "#core/money/time.ts";
import { getProvenSecond } from "#core/transparency-log/provenLeaves.ts";
import { decodeSeed, isSourceRight, mixSeed } from "#core/transparency-log/seedLeaf.ts";

/**
 * The leaf that began the seed of the day on which the order ended: before every second of it that
 * was read, and mixed with the round that is due, a cosignature of the log before it, or nothing.
 */
export function checkSeed(state: CheckState): StepResult {
  const { receipt, leaves, tag, world } = state;
  const leaf = receipt.seed_leaf;
  if (leaf === null) return { inputs: {}, difference: null };
  const inputs = { leaf };
  const bytes = leaves.get(leaf);
  const result = bytes ? decodeSeed(bytes, tag) : null;
  if (!result?.ok || result.value.action !== "begin" || world.market.kind !== "simulated")
    return { inputs, difference: "seed_leaf_differs" };
  const { dayMs, source } = result.value;
  const endMs =
    state.deliveryAtMs ?? getProvenSecond(leaves, tag, receipt.entry_leaf)?.secondMs ?? dayMs;
  const isLate = [...leaves.keys()].some(
    (index) => index >= receipt.before_leaf && index < leaf && secondMs(index) >= dayMs,
  );
  if (toRealDay(dayMs) !== toRealDay(endMs) || dayMs > endMs || isLate)
    return { inputs, difference: "seed_leaf_differs" };
  const { verify, verifyRound } = state;
  const seedContext = { leaf, origin: receipt.log.origin, world };
  if (!isSourceRight(result.value, seedContext, { verify, verifyRound }))
    return { inputs, difference: "seed_source_differs" };
  state.seed = { ...mixSeed(source, dayMs, world), leaf };
  return { inputs: { ...inputs, source: source.kind }, difference: null };

  function secondMs(index: number): number {
    return getProvenSecond(leaves, tag, index)?.secondMs ?? Number.NEGATIVE_INFINITY;
  }
}
