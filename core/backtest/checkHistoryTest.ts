import { type HistoryTest, runHistoryTest } from "#core/backtest/historyTest.ts";
import { replayHistoryMoments } from "#core/backtest/simulatedMoments.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { daySeed, isSeedLink } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { historyTestMs } from "#core/market/simulate/historySeconds.ts";
import { createModel, isSimulatorVersion } from "#core/market/simulate/model.ts";
import { encodeState } from "#core/market/simulate/state.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSeed } from "#core/transparency-log/seedLeaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";

/** Proven entries of the log: its first, and the two that begin and reveal the world's first day. */
export interface HistoryLeaves {
  world: Uint8Array;
  begin: Uint8Array;
  reveal: Uint8Array;
}

/** `log_differs`: the leaves do not have the stated content, or the seed is a different one. */
export type HistoryTestCheck = "same" | "differs" | "log_differs";

/**
 * Reruns a pool's test from the revealed seed of the world's first day. The anchor, and the state
 * at the first second, show that the seed belongs to this world.
 */
export function checkHistoryTest(
  leaves: HistoryLeaves,
  { config, start }: { config: PoolConfig; start: bigint },
  test: HistoryTest,
): HistoryTestCheck {
  const world = decodeWorld(leaves.world);
  if (!world.ok) return "log_differs";
  const { simulator, symbols, world: name } = world.value;
  if (simulator === null || !isSimulatorVersion(simulator)) return "log_differs";
  const tag = worldTag(name);
  const [begin, reveal] = [decodeSeed(leaves.begin, tag), decodeSeed(leaves.reveal, tag)];
  if (!begin.ok || begin.value.action !== "begin") return "log_differs";
  if (!reveal.ok || reveal.value.action !== "reveal") return "log_differs";
  const { dayMs: firstMs, link, state } = reveal.value;
  if (begin.value.dayMs !== firstMs || !isSeedLink(world.value, firstMs, link))
    return "log_differs";
  const model = createModel(
    symbols.map((symbol) => symbol.name),
    simulator,
  );
  const seed = daySeed(link, begin.value.source);
  const history = simulateHistory(model, seed, firstMs);
  if (!equalBytes(encodeState(model, history.state), state)) return "log_differs";
  const span = { fromMs: firstMs - historyTestMs, toMs: firstMs - 1_000 };
  const rerun = runHistoryTest(config, start, replayHistoryMoments(model, seed, firstMs), span);
  return rerun && canonicalText(rerun) === canonicalText(test) ? "same" : "differs";
}
