import { BacktestRun } from "#core/backtest/backtest.ts";
import { assets } from "#core/hosting/assets.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import type { Moment, PoolConfig, StepResult } from "#core/hosting/types.ts";
import { findSymbolBetween, listAssets } from "#core/hosting/value.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { minuteMs } from "#core/money/time.ts";

/** The fewest marks for a meaningful test: one hour. */
const marksMin = 60;
/** The most points of a line. */
const pointsMax = 96;

type HistoryOutcome = {
  friction: Friction;
  /** The worth at the end in home, and the same less the amount put in. */
  worth: string;
  result: string;
  /** In basis points, as signed decimals of two digits. */
  return_bp: string;
  drawdown_bp: string;
  trades: number;
  fees: string;
  slippage: string;
};

/** The result of running a pool over a period before it opened, when no units existed. */
export type HistoryTest = {
  from_ms: number;
  to_ms: number;
  /** Number of moments, and the amount put in. */
  moments: number;
  start: string;
  outcomes: HistoryOutcome[];
  /** Buy and hold of its coin over the same moments, without any cost. */
  hold_return_bp: string;
  /** Time, and the change in basis points so far: frictionless, realistic, harsh, buy and hold. */
  line: [number, string, string, string, string][];
  /**
   * At realistic friction: the widest gap of each stretch, where it was seen, with the gap needed
   * then. Empty for a strategy that looks for none.
   */
  gaps: [number, string, string][];
  /** Moments with a measurable gap, and how many of those gaps were wide enough. */
  seen: number;
  wide: number;
};

interface Gap {
  atMs: number;
  gap: number;
  needed: number;
}

/**
 * Runs a pool over moments before its world began, under all three frictions, from `start` whole
 * units of home. Null if there are too few moments. The same moments give the same text in the
 * server and in a browser.
 */
export function runHistoryTest(
  config: PoolConfig,
  start: bigint,
  moments: Iterable<Moment>,
  span: { fromMs: number; toMs: number },
): HistoryTest | null {
  const gaps = new Stretches<Gap>(span, (last, next) =>
    next.gap - next.needed > last.gap - last.needed ? next : last,
  );
  const line = new Stretches<HistoryTest["line"][number]>(span, (_, next) => next);
  const count = { moments: 0, marks: 0, seen: 0, wide: 0 };
  const note = ({ observed: observation }: StepResult, atMs: number) => {
    if (!observation || observation.needed === 0) return;
    count.seen += 1;
    if (observation.gap >= observation.needed) count.wide += 1;
    gaps.add(atMs, { atMs, ...observation });
  };
  const runs = frictionNames.map(
    (friction) =>
      new BacktestRun(config, friction, {
        start,
        ...(friction === "realistic" ? { onStep: note } : {}),
      }),
  );
  const symbol = findSymbolBetween(listAssets(config)[1]!, config.home) as MarketSymbol;
  let first: bigint | null = null;
  let last = 0n;
  for (const moment of moments) {
    count.moments += 1;
    for (const run of runs) run.take(moment);
    const index = moment.atMs % minuteMs === 0 ? moment.index(symbol) : null;
    if (index === null) continue;
    count.marks += 1;
    first ??= index;
    last = index;
    const changes = runs.map((run) => run.result()).map((run) => computeBp(run.start, run.worth));
    const [frictionless, realistic, harsh] = changes as [string, string, string];
    line.add(moment.atMs, [moment.atMs, frictionless, realistic, harsh, computeBp(first, last)]);
  }
  if (first === null || count.marks < marksMin) return null;
  const toHomeText = (value: bigint) => formatDecimal(value, assets[config.home].scale, true);
  return {
    from_ms: span.fromMs,
    to_ms: span.toMs,
    moments: count.moments,
    start: toHomeText(runs[0]!.result().start),
    outcomes: runs.map((run) => {
      const { friction, counters, drawdown, start: startWorth, worth } = run.result();
      return {
        friction,
        worth: toHomeText(worth),
        result: toHomeText(worth - startWorth),
        return_bp: computeBp(startWorth, worth),
        drawdown_bp: formatDecimal(-drawdown.worstBp * 100n, 2, true),
        trades: counters.trades,
        fees: toHomeText(counters.fees),
        slippage: toHomeText(counters.slippage),
      };
    }),
    hold_return_bp: computeBp(first, last),
    line: line.all(),
    gaps: gaps
      .all()
      .map(({ atMs, gap, needed }) => [atMs, toHundredths(gap), toHundredths(needed)]),
    seen: count.seen,
    wide: count.wide,
  };
}

const toHundredths = (value: number) => formatDecimal(BigInt(value), 2, true);

/** A change in basis points, in hundredths of one; a loss is never shown smaller than it was. */
function computeBp(from: bigint, to: bigint): string {
  const scaledChange = (to - from) * 1_000_000n;
  const quotient = scaledChange / from;
  return formatDecimal(
    scaledChange < 0n && scaledChange % from !== 0n ? quotient - 1n : quotient,
    2,
    true,
  );
}

/** Keeps one value for each stretch of a span; `choose` picks between two in the same stretch. */
class Stretches<Value> {
  readonly #span: { fromMs: number; toMs: number };
  readonly #choose: (last: Value, next: Value) => Value;
  readonly #values: Value[] = [];
  #last = -1;

  constructor(span: { fromMs: number; toMs: number }, choose: (last: Value, next: Value) => Value) {
    this.#span = span;
    this.#choose = choose;
  }

  add(atMs: number, value: Value): void {
    const { fromMs, toMs } = this.#span;
    const stretch = Math.floor(((atMs - fromMs) * pointsMax) / (toMs - fromMs + 1));
    const last = this.#values.at(-1);
    if (stretch === this.#last && last !== undefined)
      this.#values[this.#values.length - 1] = this.#choose(last, value);
    else this.#values.push(value);
    this.#last = stretch;
  }

  all(): Value[] {
    return this.#values;
  }
}
