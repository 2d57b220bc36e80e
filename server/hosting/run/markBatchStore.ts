import { sql } from "kysely";
import { getSymbolAssets } from "#core/hosting/assets.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import { encodePoolState } from "#core/hosting/state.ts";
import type { Fill } from "#core/hosting/types.ts";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import type {
  DayRow,
  DecisionRow,
  FillRow,
  MarkBatch,
  MarkRow,
} from "#server/hosting/run/markBatch.ts";
import type { HouseAccounts, RunningPool } from "#server/hosting/types.ts";
import type { Journal, Ledger, Leg } from "#server/ledger/types.ts";
import type { Tx } from "#server/platform/db/database.ts";

const tradeKind = "hosting.trade";

interface WriteDeps {
  ledger: Pick<Ledger, "postIn">;
  world: string;
  house: HouseAccounts;
}

/**
 * Writes a batch except its leaves: rows, journals and the engine's next state. One statement per
 * table.
 */
export async function writeMarkBatch(
  tx: Tx,
  deps: WriteDeps,
  before: readonly RunningPool[],
  markBatch: MarkBatch,
): Promise<void> {
  await insertTrades(tx, deps.world, markBatch.decisions);
  await insertFills(tx, deps, markBatch.fills);
  await insertMarks(tx, markBatch.marks);
  await putDays(tx, [...markBatch.days.values()]);
  await putStates(tx, before, markBatch.pools);
  await putPools(tx, before, markBatch.pools);
}

/** The id of a decision, to which its fills' journals refer. */
function getTradeId(world: string, poolId: string, number: number): string {
  return deriveJournalId("hosting.decision", world, poolId, String(number));
}

/** Rows as JSON, with bigints as strings. */
function json(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

async function insertTrades(tx: Tx, world: string, rows: readonly DecisionRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ poolId, decision, leaf }) => ({
    pool_id: poolId,
    number: decision.number,
    id: getTradeId(world, poolId, decision.number),
    purpose: decision.purpose,
    decided_at_ms: decision.atMs,
    decision_leaf: leaf,
    gap: decision.observed.gap,
    needed: decision.observed.needed,
    legs: decision.orders.length,
    orders: json([...decision.orders]),
  }));
  await sql`insert into hosting_trade (pool_id, number, id, purpose, decided_at_ms, decision_leaf, gap, needed, legs, orders)
    select pool_id, number, id, purpose, decided_at_ms, decision_leaf, gap, needed, legs, orders
    from jsonb_to_recordset(${json(values)}::jsonb) r (pool_id text, number integer, id uuid, purpose text, decided_at_ms bigint,
      decision_leaf bigint, gap integer, needed integer, legs integer, orders text)`.execute(tx);
}

async function insertFills(tx: Tx, deps: WriteDeps, rows: readonly FillRow[]): Promise<void> {
  if (rows.length === 0) return;
  const journals = rows.map((row) => ({ row, journal: toJournal(deps, row) }));
  const values = journals.map(({ row: { poolId, fill, leaf, atVenue }, journal }) => ({
    pool_id: poolId,
    number: fill.order.decision,
    leg: fill.order.leg,
    at_ms: fill.atMs,
    leaf,
    quantity: fill.quantity,
    quote: fill.quote,
    fee: fill.fee,
    ...fill.pnl,
    why: fill.why,
    journal_id: journal?.id ?? null,
    venue_taker_fee: atVenue?.cost.takerFee ?? null,
    venue_fee_source: atVenue?.source ?? null,
    venue_fees: atVenue?.cost.fees ?? null,
    venue_spread: atVenue?.cost.spread ?? null,
    venue_delay: atVenue?.cost.delay ?? null,
  }));
  await sql`insert into hosting_fill (pool_id, number, leg, at_ms, leaf, quantity, quote, fee, gross, slippage, fees, why,
      journal_id, venue_taker_fee, venue_fee_source, venue_fees, venue_spread, venue_delay)
    select pool_id, number, leg, at_ms, leaf, quantity, quote, fee, gross, slippage, fees, why,
      journal_id, venue_taker_fee, venue_fee_source, venue_fees, venue_spread, venue_delay
    from jsonb_to_recordset(${json(values)}::jsonb) r (pool_id text, number integer, leg integer, at_ms bigint, leaf bigint,
      quantity bigint, quote bigint, fee bigint, gross bigint, slippage bigint, fees bigint, why text, journal_id uuid,
      venue_taker_fee integer, venue_fee_source text, venue_fees bigint, venue_spread bigint, venue_delay bigint)`.execute(
    tx,
  );
  for (const [atMs, group] of Map.groupBy(journals, ({ row }) => row.fill.atMs)) {
    const posting = group.flatMap(({ journal }) => journal ?? []);
    const results = await deps.ledger.postIn(tx, posting, atMs);
    const failedPosting = results.find(({ outcome }) => outcome !== "posted");
    if (failedPosting) throw new Error(`a trade's journal did not post: ${failedPosting.outcome}`);
  }
}

/**
 * The journal of a fill: the amount given, the amount received, and the fee as a separate leg, each
 * against the venues. Null if nothing moved.
 */
function toJournal({ world, house }: WriteDeps, { poolId, fill }: FillRow): Journal | null {
  if (fill.quantity === 0n) return null;
  const { order } = fill;
  const id = deriveJournalId(tradeKind, world, poolId, String(order.decision), String(order.leg));
  return {
    id,
    kind: tradeKind,
    bodyHash: hashBody(world, tradeKind, {
      pool: poolId,
      number: order.decision,
      leg: order.leg,
      quantity: fill.quantity.toString(),
      quote: fill.quote.toString(),
      fee: fill.fee.toString(),
    }),
    legs: buildLegs(house, poolId, fill),
    about: getTradeId(world, poolId, order.decision),
  };
}

function buildLegs(
  house: HouseAccounts,
  poolId: string,
  { order, quantity, quote, fee }: Fill,
): Leg[] {
  const { base, quote: quoteAsset } = getSymbolAssets(order.symbol);
  const sign = order.side === "buy" ? 1n : -1n;
  const moves = [
    { of: base, amount: sign * quantity },
    { of: quoteAsset, amount: -sign * quote },
    { of: quoteAsset, amount: -fee },
  ];
  return moves.flatMap(({ of, amount }) => {
    const accounts = house.get(of);
    if (!accounts) throw new Error(`${of} has no practice coin`);
    if (amount === 0n) return [];
    return [
      { account: accounts.hosting, amount, about: poolId },
      { account: accounts.venues, amount: -amount },
    ];
  });
}

async function insertMarks(tx: Tx, rows: readonly MarkRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ state: _state, changed: _changed, orders: _orders, ...row }) => row);
  await sql`insert into hosting_mark (pool_id, at_ms, leaf, second_leaf, nav, units, assets, owed, hold, frictionless, harsh, drawdown,
      subscribed, given, redeemed, paid, kept)
    select "poolId", "atMs", leaf, "secondLeaf", nav, units, assets, owed, hold, frictionless, harsh, drawdown,
      subscribed, given, redeemed, paid, kept
    from jsonb_to_recordset(${json(values)}::jsonb) r ("poolId" text, "atMs" bigint, leaf bigint, "secondLeaf" bigint, nav bigint,
      units bigint, assets bigint, owed bigint, hold bigint, frictionless bigint, harsh bigint, drawdown integer,
      subscribed bigint, given bigint, redeemed bigint, paid bigint, kept bigint)`.execute(tx);
}

async function putDays(tx: Tx, rows: readonly DayRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into hosting_day (pool_id, day_ms, nav_open, nav_close)
    select "poolId", "dayMs", open, close
    from jsonb_to_recordset(${json(rows)}::jsonb) r ("poolId" text, "dayMs" bigint, open bigint, close bigint)
    on conflict (pool_id, day_ms) do update set nav_close = excluded.nav_close`.execute(tx);
}

async function putStates(
  tx: Tx,
  before: readonly RunningPool[],
  pools: readonly RunningPool[],
): Promise<void> {
  const changedRows: {
    pool_id: string;
    friction: Friction;
    state: string;
    peak: bigint;
    worst: number;
  }[] = [];
  for (const [index, pool] of pools.entries()) {
    for (const friction of frictionNames) {
      const run = pool.runs[friction];
      const previousRun = before[index]!.runs[friction];
      const state = run.state === previousRun.state ? previousRun.text : encodePoolState(run.state);
      if (
        state === previousRun.text &&
        run.peak === previousRun.peak &&
        run.worst === previousRun.worst
      )
        continue;
      changedRows.push({ pool_id: pool.id, friction, state, peak: run.peak, worst: run.worst });
    }
  }
  if (changedRows.length === 0) return;
  await sql`update hosting_state s set state = r.state, peak = r.peak, worst = r.worst
    from jsonb_to_recordset(${json(changedRows)}::jsonb) r (pool_id text, friction text, state text, peak bigint, worst integer)
    where s.pool_id = r.pool_id and s.friction = r.friction`.execute(tx);
}

async function putPools(
  tx: Tx,
  before: readonly RunningPool[],
  pools: readonly RunningPool[],
): Promise<void> {
  const changedPools = pools.filter((pool, index) => {
    const previousPool = before[index]!;
    return (
      pool.markAtMs !== previousPool.markAtMs ||
      pool.gapAtMs !== previousPool.gapAtMs ||
      pool.startedAtMs !== previousPool.startedAtMs
    );
  });
  if (changedPools.length === 0) return;
  const values = changedPools.map((pool) => ({
    id: pool.id,
    started: pool.startedAtMs,
    hold: pool.holdStart,
    nav: pool.nav,
    entry: pool.entryNav,
    mark: pool.markAtMs,
    leaf: pool.markLeaf,
    gap: pool.gapAtMs,
  }));
  await sql`update hosting_pool p set started_at_ms = r.started, hold_start = r.hold, nav = r.nav, entry_nav = r.entry,
      mark_at_ms = r.mark, mark_leaf = r.leaf, gap_at_ms = r.gap
    from jsonb_to_recordset(${json(values)}::jsonb) r (id text, started bigint, hold bigint, nav bigint, entry bigint, mark bigint,
      leaf bigint, gap bigint)
    where p.id = r.id`.execute(tx);
}
