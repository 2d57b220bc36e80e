import { sql } from "kysely";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { parseSource, type SeedSource, toSourceJson } from "#core/transparency-log/seedLeaf.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** A day of the simulated path; one may begin part-way through a calendar day. */
export interface StoredDay {
  startMs: number;
  endMs: number;
  /** The source mixed into its seed. */
  source: SeedSource;
  startState: Uint8Array;
  /** The simulator's state just before `atMs`. */
  state: { bytes: Uint8Array; atMs: number } | null;
  revealLeaf: number | null;
}

/** The latest days, oldest first: every one not yet revealed, and the one before. */
export async function readDays(db: Db | Tx): Promise<StoredDay[]> {
  const { rows } = await sql<DayRow>`
    select start_ms, end_ms, seed_source, start_state, state, state_ms, reveal_leaf from market_day
    where reveal_leaf is null or start_ms >= (select max(start_ms) from market_day where reveal_leaf is not null)
    order by start_ms`.execute(db);
  return rows.map((row) => ({
    startMs: Number(row.start_ms),
    endMs: Number(row.end_ms),
    source: parseSource(JSON.parse(row.seed_source)),
    startState: row.start_state,
    state: row.state ? { bytes: row.state, atMs: Number(row.state_ms) } : null,
    revealLeaf: row.reveal_leaf === null ? null : Number(row.reveal_leaf),
  }));
}

/** Reads the source mixed into the seed of the day that begins at a second; null if none does. */
export async function readDaySource(db: Db | Tx, startMs: number): Promise<SeedSource | null> {
  const { rows } = await sql<{ seed_source: string }>`
    select seed_source from market_day where start_ms = ${startMs}`.execute(db);
  return rows[0] ? parseSource(JSON.parse(rows[0].seed_source)) : null;
}

/** The leaves that begin and reveal the world's first day; null where it has no seeds. */
export async function readFirstDayLeaves(
  db: Db | Tx,
): Promise<{ begin: number; reveal: number | null } | null> {
  const { rows } = await sql<{ begin_leaf: bigint; reveal_leaf: bigint | null }>`
    select begin_leaf, reveal_leaf from market_day order by start_ms limit 1`.execute(db);
  const [day] = rows;
  if (!day) return null;
  const { begin_leaf: begin, reveal_leaf: reveal } = day;
  return { begin: Number(begin), reveal: reveal === null ? null : Number(reveal) };
}

/** Records a day that `beginLeaf` begins. */
export async function insertDay(
  tx: Tx,
  { startMs, endMs, source, startState }: Omit<StoredDay, "state" | "revealLeaf">,
  beginLeaf: number,
): Promise<void> {
  const text = Buffer.from(canonicalBytes(toSourceJson(source))).toString();
  await sql`insert into market_day (start_ms, end_ms, seed_source, start_state, begin_leaf)
    values (${startMs}, ${endMs}, ${text}, ${startState}, ${beginLeaf})`.execute(tx);
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

/** The leaf that began the seed of a second; null if it had none. */
export async function readSeedLeaf(db: Db | Tx, secondMs: number): Promise<number | null> {
  const { rows } = await sql<{ begin_leaf: bigint }>`
    select begin_leaf from market_day where start_ms <= ${secondMs} and end_ms > ${secondMs}`.execute(
    db,
  );
  return rows[0] ? Number(rows[0].begin_leaf) : null;
}

interface DayRow {
  start_ms: bigint;
  end_ms: bigint;
  seed_source: string;
  start_state: Buffer;
  state: Buffer | null;
  state_ms: bigint | null;
  reveal_leaf: bigint | null;
}
