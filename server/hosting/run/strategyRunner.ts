import { sql } from "kysely";
import type { Asset } from "#core/hosting/assets.ts";
import { assetNames, assets } from "#core/hosting/assets.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import { type Mark, redemptionFeeBp, unitNav } from "#core/hosting/pool.ts";
import { decodePoolState, encodePoolState } from "#core/hosting/state.ts";
import { strategyNames } from "#core/hosting/strategy/strategies.ts";
import { minuteMs } from "#core/money/time.ts";
import { encodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { splitHashes } from "#core/transparency-log/tile.ts";
import { bumpVersion, readPools } from "#server/hosting/pools.ts";
import { type Flows, MarkBatch, noFlows, payOwedFromCash } from "#server/hosting/run/markBatch.ts";
import { writeMarkBatch } from "#server/hosting/run/markBatchStore.ts";
import { createMoment } from "#server/hosting/run/moments.ts";
import { buildRunNotes } from "#server/hosting/run/runEvents.ts";
import type { HostingDeps, HouseAccounts, RunningPool, RunState } from "#server/hosting/types.ts";
import type { AfterAppend, BeforeAppend } from "#server/market/feed.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockExclusive } from "#server/platform/db/acceptLock.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { insertBindings, readHashesBySecond } from "#server/transparency-log/bindings.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /**
     * The observation of a hosting pool's strategy in the last closed second: the JSON of a `run`
     * (api/hosting/run.ts).
     */
    "hosting.run": { poolId: string; text: string };
  }
}

/** The engine's current state, and the database version it belongs to. */
interface RunnerCache {
  version: bigint;
  pools: RunningPool[];
}

/**
 * Runs every pool after the feed's append, in the transaction that closes the seconds: strategies
 * step, marks are made, orders are executed and bound, and all of it commits with the seconds or
 * not at all. State in memory is valid only while the database has the same version. `onFinished`
 * is called after orders were executed without a second closing. Two shadows run beside each pool,
 * frictionless and harsh, from the seed alone: another friction leads to other trades, so a pool's
 * own trades cannot be repriced.
 */
export function createRunner(ctx: AppContext, deps: HostingDeps, onFinished: () => void) {
  const { world, clock, bus } = ctx;
  const { ledger, transparencyLog, market } = deps;
  const { venues } = market;
  let cache: RunnerCache | null = null;
  let accounts: HouseAccounts | null = null;
  /** Owners of the orders bound by the seconds being closed. */
  let usersBound: readonly string[] = [];

  const beforeAppend: BeforeAppend = async (tx, seconds) => {
    const boundOrders = await bindOrders(tx, seconds);
    usersBound = boundOrders.flatMap(({ users }) => users);
    return readHashesBySecond(seconds, boundOrders);
  };
  const afterAppend: AfterAppend = async (tx, seconds) => {
    const snapshot = await readCurrent(tx, cache);
    if (snapshot.pools.length === 0) return () => {};
    const house = accounts ?? (await openAccounts(deps, tx));
    const markBatch = new MarkBatch(snapshot.pools, world.name, await transparencyLog.next(tx));
    const usersToNotify = new Set(usersBound);
    const isOver = seconds.some(({ secondMs }) => isPastEnd(clock.endMs, secondMs));
    for (const second of seconds) {
      if (isPastEnd(clock.endMs, second.secondMs)) continue;
      const isMinute = second.secondMs % minuteMs === 0;
      if (world.market.kind === "replay" && !isMinute) continue;
      const moment = createMoment(second, venues, ctx.world.symbols);
      markBatch.step(moment, second.leaf, (venue, symbol) =>
        second.takerFee(venues.indexOf(venue), symbol),
      );
      if (!isMinute) continue;
      const poolsWithOrders = await readPoolsWithOrders(tx, second.leaf);
      await markBatch.mark(moment, second.leaf, async (pool, mark, leaf) => {
        if (!poolsWithOrders.has(pool.id)) return noFlows;
        const position = { atMs: moment.atMs, leaf, before: second.leaf, run: second.leaf };
        const execution = await executePoolOrders(tx, ctx, house, {
          pool,
          mark,
          at: position,
          ended: false,
        });
        for (const user of execution.users) usersToNotify.add(user);
        return execution.flows;
      });
    }
    if (isOver)
      for (const user of await executeAllAtEnd(tx, ctx, house, markBatch)) usersToNotify.add(user);
    if (markBatch.leaves.length > 0) await transparencyLog.append(tx, markBatch.leaves);
    await writeMarkBatch(tx, { ledger, world: world.name, house }, snapshot.pools, markBatch);
    const version = await bumpVersion(tx);
    const notes = buildRunNotes(markBatch, venues);
    return () => {
      cache = { version, pools: markBatch.pools.map(withText) };
      accounts = house;
      ledger.notifyPosted(usersToNotify);
      for (const note of notes) bus.publish("hosting.run", note);
    };
  };

  /**
   * For redemptions after a recording's end, when no second will close any more: executes all
   * orders at the last mark.
   */
  const executeAfterEnd = async (): Promise<void> => {
    const usersToNotify = await ctx.database.db.transaction().execute(async (tx) => {
      await lockExclusive(tx, ctx.database.schema);
      const snapshot = await readCurrent(tx, null);
      if (!(await hasPendingOrders(tx))) return new Set<string>();
      const house = accounts ?? (await openAccounts(deps, tx));
      const markBatch = new MarkBatch(snapshot.pools, world.name, await transparencyLog.next(tx));
      const users = await bindAfterEnd(tx, markBatch);
      users.push(...(await executeAllAtEnd(tx, ctx, house, markBatch)));
      if (markBatch.leaves.length > 0) await transparencyLog.append(tx, markBatch.leaves);
      await writeMarkBatch(tx, { ledger, world: world.name, house }, snapshot.pools, markBatch);
      await bumpVersion(tx);
      return new Set(users);
    });
    onFinished();
    ledger.notifyPosted(usersToNotify);
  };
  return { beforeAppend, afterAppend, finishNow: executeAfterEnd };
}
export type Runner = ReturnType<typeof createRunner>;

function isPastEnd(endMs: number | null, atMs: number): boolean {
  return endMs !== null && atMs > endMs;
}

async function openAccounts({ ledger }: HostingDeps, tx: Tx): Promise<HouseAccounts> {
  const accountsByAsset = new Map<Asset, { hosting: bigint; venues: bigint }>();
  for (const asset of assetNames) {
    const { coin } = assets[asset];
    if (coin === null) continue;
    accountsByAsset.set(asset, {
      hosting: await ledger.account("house", "hosting", coin, tx),
      venues: await ledger.account("house", "venues", coin, tx),
    });
  }
  return accountsByAsset;
}

/**
 * Returns `memory` while it is current, otherwise the state read from the database. Locks the head
 * row until the transaction ends.
 */
async function readCurrent(tx: Tx, cache: RunnerCache | null): Promise<RunnerCache> {
  const { rows } = await sql<{ version: bigint }>`
    select version from hosting_head for no key update`.execute(tx);
  const { version } = rows[0]!;
  if (cache?.version === version) return cache;
  return { version, pools: await readRunning(tx) };
}

async function readRunning(tx: Tx): Promise<RunningPool[]> {
  const pools = (await readPools(tx)).filter(({ config }) =>
    strategyNames.includes(config.strategy),
  );
  const { rows: states } = await sql<{
    pool_id: string;
    friction: Friction;
    state: string;
    peak: bigint;
    worst: number;
  }>`select pool_id, friction, state, peak, worst from hosting_state`.execute(tx);
  const { rows: days } = await sql<{ pool_id: string; day_ms: bigint; nav_open: bigint }>`
    select distinct on (pool_id) pool_id, day_ms, nav_open from hosting_day order by pool_id, day_ms desc`.execute(
    tx,
  );
  return pools.map((pool) => {
    const runs = {} as Record<Friction, RunState>;
    for (const friction of frictionNames) {
      const row = states.find((state) => state.pool_id === pool.id && state.friction === friction)!;
      const { state: text, peak, worst } = row;
      runs[friction] = { state: decodePoolState(text), text, peak, worst };
    }
    const day = days.find((day) => day.pool_id === pool.id);
    return {
      ...pool,
      runs,
      // Unknown after a start: the next mark's leaf then includes the state, which is always
      // correct.
      markedText: null,
      day: day ? { dayMs: Number(day.day_ms), open: day.nav_open } : null,
    };
  });
}

function withText(pool: RunningPool): RunningPool {
  const runs = {} as Record<Friction, RunState>;
  for (const friction of frictionNames) {
    const run = pool.runs[friction];
    runs[friction] = { ...run, text: encodePoolState(run.state) };
  }
  return { ...pool, runs };
}

/** Pools with orders that were bound before a leaf and await their mark. */
async function readPoolsWithOrders(tx: Tx, beforeLeaf: number): Promise<Set<string>> {
  const { rows } = await sql<{ pool_id: string }>`
    select distinct pool_id from hosting_order where outcome is null and bound_leaf < ${beforeLeaf}`.execute(
    tx,
  );
  return new Set(rows.map((row) => row.pool_id));
}

async function hasPendingOrders(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from hosting_order where outcome is null) as any`.execute(tx);
  return rows[0]!.any;
}

interface BoundOrders {
  leaf: bigint;
  /** Concatenated, in order of acceptance. */
  hashes: Buffer;
  users: string[];
}

/** Binds waiting orders to the first of the seconds that closes at or after their acceptance. */
async function bindOrders(
  tx: Tx,
  seconds: readonly { secondMs: number; leaf: number }[],
): Promise<BoundOrders[]> {
  const { rows } = await sql<BoundOrders>`
    select leaf, string_agg(order_hash, ''::bytea order by seq) as hashes, array_agg(user_id) as users
    from bind_hosting_orders(${seconds.map(({ secondMs }) => secondMs)}::bigint[],
      ${seconds.map(({ leaf }) => leaf)}::bigint[]) group by leaf order by leaf`.execute(tx);
  return rows;
}

/**
 * After a recording's end no more seconds close, so a separate leaf binds the remaining orders;
 * returns their owners.
 */
async function bindAfterEnd(tx: Tx, markBatch: MarkBatch): Promise<string[]> {
  const position = { secondMs: Number.MAX_SAFE_INTEGER, leaf: markBatch.nextLeaf };
  const boundOrders = (await bindOrders(tx, [position])).map(({ hashes, users }) => ({
    leaf: position.leaf,
    hashes: splitHashes(hashes),
    users,
  }));
  for (const { hashes } of boundOrders)
    markBatch.append("mark", encodeOrders(markBatch.world, hashes));
  await insertBindings(tx, boundOrders);
  return boundOrders.flatMap(({ users }) => users);
}

interface Execution {
  pool: RunningPool;
  mark: Pick<Mark, "nav" | "entryNav">;
  /**
   * Time and leaf of the mark. Executes orders bound before leaf `before`; the journals' ids are
   * derived from `run`.
   */
  at: { atMs: number; leaf: number; before: number; run: number };
  ended: boolean;
}

async function executePoolOrders(
  tx: Tx,
  { world, clock }: AppContext,
  house: HouseAccounts,
  { pool, mark, at, ended }: Execution,
): Promise<{ flows: Flows; users: string[] }> {
  const { rows } = await sql<{
    subscribed: bigint;
    given: bigint;
    redeemed: bigint;
    paid: bigint;
    kept: bigint;
    users: string[];
  }>`select subscribed, given, redeemed, paid, kept, users from execute_hosting_orders(
    ${world.name}, ${pool.id}, ${at.atMs}, ${at.leaf}, ${at.before}, ${at.run}, ${mark.nav}::bigint, ${mark.entryNav}::bigint,
    ${Number(redemptionFeeBp)}, ${clock.nowMs()}, ${house.get("USDT")!.hosting}::bigint, ${ended})`.execute(
    tx,
  );
  const { users, ...sums } = rows[0]!;
  return { flows: { ...sums, orders: users.length }, users };
}

/**
 * After a recording's end there are no more marks: pending subscriptions are refunded, and
 * redemptions are paid at the last mark, the same for everyone.
 */
async function executeAllAtEnd(
  tx: Tx,
  ctx: AppContext,
  house: HouseAccounts,
  markBatch: MarkBatch,
): Promise<string[]> {
  const users: string[] = [];
  const before = markBatch.nextLeaf;
  const poolsWithOrders = await readPoolsWithOrders(tx, before);
  for (const [index, pool] of markBatch.pools.entries()) {
    if (!poolsWithOrders.has(pool.id)) continue;
    const execution = await executePoolOrders(tx, ctx, house, {
      pool,
      mark: { nav: pool.nav ?? unitNav, entryNav: pool.entryNav ?? unitNav },
      at: {
        atMs: pool.markAtMs ?? ctx.clock.nowMs(),
        leaf: pool.markLeaf ?? 0,
        before,
        run: before,
      },
      ended: true,
    });
    const { realistic } = pool.runs;
    const owed = realistic.state.owed + execution.flows.paid;
    const state = payOwedFromCash({ ...realistic.state, owed });
    markBatch.pools[index] = {
      ...pool,
      units: pool.units + execution.flows.given - execution.flows.redeemed,
      runs: { ...pool.runs, realistic: { ...realistic, state } },
    };
    users.push(...execution.users);
  }
  return users;
}
