import { sql } from "kysely";
import type { PoolMarkBody } from "#core/hosting/bodies.ts";
import { decodeHostingLeaf, stateHash } from "#core/hosting/leaves.ts";
import { unitNav } from "#core/hosting/pool.ts";
import { decodePoolState } from "#core/hosting/state.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { computeDrawdown, payOwedFromCash } from "#server/hosting/run/markBatch.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

interface MarkRow {
  pool_id: string;
  at_ms: bigint;
  leaf: bigint;
  second_leaf: bigint;
  nav: bigint;
  units: bigint;
  assets: bigint;
  owed: bigint;
  hold: bigint;
  frictionless: bigint;
  harsh: bigint;
  drawdown: number;
  subscribed: bigint;
  given: bigint;
  redeemed: bigint;
  paid: bigint;
  kept: bigint;
}

interface MarkLeaf {
  at_ms: number;
  second_leaf: number;
  pools: PoolMarkBody[];
}

const amounts = [
  "nav",
  "units",
  "assets",
  "owed",
  "subscribed",
  "given",
  "redeemed",
  "paid",
  "kept",
] as const;
const rowsMax = 5_000;

/** The highest NAV of each of a pool's runs so far, and its worst drawdown. */
interface Extremes {
  peak: bigint;
  worst: bigint;
}

/** Compares the rows of marks with their leaves, and a pool's current state with the last. */
export async function compareMarks(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const tag = worldTag(world);
  const last = new Map<string, { leaf: bigint; mark: PoolMarkBody }>();
  const states = new Map<string, string>();
  const extremes = new Map<string, Extremes>();
  for (let after = -1; ; ) {
    const { rows: leaves } = await sql<{ leaf: bigint; bytes: Buffer }>`
      select leaf, bytes from log_leaf where kind = 7 and leaf > ${after}
      order by leaf limit ${rowsMax}`.execute(tx);
    if (leaves.length === 0) break;
    const to = Number(leaves.at(-1)!.leaf);
    const { rows } = await sql<MarkRow>`
      select * from hosting_mark where leaf > ${after} and leaf <= ${to} order by leaf, pool_id`.execute(
      tx,
    );
    const rowsOf = Map.groupBy(rows, ({ leaf }) => leaf);
    for (const { leaf, bytes } of leaves) {
      const entries = new Uint8Array(bytes);
      if (decodeOrders(entries, tag).ok) continue;
      const hostingLeaf = decodeHostingLeaf(entries, "mark", tag);
      const body = hostingLeaf.ok ? (hostingLeaf.value as unknown as MarkLeaf) : null;
      const rowsByPool = new Map((rowsOf.get(leaf) ?? []).map((row) => [row.pool_id, row]));
      if (body?.pools.length !== rowsByPool.size)
        report("hosting.mark", `leaf ${leaf} and its rows are of other pools`);
      for (const mark of body?.pools ?? []) {
        const row = rowsByPool.get(mark.pool_id);
        if (!row || !matchesMark(row, body!, mark))
          report("hosting.mark", `${mark.pool_id} at leaf ${leaf} is not what the leaf says`);
        if (row) follow(extremes, row, report);
        if (mark.state !== null) states.set(mark.pool_id, JSON.stringify(mark.state));
        else if (last.has(mark.pool_id)) {
          // Unchanged since the previous mark.
          const stateAfter = stateAfterMark(
            last.get(mark.pool_id)!.mark,
            states.get(mark.pool_id)!,
          );
          states.set(mark.pool_id, stateAfter);
        }
        last.set(mark.pool_id, { leaf, mark });
      }
    }
    after = to;
  }
  const { rows: leavesBeyond } = await sql<{ leaf: bigint }>`
    select m.leaf from hosting_mark m
    where not exists (select from log_leaf l where l.leaf = m.leaf and l.kind = 7)`.execute(tx);
  for (const { leaf } of leavesBeyond) report("hosting.mark", `leaf ${leaf} is no mark`);
  await compareEntries(tx, report, last);
  await compareStates(tx, report, { last, states, extremes });
}

function matchesMark(row: MarkRow, leaf: MarkLeaf, mark: PoolMarkBody): boolean {
  return (
    Number(row.at_ms) === leaf.at_ms &&
    Number(row.second_leaf) === leaf.second_leaf &&
    amounts.every((name) => row[name].toString() === mark[name])
  );
}

/** Updates peaks and drawdowns of the pool and its shadows, in the order of the marks. */
function follow(extremes: Map<string, Extremes>, row: MarkRow, report: ReportFinding): void {
  for (const [friction, nav] of [
    ["realistic", row.nav],
    ["frictionless", row.frictionless],
    ["harsh", row.harsh],
  ] as const) {
    const key = `${row.pool_id} ${friction}`;
    const before = extremes.get(key) ?? { peak: unitNav, worst: 0n };
    const peak = nav > before.peak ? nav : before.peak;
    const fall = computeDrawdown(peak, nav);
    extremes.set(key, { peak, worst: fall > before.worst ? fall : before.worst });
    if (friction === "realistic" && BigInt(row.drawdown) !== fall)
      report("hosting.mark", `${row.pool_id} at ${row.at_ms} has another fall from its peak`);
  }
}

/** The state after a mark and its orders. */
function stateAfterMark(mark: PoolMarkBody, state: string): string {
  const { free, owed, ...rest } = decodePoolState(state);
  const after = { ...rest, free: free + BigInt(mark.subscribed), owed: owed + BigInt(mark.paid) };
  return JSON.stringify(payOwedFromCash(after), (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

async function compareEntries(
  tx: Tx,
  report: ReportFinding,
  last: ReadonlyMap<string, { mark: PoolMarkBody }>,
): Promise<void> {
  const { rows } = await sql<{ id: string; entry_nav: bigint | null }>`
    select id, entry_nav from hosting_pool`.execute(tx);
  for (const { id, entry_nav: entryNav } of rows) {
    const mark = last.get(id)?.mark;
    if (mark && entryNav !== BigInt(mark.entry_nav))
      report("hosting.pool", `${id} has another price than its last mark`);
  }
}

/**
 * Compares the state that each run continues from: peak and worst drawdown follow from the marks;
 * the state is that of the last mark's leaf, unless it has changed since, which the next leaf will
 * show.
 */
async function compareStates(
  tx: Tx,
  report: ReportFinding,
  known: {
    last: Map<string, { leaf: bigint; mark: PoolMarkBody }>;
    states: Map<string, string>;
    extremes: Map<string, Extremes>;
  },
): Promise<void> {
  const { rows } = await sql<{
    pool_id: string;
    friction: string;
    state: string;
    peak: bigint;
    worst: number;
  }>`select pool_id, friction, state, peak, worst from hosting_state`.execute(tx);
  const books = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf where kind = 5
      and leaf > (select coalesce(min(mark_leaf), 0) from hosting_pool) order by leaf`.execute(tx);
  const tradedAt = new Map(books.rows.map(({ leaf, bytes }) => [readPoolId(bytes), leaf]));
  for (const { pool_id: pool, friction, state, peak, worst } of rows) {
    const extreme = known.extremes.get(`${pool} ${friction}`) ?? { peak: unitNav, worst: 0n };
    if (peak !== extreme.peak || BigInt(worst) !== extreme.worst)
      report("hosting.state", `${pool}, ${friction}: other extremes than its marks give`);
    const lastMark = known.last.get(pool);
    if (friction !== "realistic" || !lastMark || (tradedAt.get(pool) ?? -1n) > lastMark.leaf)
      continue;
    const expectedState = stateAfterMark(lastMark.mark, known.states.get(pool)!);
    if (computeHash(state) !== computeHash(expectedState))
      report("hosting.state", `${pool} continues from another state than its last mark left`);
  }
  const missingPools = await sql<{ id: string }>`
    select id from hosting_pool p
    where 3 <> (select count(*) from hosting_state s where s.pool_id = p.id)`.execute(tx);
  for (const { id } of missingPools.rows) report("hosting.state", `${id} lacks a state`);
}

/** The hash of a state, independent of its JSON formatting; its text if it cannot be parsed. */
function computeHash(text: string): string {
  try {
    return stateHash(decodePoolState(text));
  } catch {
    return text;
  }
}

function readPoolId(bytes: Buffer): string {
  const hostingLeaf = decodeHostingLeaf(new Uint8Array(bytes), "books", null);
  const pool = hostingLeaf.ok ? hostingLeaf.value.pool_id : null;
  return typeof pool === "string" ? pool : "";
}
