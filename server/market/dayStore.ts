import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** A day of the simulated path; the first of a run may begin part-way through a calendar day. */
export interface StoredDay {
  startMs: number;
  endMs: number;
  seed: Uint8Array;
  startState: Uint8Array | null;
  /** The simulator's state just before `atMs`. */
  state: { bytes: Uint8Array; atMs: number } | null;
  revealLeaf: number | null;
}

/**
 * The latest days, newest first, starting with the one running or committed to; enough to include
 * every day not yet revealed.
 */
export async function readDays(db: Db | Tx): Promise<StoredDay[]> {
  const { rows } = await sql<DayRow>`
    select start_ms, end_ms, seed, start_state, state, state_ms, reveal_leaf from market_day
    where reveal_leaf is null or start_ms >= (select max(start_ms) from market_day where reveal_leaf is not null)
    order by start_ms desc`.execute(db);
  return rows.map((row) => ({
    startMs: Number(row.start_ms),
    endMs: Number(row.end_ms),
    seed: row.seed,
    startState: row.start_state,
    state: row.state ? { bytes: row.state, atMs: Number(row.state_ms) } : null,
    revealLeaf: row.reveal_leaf === null ? null : Number(row.reveal_leaf),
  }));
}

/** Records a day that `commitLeaf` commits to; `startState` is null until the day begins. */
export async function insertDay(
  tx: Tx,
  day: Pick<StoredDay, "startMs" | "endMs" | "seed" | "startState">,
  commitLeaf: number,
): Promise<void> {
  await sql`insert into market_day (start_ms, end_ms, seed, start_state, commit_leaf)
    values (${day.startMs}, ${day.endMs}, ${day.seed}, ${day.startState}, ${commitLeaf})`.execute(
    tx,
  );
}

export async function saveStartState(tx: Tx, startMs: number, state: Uint8Array): Promise<void> {
  await sql`update market_day set start_state = ${state} where start_ms = ${startMs}`.execute(tx);
}

export async function saveState(
  tx: Tx,
  startMs: number,
  state: Uint8Array,
  atMs: number,
): Promise<void> {
  await sql`update market_day set state = ${state}, state_ms = ${atMs}
    where start_ms = ${startMs}`.execute(tx);
}

export async function saveReveal(tx: Tx, startMs: number, leaf: number): Promise<void> {
  await sql`update market_day set reveal_leaf = ${leaf} where start_ms = ${startMs}`.execute(tx);
}

interface DayRow {
  start_ms: bigint;
  end_ms: bigint;
  seed: Buffer;
  start_state: Buffer | null;
  state: Buffer | null;
  state_ms: bigint | null;
  reveal_leaf: bigint | null;
}
