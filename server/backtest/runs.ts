import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import type { HistoryResult, HistorySource, HistoryTest } from "#api/backtest.ts";
import { historyLimits } from "#core/backtest/limits.ts";
import { nameOf } from "#core/hosting/catalogue.ts";
import { marginBp as publishedMarginBp } from "#core/hosting/strategy/parameters.ts";
import { poolsFor } from "#server/backtest/pools.ts";
import { endSilent, type RunRow, readRows, viewOf } from "#server/backtest/runStore.ts";
import { type Ended, startThread, type Thread } from "#server/backtest/thread.ts";
import type { FileToRead, KeptTrades, Progressed } from "#server/backtest/types.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";

interface RunWish {
  source: "world" | "files";
  pool: string;
  fromMs: number;
  toMs: number;
  marginBp: number;
}

export interface Runs {
  start(userId: string, wish: RunWish): Promise<HistoryTest>;
  cancel(userId: string, id: string): Promise<HistoryTest>;
  /** The latest without `id`; `test` null when there is none at all. */
  find(
    userId: string,
    id?: string,
  ): Promise<{ test: HistoryTest | null; result: HistoryResult | null }>;
  list(userId: string): Promise<(HistoryTest & { return_bp: number | null })[]>;
  /** Refuses `history.run_unknown`, `history.not_over`. */
  over(
    userId: string,
    id: string,
  ): Promise<{ test: HistoryTest; result: HistoryResult; trades: KeptTrades }>;
  /** Removes every test of a person; one that runs ends within a second. */
  erase(userId: string): Promise<void>;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface RunSources {
  source(userId: string, which: "world" | "files"): Promise<HistorySource | null>;
  toRead(userId: string, which: "world" | "files"): Promise<FileToRead[]>;
}

/** Tests that wait or run at once, all people together; a process runs one after the other. */
const activeMax = 4;
const beatMs = 400;
const listed = 20;
/** What digests of settings are for. */
const tryUse = "history_try.setting";
const triesKeptMs = 30 * 24 * 3_600_000;

/** Tests on history: one at a time for each person, in a thread, told about by their row. */
export function createRuns(parts: Parts, sources: RunSources): Runs {
  const { database, realClock, log } = parts;
  const { db } = database;
  const active = new Map<string, () => void>();
  let queue: Promise<unknown> = Promise.resolve();
  let closing = false;

  const execute = async (
    userId: string,
    id: string,
    files: FileToRead[],
    setting: RunRow["setting"],
  ) => {
    let thread: Thread | null = null;
    let cancelled = false;
    let at: Pick<Progressed, "stage" | "percent"> | null = null;
    const cancel = () => {
      cancelled = true;
      thread?.cancel();
    };
    active.set(id, cancel);
    const beat = setInterval(() => {
      void say(parts, id, at).then((goesOn) => goesOn || cancel(), cancel);
    }, beatMs);
    const turn = queue.then(async (): Promise<Ended> => {
      if (cancelled) return { kind: "cancelled" };
      at = { stage: "reading", percent: 0 };
      thread = startThread({ kind: "run", files, ...setting }, (said) => {
        at = said;
      });
      return thread.ended;
    });
    queue = turn;
    const ended = await turn;
    clearInterval(beat);
    active.delete(id);
    await finish(parts, { userId, id, setting }, closing ? { kind: "stopped" } : ended);
  };

  const find = async (userId: string, id?: string) => {
    await endSilent(parts);
    const row = (await readRows(parts, userId, id === undefined ? null : id, 1))[0];
    if (!row && id !== undefined) throw new Refusal("history.run_unknown");
    return row;
  };
  return {
    start: async (userId, wish) => {
      const { config, files } = await choose(sources, userId, wish);
      const setting = { config, fromMs: wish.fromMs, toMs: wish.toMs };
      const id = randomUUID();
      await endSilent(parts);
      await insertRun(parts, userId, id, wish, setting);
      void execute(userId, id, files, setting).catch((error: unknown) =>
        log.error({ err: error }, "a test on history could not be kept"),
      );
      return viewOf((await find(userId, id))!);
    },
    cancel: async (userId, id) => {
      await find(userId, id);
      await sql`update history_run set status = 'cancelled'
        where id = ${id} and user_id = ${userId} and status in ('waiting', 'running')`.execute(db);
      active.get(id)?.();
      return viewOf((await find(userId, id))!);
    },
    find: async (userId, id) => {
      const row = await find(userId, id);
      if (!row) return { test: null, result: null };
      return { test: viewOf(row), result: row.result === null ? null : JSON.parse(row.result) };
    },
    list: async (userId) => {
      await endSilent(parts);
      const rows = await readRows(parts, userId, null, listed);
      return rows.map((row) => ({
        ...viewOf(row),
        return_bp: row.return_bp === null ? null : Number(row.return_bp),
      }));
    },
    over: async (userId, id) => {
      const row = (await find(userId, id))!;
      if (row.result === null || row.trades === null) throw new Refusal("history.not_over");
      return {
        test: viewOf(row),
        result: JSON.parse(row.result),
        trades: JSON.parse(gunzipSync(row.trades).toString("utf8")),
      };
    },
    erase: async (userId) => {
      const { rows } = await sql<{ id: string }>`
        delete from history_run where user_id = ${userId} returning id`.execute(db);
      for (const { id } of rows) active.get(id)?.();
      await sql`delete from history_try where user_id = ${userId}`.execute(db);
    },
    sweep: async () => {
      const nowMs = realClock.nowMs();
      await endSilent(parts);
      await sql`delete from history_run where asked_real_ms <= ${nowMs - historyLimits.results_kept_ms}`.execute(
        db,
      );
      await sql`delete from history_try where made_real_ms <= ${nowMs - triesKeptMs}`.execute(db);
    },
    close: async () => {
      closing = true;
      for (const cancel of active.values()) cancel();
      while (active.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await queue;
    },
  };
}

/** The pool and the files of a wish; refuses what is not offered. */
async function choose(sources: RunSources, userId: string, wish: RunWish) {
  const source = await sources.source(userId, wish.source);
  if (!source) throw new Refusal("history.no_files");
  const found = poolsFor(source.files).find(({ view }) => view.pool === wish.pool);
  if (!found) throw new Refusal("history.pool_unknown");
  const { fromMs, toMs } = wish;
  const { from_ms: firstMs, to_ms: lastMs } = found.view;
  const isInside = fromMs >= firstMs && toMs <= lastMs && fromMs < toMs;
  const isShort = toMs - fromMs <= historyLimits.period_days * 86_400_000;
  if (!isInside || !isShort || fromMs % 60_000 !== 0 || toMs % 60_000 !== 0) {
    throw new Refusal("history.period_wrong", { days: historyLimits.period_days });
  }
  const { config } = found;
  const files = await sources.toRead(userId, wish.source);
  return {
    config:
      BigInt(wish.marginBp) === publishedMarginBp ? config : { ...config, marginBp: wish.marginBp },
    // The index of a symbol is made of all venues that quote it.
    files: files.filter(({ symbol }) => config.symbols.includes(symbol)),
  };
}

async function insertRun(
  { database, realClock, sealing }: Parts,
  userId: string,
  id: string,
  wish: RunWish,
  setting: RunRow["setting"],
): Promise<void> {
  const nowMs = realClock.nowMs();
  const sealed = await sealing.seal(userId, JSON.stringify({ pool: wish.pool, setting }));
  await database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "history.queue")}::bigint)`.execute(
      tx,
    );
    const { rows } = await sql<{ user_id: string }>`select user_id from history_run
      where status in ('waiting', 'running')`.execute(tx);
    if (rows.some((row) => row.user_id === userId)) throw new Refusal("history.busy");
    if (rows.length >= activeMax)
      throw new Refusal("history.queue_full", { retry_after_seconds: 10 });
    await sql`insert into history_run
      (id, user_id, source, what_sealed, margin_bp, status, stage, asked_real_ms, beat_real_ms)
      values (${id}, ${userId}, ${wish.source}, ${sealed},
        ${wish.marginBp}, 'waiting', 'waiting', ${nowMs}, ${nowMs})`.execute(tx);
  });
}

/** Writes how far a run is; false when it was ended meanwhile. */
async function say(
  { database, realClock }: Parts,
  id: string,
  at: Pick<Progressed, "stage" | "percent"> | null,
): Promise<boolean> {
  const { rows } = await sql`update history_run
    set beat_real_ms = ${realClock.nowMs()}, status = ${at ? "running" : "waiting"},
      stage = ${at?.stage ?? "waiting"}, percent = ${at?.percent ?? 0}
    where id = ${id} and status in ('waiting', 'running') returning 1`.execute(database.db);
  return rows.length > 0;
}

async function finish(
  { database: { db }, realClock, sealing }: Parts,
  { userId, id, setting }: { userId: string; id: string; setting: RunRow["setting"] },
  ended: Ended | { kind: "stopped" },
): Promise<void> {
  if (ended.kind === "ran") {
    const { config, fromMs, toMs } = setting;
    const tried = await sealing.blind(tryUse, [userId, nameOf(config), fromMs, toMs].join(" "));
    const result = await sealing.seal(userId, ended.result);
    const trades = await sealing.seal(userId, Buffer.from(ended.trades));
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql`update history_run
        set status = 'over', percent = 100, result_sealed = ${result}, trades_sealed = ${trades},
          data_hash = ${ended.dataHash}, return_bp = ${ended.returnBp}
        where id = ${id} and status in ('waiting', 'running') returning 1`.execute(tx);
      if (rows.length === 0) return;
      await sql`insert into history_try (user_id, data_hash, setting, return_bp, made_real_ms)
        values (${userId}, ${ended.dataHash}, ${tried.toString("hex")}, ${ended.returnBp}, ${realClock.nowMs()})
        on conflict (user_id, data_hash, setting) do nothing`.execute(tx);
    });
    return;
  }
  const status = ended.kind === "cancelled" ? "cancelled" : "failed";
  const known = ["no_data", "too_long", "stopped"].includes(ended.kind) ? ended.kind : "failed";
  await sql`update history_run set status = ${status}, reason = ${status === "failed" ? known : null}
    where id = ${id} and status in ('waiting', 'running')`.execute(db);
}
