import { stepEngine } from "#core/hosting/engine.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import {
  type BooksOf,
  encodeBooks,
  encodeMark,
  hasEvents,
  type PoolMark,
} from "#core/hosting/leaves.ts";
import { type Mark, markPool, unitNav } from "#core/hosting/pool.ts";
import { encodePoolState, payOwed } from "#core/hosting/state.ts";
import type { Decision, Fill, Moment, PoolState, StepResult } from "#core/hosting/types.ts";
import { computeAssetsWorth, findSymbolBetween } from "#core/hosting/value.ts";
import { computeVenueCost, type VenueCost } from "#core/hosting/venueCost.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { dayStartMs } from "#core/money/time.ts";
import type { LeafKind } from "#core/transparency-log/leaf.ts";
import { getHeldAsset } from "#server/hosting/pools.ts";
import type { RunningPool, RunState } from "#server/hosting/types.ts";
import type { TakerFee } from "#server/market/source.ts";

/** Hundredths of a basis point in one (100 %). */
const million = 1_000_000n;

export interface DecisionRow {
  poolId: string;
  decision: Decision;
  leaf: number;
}
export interface FillRow {
  poolId: string;
  fill: Fill;
  leaf: number;
  /** The cost at the venue itself; null outside live worlds. */
  atVenue: { cost: VenueCost; source: string } | null;
}
export interface MarkRow extends PoolMark {
  atMs: number;
  leaf: number;
  secondLeaf: number;
  hold: bigint;
  frictionless: bigint;
  harsh: bigint;
  drawdown: number;
}
export interface DayRow {
  poolId: string;
  dayMs: number;
  open: bigint;
  close: bigint;
}

/** The totals of executing a mark's orders. */
export type Flows = Pick<
  PoolMark,
  "subscribed" | "given" | "redeemed" | "paid" | "kept" | "orders"
>;
export const noFlows: Flows = {
  subscribed: 0n,
  given: 0n,
  redeemed: 0n,
  paid: 0n,
  kept: 0n,
  orders: 0,
};

/** A real venue's fee; null in markets that have none. */
type TakerFeeOf = (venue: string, symbol: MarketSymbol) => TakerFee | null;

/**
 * The results that the engine derives from closed seconds, before any of them is written: the next
 * state of pools, leaves in order, rows. Takes effect only once the transaction that writes it has
 * committed.
 */
export class MarkBatch {
  readonly pools: RunningPool[];
  readonly leaves: { kind: LeafKind; bytes: Uint8Array }[] = [];
  readonly decisions: DecisionRow[] = [];
  readonly fills: FillRow[] = [];
  readonly marks: MarkRow[] = [];
  readonly days = new Map<string, DayRow>();
  /** The result that each pool's strategy derived from the last moment. */
  readonly observed = new Map<string, { moment: Moment; leaf: number; result: StepResult }>();
  readonly world: string;
  readonly #firstLeaf: number;

  /** `firstLeaf`: the index of the first leaf this batch will append. */
  constructor(pools: readonly RunningPool[], world: string, firstLeaf: number) {
    this.pools = [...pools];
    this.world = world;
    this.#firstLeaf = firstLeaf;
  }

  get nextLeaf(): number {
    return this.#firstLeaf + this.leaves.length;
  }

  /** Adds a leaf; returns its index. */
  append(kind: LeafKind, bytes: Uint8Array): number {
    this.leaves.push({ kind, bytes });
    return this.nextLeaf - 1;
  }

  /** Steps every pool and its shadows by one moment. */
  step(moment: Moment, secondLeaf: number, takerFee: TakerFeeOf = () => null): void {
    for (const [index, pool] of this.pools.entries()) {
      const runs = {} as Record<Friction, RunState>;
      for (const friction of frictionNames) {
        const run = pool.runs[friction];
        const result = stepEngine(pool.config, friction, run.state, moment);
        runs[friction] = { ...run, state: payOwedFromCash(result.state) };
        if (friction !== "realistic") continue;
        this.#note({ poolId: pool.id, atMs: moment.atMs, secondLeaf, result }, takerFee);
        this.observed.set(pool.id, { moment, leaf: secondLeaf, result });
      }
      this.pools[index] = { ...pool, runs, startedAtMs: pool.startedAtMs ?? moment.atMs };
    }
  }

  #note(books: BooksOf, takerFee: TakerFeeOf): void {
    const { poolId, result } = books;
    if (!hasEvents(result)) return;
    const leaf = this.append("books", encodeBooks(this.world, books));
    if (result.decision) this.decisions.push({ poolId, decision: result.decision, leaf });
    for (const fill of result.fills) {
      const feeCharged = takerFee(fill.order.venue, fill.order.symbol);
      const cost = feeCharged && computeVenueCost(fill, feeCharged.fee);
      const atVenue = cost && feeCharged ? { cost, source: feeCharged.source } : null;
      this.fills.push({ poolId, fill, leaf, atVenue });
    }
  }

  /**
   * Marks every pool that has an index at this minute. `execute` settles a pool's orders at its
   * mark and receives the index of the mark's leaf.
   */
  async mark(
    moment: Moment,
    secondLeaf: number,
    execute: (pool: RunningPool, mark: Mark, leaf: number) => Promise<Flows>,
  ): Promise<void> {
    const leaf = this.nextLeaf;
    const rows: MarkRow[] = [];
    for (const [index, pool] of this.pools.entries()) {
      const mark = toMark(pool, "realistic", moment);
      const hold = getHold(pool, moment);
      if (!mark || hold === null) {
        this.pools[index] = { ...pool, gapAtMs: moment.atMs };
        continue;
      }
      const flows = await execute(pool, mark, leaf);
      const row = this.#rowOf(pool, { moment, secondLeaf, leaf, mark: mark, hold, flows });
      rows.push(row);
      this.pools[index] = this.#after(pool, row, hold);
    }
    if (rows.length === 0) return;
    this.marks.push(...rows);
    this.append("mark", encodeMark(this.world, { atMs: moment.atMs, secondLeaf, pools: rows }));
  }

  #rowOf(
    pool: RunningPool,
    position: {
      moment: Moment;
      secondLeaf: number;
      leaf: number;
      mark: Mark;
      hold: { now: bigint; start: bigint };
      flows: Flows;
    },
  ): MarkRow {
    const { moment, mark, hold } = position;
    const { state } = pool.runs.realistic;
    const shadow = (friction: Friction) => toMark(pool, friction, moment)?.nav ?? 0n;
    const { peak } = updatePeak(pool.runs.realistic, mark.nav);
    return {
      poolId: pool.id,
      atMs: moment.atMs,
      leaf: position.leaf,
      secondLeaf: position.secondLeaf,
      nav: mark.nav,
      entryNav: mark.entryNav,
      units: mark.units,
      assets: mark.assets,
      owed: mark.owed,
      state,
      changed: encodePoolState(state) !== pool.markedText,
      hold: (hold.now * unitNav) / hold.start,
      frictionless: shadow("frictionless"),
      harsh: shadow("harsh"),
      drawdown: Number(computeDrawdown(peak, mark.nav)),
      ...position.flows,
    };
  }

  #after(pool: RunningPool, row: MarkRow, hold: { start: bigint }): RunningPool {
    const day = dayStartMs(row.atMs);
    const open = pool.day?.dayMs === day ? pool.day.open : (pool.nav ?? unitNav);
    this.days.set(`${pool.id} ${day}`, { poolId: pool.id, dayMs: day, open, close: row.nav });
    const { realistic, frictionless, harsh } = pool.runs;
    const { free, owed } = realistic.state;
    const state = payOwedFromCash({
      ...realistic.state,
      free: free + row.subscribed,
      owed: owed + row.paid,
    });
    return {
      ...pool,
      runs: {
        realistic: { ...realistic, state, ...updatePeak(realistic, row.nav) },
        frictionless: { ...frictionless, ...updatePeak(frictionless, row.frictionless) },
        harsh: { ...harsh, ...updatePeak(harsh, row.harsh) },
      },
      units: row.units + row.given - row.redeemed,
      holdStart: pool.holdStart ?? hold.start,
      nav: row.nav,
      entryNav: row.entryNav,
      markAtMs: row.atMs,
      markLeaf: row.leaf,
      gapAtMs: null,
      markedText: encodePoolState(state),
      day: { dayMs: day, open },
    };
  }
}

/**
 * Pays the debt as soon as there is cash for it: people got their money at the mark, so this repays
 * the house's advance.
 */
export function payOwedFromCash(state: PoolState): PoolState {
  const amount = state.owed < state.free ? state.owed : state.free;
  return amount > 0n ? payOwed(state, amount) : state;
}

/**
 * The mark of a pool or one of its shadows, which holds the house's units only. Null without an
 * index.
 */
function toMark(pool: RunningPool, friction: Friction, moment: Moment): Mark | null {
  const { state } = pool.runs[friction];
  const poolMark = markPool(pool.config.home, {
    worth: computeAssetsWorth(pool.config, state, moment),
    owed: state.owed,
    units: friction === "realistic" ? pool.units : pool.houseUnits,
  });
  return poolMark.ok ? poolMark.mark : null;
}

/** The benchmark asset's index now and at the first mark; null when it has none. */
function getHold(pool: RunningPool, moment: Moment): { now: bigint; start: bigint } | null {
  const symbol = findSymbolBetween(getHeldAsset(pool.config), pool.config.home);
  const now = symbol && moment.index(symbol);
  return now ? { now, start: pool.holdStart ?? now } : null;
}

/**
 * Fall from a peak in hundredths of a basis point, rounded up: a loss is never shown smaller than
 * it was.
 */
export function computeDrawdown(peak: bigint, nav: bigint): bigint {
  return nav >= peak ? 0n : ((peak - nav) * million + peak - 1n) / peak;
}

function updatePeak({ peak, worst }: RunState, nav: bigint): Pick<RunState, "peak" | "worst"> {
  if (nav >= peak) return { peak: nav, worst };
  return { peak, worst: Math.max(worst, Number(computeDrawdown(peak, nav))) };
}
