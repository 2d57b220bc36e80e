import { sha256 } from "@noble/hashes/sha2.js";
import { BacktestRun } from "#core/backtest/backtest.ts";
import { simulatedMoments } from "#core/backtest/simulatedMoments.ts";
import { buildPools, formatPoolName, isPractice } from "#core/hosting/catalogue.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { Simulator } from "#core/market/simulate/simulator.ts";
import { createAnchorState } from "#core/market/simulate/state.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";

const startMs = Date.UTC(2026, 0, 5);
/**
 * Three half-lives of the venues' bases for coins, so that a run does not start with all venues in
 * agreement. For the dollar pairs three half-lives are 72 hours.
 */
const usualWarmHours = 1;

/** Result of one pool under one seed, in millionths of its starting amount. */
export interface Outcome {
  name: string;
  friction: Friction;
  trades: number;
  /** `net`: gross − fees − slippage, stock included; `result`: the change of worth. */
  net: number;
  result: number;
}

/** A numbered path of the simulated market, some hours after its start. */
export function openSeed(
  number: number,
  symbols: readonly MarketSymbol[] = symbolNames,
  warmHours: number = usualWarmHours,
) {
  const seed = sha256(utf8ToBytes(`drydock.strategy/1\n${number}`));
  const model = createModel(symbols);
  const simulator = new Simulator(model, seed, createAnchorState(model), startMs);
  for (let i = 0; i < warmHours * 3_600; i += 1) simulator.skip();
  return { model, simulator, seed };
}

/**
 * Runs every practice pool of the simulated market for `seconds` of one seed, under all friction
 * presets, over the same path.
 */
export function runSeed(
  number: number,
  seconds: number,
  frictions: readonly Friction[],
): Outcome[] {
  const { model, simulator, seed } = openSeed(number);
  const pools = buildPools(() => venues).filter(isPractice);
  const runs = frictions.flatMap((friction) =>
    pools.map((pool) => new BacktestRun(pool, friction)),
  );
  for (const moment of simulatedMoments(model, simulator, seed, seconds)) {
    for (const run of runs) run.take(moment);
  }
  return runs.map((run): Outcome => {
    const { config, friction, counters, start, worth } = run.result();
    const millionths = (amount: bigint) => Number((amount * 1_000_000n) / start);
    const net = counters.gross - counters.slippage - counters.fees;
    return {
      name: formatPoolName(config),
      friction,
      trades: counters.trades,
      net: millionths(net),
      result: millionths(worth - start),
    };
  });
}
