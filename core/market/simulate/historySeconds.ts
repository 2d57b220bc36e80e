import type { Quote } from "#core/market/quote.ts";
import { RandomDraws } from "#core/market/simulate/draws.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import type { Model } from "#core/market/simulate/model.ts";
import { computeQuotes } from "#core/market/simulate/simulator.ts";
import { createAnchorState } from "#core/market/simulate/state.ts";
import { createStepResult, priceSymbols, stepVenues } from "#core/market/simulate/step.ts";
import { hourMs } from "#core/money/time.ts";

/** The hours before a world's first second in which a pool can be tested. */
export const historyTestMs = 6 * hourMs;
/**
 * Warm-up, in which the venues diverge: the slow difference between them has a half-life of 20 min.
 */
const warmUpMs = hourMs;

/** A step of the common prices before the first second. */
interface Step {
  atMs: number;
  level: Float64Array;
  volatility: number;
}

/**
 * The seconds of the last hours before a world's first, with quotes of its venues. The history has
 * common prices only, one in ten seconds: between two of them the path is straight, and venues move
 * around it by the rules of an ordinary second, with separate random words. No trade was possible
 * then, none of it is in the log, and the path from the first second on does not depend on it.
 */
export function* replayHistorySeconds(
  model: Model,
  seed: Uint8Array,
  firstMs: number,
): Generator<{ secondMs: number; quotes: (Quote | null)[][] }> {
  const fromMs = firstMs - historyTestMs;
  const steps = stepsFrom(model, seed, firstMs, fromMs - warmUpMs);
  const state = createAnchorState(model);
  const draws = new RandomDraws(seed);
  const result = createStepResult(model);
  for (const [index, { atMs, level, volatility }] of steps.entries()) {
    const before = steps[index - 1];
    if (!before) continue;
    const seconds = (atMs - before.atMs) / 1_000;
    state.volatility[0] = volatility;
    for (let i = 0; i < level.length; i += 1)
      result.moves[i] = ((level[i] as number) - (before.level[i] as number)) / seconds;
    for (let second = 1; second <= seconds; second += 1) {
      const secondMs = before.atMs + second * 1_000;
      for (let i = 0; i < level.length; i += 1)
        state.level[i] = (before.level[i] as number) + second * (result.moves[i] as number);
      draws.seek("history", secondMs / 1_000);
      priceSymbols(model, state, result);
      stepVenues(model, state, draws, result);
      if (secondMs >= fromMs && secondMs < firstMs)
        yield { secondMs, quotes: computeQuotes(model, state, secondMs) };
    }
  }
}

function stepsFrom(model: Model, seed: Uint8Array, firstMs: number, fromMs: number): Step[] {
  const steps: Step[] = [];
  simulateHistory(model, seed, firstMs, (atMs, { level, volatility }) => {
    if (atMs >= fromMs)
      steps.push({ atMs, level: level.slice(), volatility: volatility[0] as number });
  });
  // The first second is not one of the history's steps: the path is flat up to it.
  const last = steps.at(-1);
  if (last && last.atMs < firstMs) steps.push({ ...last, atMs: firstMs });
  return steps;
}
