import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import type { Backtest, BacktestResult, BacktestSource } from "#api/backtest.ts";
import { activeBacktestsMax, backtestLimits } from "#core/backtest/limits.ts";
import { formatPoolName } from "#core/hosting/catalogue.ts";
import { marginBp as publishedMarginBp } from "#core/hosting/strategy/parameters.ts";
import { dayMs } from "#core/money/time.ts";
import { startHeartbeat } from "#server/backtest/heartbeat.ts";
import { listPoolsFor } from "#server/backtest/pools.ts";
import {
  type BacktestRow,
  endStaleRuns,
  readRows,
  toBacktestView,
} from "#server/backtest/runStore.ts";
import { type JobResult, jobMaxMs, startThread, type Thread } from "#server/backtest/thread.ts";
import type { JobProgress, PriceFileSource, StoredTrades } from "#server/backtest/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";

interface BacktestParams {
  source: "world" | "files";
  pool: string;
  fromMs: number;
  toMs: number;
  marginBp: number;
}

export interface BacktestRuns {
  start(userId: string, params: BacktestParams): Promise<Backtest>;
  cancel(userId: string, id: string): Promise<Backtest>;
  /** The latest run if `id` is omitted; `test` is null when there is none at all. */
  find(
    userId: string,
    id?: string,
  ): Promise<{ test: Backtest | null; result: BacktestResult | null }>;
  list(userId: string): Promise<(Backtest & { return_bp: number | null })[]>;
  /** Throws `history.run_unknown`, `history.not_over`. */
  over(
    userId: string,
    id: string,
  ): Promise<{ test: Backtest; result: BacktestResult; trades: StoredTrades }>;
  /** Removes every backtest of a person; a running one is stopped within a second. */
  erase(userId: string): Promise<void>;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface FileSources {
  source(userId: string, which: "world" | "files"): Promise<BacktestSource | null>;
  toRead(userId: string, which: "world" | "files"): Promise<PriceFileSource[]>;
}

const heartbeatMs = 400;
const listedMax = 20;
/** Purpose of the blind index of settings. */
const trialUse = "backtest_trial.setting";
const trialsRetentionMs = 30 * dayMs;

/**
 * Backtests: at most one per person at a time, each in a thread, with progress written to its row.
 */
export function createRuns(ctx: AppContext, sources: FileSources): BacktestRuns {
  const { database, realClock, logger } = ctx;
  const { db } = database;
  const activeRuns = new Map<string, () => void>();
  const slots = createSemaphore(1, activeBacktestsMax * jobMaxMs);
  let closing = false;

  const execute = async (
    userId: string,
    id: string,
    files: PriceFileSource[],
    setting: BacktestRow["setting"],
  ) => {
    let thread: Thread | null = null;
    let isCancelled = false;
    let latestProgress: Pick<JobProgress, "stage" | "percent"> | null = null;
    const cancel = () => {
      isCancelled = true;
      thread?.cancel();
    };
    activeRuns.set(id, cancel);
    const beat = startHeartbeat(
      async () => void ((await notify(ctx, id, latestProgress)) || cancel()),
      {
        everyMs: heartbeatMs,
        onError: (error) =>
          logger.error({ err: error }, "the heartbeat of a backtest was not written"),
      },
    );
    const inTurn = async (): Promise<JobResult> => {
      const release = await slots.take();
      try {
        if (isCancelled) return { kind: "cancelled" };
        latestProgress = { stage: "reading", percent: 0 };
        thread = startThread({ kind: "run", files, ...setting }, (progress) => {
          latestProgress = progress;
        });
        return await thread.ended;
      } finally {
        release();
      }
    };
    try {
      const result = await inTurn();
      await finish(ctx, { userId, id, setting }, closing ? { kind: "stopped" } : result);
    } finally {
      beat.stop();
      activeRuns.delete(id);
    }
  };

  const find = async (userId: string, id?: string) => {
    await endStaleRuns(ctx);
    const row = (await readRows(ctx, userId, id === undefined ? null : id, 1))[0];
    if (!row && id !== undefined) throw new ApiError("history.run_unknown");
    return row;
  };
  return {
    start: async (userId, params) => {
      const { config, files } = await choose(sources, userId, params);
      const setting = { config, fromMs: params.fromMs, toMs: params.toMs };
      const id = randomUUID();
      await endStaleRuns(ctx);
      await insertRun(ctx, userId, id, params, setting);
      void execute(userId, id, files, setting).catch((error: unknown) =>
        logger.error({ err: error }, "a backtest could not be completed"),
      );
      return toBacktestView((await find(userId, id))!);
    },
    cancel: async (userId, id) => {
      await find(userId, id);
      await sql`update backtest_run set status = 'cancelled'
        where id = ${id} and user_id = ${userId} and status in ('waiting', 'running')`.execute(db);
      activeRuns.get(id)?.();
      return toBacktestView((await find(userId, id))!);
    },
    find: async (userId, id) => {
      const row = await find(userId, id);
      if (!row) return { test: null, result: null };
      return {
        test: toBacktestView(row),
        result: row.result === null ? null : JSON.parse(row.result),
      };
    },
    list: async (userId) => {
      await endStaleRuns(ctx);
      const rows = await readRows(ctx, userId, null, listedMax);
      return rows.map((row) => ({
        ...toBacktestView(row),
        return_bp: row.return_bp === null ? null : Number(row.return_bp),
      }));
    },
    over: async (userId, id) => {
      const row = (await find(userId, id))!;
      if (row.result === null || row.trades === null) throw new ApiError("history.not_over");
      return {
        test: toBacktestView(row),
        result: JSON.parse(row.result),
        trades: JSON.parse(gunzipSync(row.trades).toString("utf8")),
      };
    },
    erase: async (userId) => {
      const { rows } = await sql<{ id: string }>`
        delete from backtest_run where user_id = ${userId} returning id`.execute(db);
      for (const { id } of rows) activeRuns.get(id)?.();
      await sql`delete from backtest_trial where user_id = ${userId}`.execute(db);
    },
    sweep: async () => {
      const nowMs = realClock.nowMs();
      await endStaleRuns(ctx);
      await sql`delete from backtest_run where asked_real_ms <= ${nowMs - backtestLimits.results_kept_ms}`.execute(
        db,
      );
      await sql`delete from backtest_trial where created_real_ms <= ${nowMs - trialsRetentionMs}`.execute(
        db,
      );
    },
    close: async () => {
      closing = true;
      for (const cancel of activeRuns.values()) cancel();
      while (activeRuns.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

/** Resolves a request to its pool and files; throws if either is not offered. */
async function choose(sources: FileSources, userId: string, params: BacktestParams) {
  const source = await sources.source(userId, params.source);
  if (!source) throw new ApiError("history.no_files");
  const pool = listPoolsFor(source.files).find(({ view }) => view.pool === params.pool);
  if (!pool) throw new ApiError("history.pool_unknown");
  const { fromMs, toMs } = params;
  const { from_ms: firstMs, to_ms: lastMs } = pool.view;
  const isInside = fromMs >= firstMs && toMs <= lastMs && fromMs < toMs;
  const isShort = toMs - fromMs <= backtestLimits.period_days * dayMs;
  if (!isInside || !isShort || fromMs % 60_000 !== 0 || toMs % 60_000 !== 0) {
    throw new ApiError("history.period_wrong", { days: backtestLimits.period_days });
  }
  const { config } = pool;
  const files = await sources.toRead(userId, params.source);
  return {
    config:
      BigInt(params.marginBp) === publishedMarginBp
        ? config
        : { ...config, marginBp: params.marginBp },
    // A symbol's index needs every venue that quotes it.
    files: files.filter(({ symbol }) => config.symbols.includes(symbol)),
  };
}

async function insertRun(
  { database, realClock, fieldEncryption }: AppContext,
  userId: string,
  id: string,
  params: BacktestParams,
  setting: BacktestRow["setting"],
): Promise<void> {
  const nowMs = realClock.nowMs();
  const encryptedRun = await fieldEncryption.encrypt(
    userId,
    JSON.stringify({ pool: params.pool, setting }),
  );
  await database.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "history.queue")}::bigint)`.execute(
      tx,
    );
    const { rows } = await sql<{ user_id: string }>`select user_id from backtest_run
      where status in ('waiting', 'running')`.execute(tx);
    if (rows.some((row) => row.user_id === userId)) throw new ApiError("history.busy");
    if (rows.length >= activeBacktestsMax)
      throw new ApiError("history.queue_full", { retry_after_seconds: 10 });
    await sql`insert into backtest_run
      (id, user_id, source, what_encrypted, margin_bp, status, stage, asked_real_ms, heartbeat_real_ms)
      values (${id}, ${userId}, ${params.source}, ${encryptedRun},
        ${params.marginBp}, 'waiting', 'waiting', ${nowMs}, ${nowMs})`.execute(tx);
  });
}

/** Writes a run's progress and heartbeat; false once the run has ended. */
async function notify(
  { database, realClock }: AppContext,
  id: string,
  progress: Pick<JobProgress, "stage" | "percent"> | null,
): Promise<boolean> {
  const { rows } = await sql`update backtest_run
    set heartbeat_real_ms = ${realClock.nowMs()}, status = ${progress ? "running" : "waiting"},
      stage = ${progress?.stage ?? "waiting"}, percent = ${progress?.percent ?? 0}
    where id = ${id} and status in ('waiting', 'running') returning 1`.execute(database.db);
  return rows.length > 0;
}

async function finish(
  { database: { db }, realClock, fieldEncryption }: AppContext,
  { userId, id, setting }: { userId: string; id: string; setting: BacktestRow["setting"] },
  end: JobResult | { kind: "stopped" },
): Promise<void> {
  if (end.kind === "ran") {
    const { config, fromMs, toMs } = setting;
    const trialDigest = await fieldEncryption.blindIndex(
      trialUse,
      [userId, formatPoolName(config), fromMs, toMs].join(" "),
    );
    const result = await fieldEncryption.encrypt(userId, end.result);
    const trades = await fieldEncryption.encrypt(userId, Buffer.from(end.trades));
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql`update backtest_run
        set status = 'over', percent = 100, result_encrypted = ${result}, trades_encrypted = ${trades},
          data_hash = ${end.dataHash}, return_bp = ${end.returnBp}
        where id = ${id} and status in ('waiting', 'running') returning 1`.execute(tx);
      if (rows.length === 0) return;
      await sql`insert into backtest_trial (user_id, data_hash, setting, return_bp, created_real_ms)
        values (${userId}, ${end.dataHash}, ${trialDigest.toString("hex")}, ${end.returnBp}, ${realClock.nowMs()})
        on conflict (user_id, data_hash, setting) do nothing`.execute(tx);
    });
    return;
  }
  const status = end.kind === "cancelled" ? "cancelled" : "failed";
  const endKind = ["no_data", "too_long", "stopped"].includes(end.kind) ? end.kind : "failed";
  await sql`update backtest_run set status = ${status}, reason = ${status === "failed" ? endKind : null}
    where id = ${id} and status in ('waiting', 'running')`.execute(db);
}
