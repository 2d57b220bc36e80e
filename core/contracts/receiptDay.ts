import type { CheckState, StepResult } from "#core/contracts/receiptState.ts";
import { decideOutcome } from "#core/contracts/settle.ts";
import { computeTrimmedMean } from "#core/contracts/settlementWindow.ts";
import { toRealDay } from "#core/money/time.ts";
import { countMissing, decodeDay } from "#core/transparency-log/dayLeaf.ts";
import { getProvenSecond } from "#core/transparency-log/provenLeaves.ts";
import { findWrongSecond } from "#core/transparency-log/recountDay.ts";

/**
 * Compares the `day` leaf of the day on which the order ended with all that the receipt's own leaves
 * show of it. A receipt made before that day was over names none.
 */
export function checkDay(state: CheckState): StepResult {
  const { receipt, leaves, tag } = state;
  const { day_leaf: leaf, entry_leaf: entry, window_leaves: window, result } = receipt;
  if (leaf === null) return { inputs: {}, difference: null };
  const endMs = state.deliveryAtMs ?? getProvenSecond(leaves, tag, entry)!.secondMs;
  const bytes = leaves.get(leaf);
  const decodedDay = bytes ? decodeDay(bytes, tag) : null;
  const inputs = { leaf };
  if (
    !decodedDay?.ok ||
    decodedDay.value.day !== toRealDay(endMs) ||
    leaf <= Math.max(entry, window?.[1] ?? 0)
  )
    return { inputs, difference: "day_leaf_differs" };
  const day = decodedDay.value;
  state.day = day;
  const counts = { leaf, due: day.due.count, missing: countMissing(day), ...voidsIn(day.voids) };
  const seconds = [...leaves.keys()]
    .filter((index) => index >= receipt.before_leaf)
    .sort((a, b) => a - b)
    .map((index) => ({
      leaf: index,
      secondMs: getProvenSecond(leaves, tag, index)?.secondMs ?? null,
    }));
  const wrongSecond = findWrongSecond(day, seconds);
  if (wrongSecond !== null)
    return {
      inputs: { ...counts, second_ms: wrongSecond * 1_000 },
      difference: "day_seconds_differ",
    };
  const isVoidUncounted =
    (result.void_reason === "no_entry" && day.voids.noEntry === 0) ||
    (result.void_reason === "few_samples" && day.voids.fewSamples === 0);
  return { inputs: counts, difference: isVoidUncounted ? "day_voids_differ" : null };
}

const voidsIn = ({ noEntry, fewSamples }: { noEntry: number; fewSamples: number }) => ({
  no_entry: noEntry,
  few_samples: fewSamples,
});

/**
 * The outcome by the available samples of an order that is void for lack of samples; null if there
 * are none, or if the order is not void for that reason. Informational only.
 */
export function decideOutcomeBySamples({
  order,
  entryPrice,
  window,
  voidReason,
}: CheckState): "won" | "lost" | "tie" | null {
  if (voidReason !== "few_samples" || entryPrice === null) return null;
  const samples = window.flatMap(({ value }) => (value === null ? [] : [value]));
  return samples.length === 0
    ? null
    : decideOutcome(order, entryPrice, computeTrimmedMean(samples).price);
}
