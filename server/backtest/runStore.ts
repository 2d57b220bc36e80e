import { sql } from "kysely";
import type { Backtest } from "#api/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { getUnit } from "#server/backtest/run.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";

/** A run without a heartbeat for this long, in real milliseconds, ended with its process. */
const silentMs = 30_000;

/** A decrypted backtest; its settings and results are stored encrypted. */
export interface BacktestRow {
  id: string;
  source: "world" | "files";
  pool: string;
  setting: { config: PoolConfig; fromMs: number; toMs: number };
  margin_bp: number;
  status: Backtest["status"];
  stage: Backtest["stage"];
  percent: number;
  reason: Backtest["reason"];
  data_hash: string | null;
  return_bp: bigint | null;
  result: string | null;
  trades: Buffer | null;
  asked_real_ms: bigint;
  tried: bigint;
  above: bigint | null;
}

type DecryptedRun = "pool" | "setting" | "result" | "trades";
interface StoredBacktest extends Omit<BacktestRow, DecryptedRun> {
  what_encrypted: Buffer;
  result_encrypted: Buffer | null;
  trades_encrypted: Buffer | null;
}

/** Fails runs whose process stopped sending heartbeats. */
export async function endStaleRuns({ database: { db }, realClock }: AppContext): Promise<void> {
  await sql`update backtest_run set status = 'failed', reason = 'stopped'
    where status in ('waiting', 'running') and heartbeat_real_ms < ${realClock.nowMs() - silentMs}`.execute(
    db,
  );
}

/** Newest first; result and trades only when a single run is read. */
export async function readRows(
  { database: { db }, realClock, fieldEncryption }: AppContext,
  userId: string,
  id: string | null,
  limit: number,
): Promise<BacktestRow[]> {
  const sinceMs = realClock.nowMs() - backtestLimits.results_kept_ms;
  // Lists do not show results or trades.
  const isOne = limit === 1;
  const { rows } = await sql<StoredBacktest>`
    select id, source, what_encrypted, margin_bp, status, stage, percent, reason, data_hash, return_bp, asked_real_ms,
      case when ${isOne}::boolean then result_encrypted end as result_encrypted,
      case when ${isOne}::boolean then trades_encrypted end as trades_encrypted,
      (select count(*) from backtest_trial t where t.user_id = r.user_id and t.data_hash = r.data_hash) as tried,
      case when return_bp is not null then (select count(*) from backtest_trial t
        where t.user_id = r.user_id and t.data_hash = r.data_hash and t.return_bp > r.return_bp) end as above
    from backtest_run r
    where user_id = ${userId} and asked_real_ms > ${sinceMs} and (${id}::text is null or id::text = ${id})
    order by seq desc limit ${limit}`.execute(db);
  const runs = await Promise.all(rows.map((row) => decryptRun(fieldEncryption, userId, row)));
  return runs.filter((row) => row !== null);
}

/** Null when the person's key is gone. */
async function decryptRun(
  fieldEncryption: FieldEncryption,
  userId: string,
  row: StoredBacktest,
): Promise<BacktestRow | null> {
  const { what_encrypted: what, result_encrypted: result, trades_encrypted: trades, ...rest } = row;
  const text = await fieldEncryption.decryptText(userId, what);
  if (text === null) return null;
  const { pool, setting } = JSON.parse(text) as Pick<BacktestRow, "pool" | "setting">;
  return {
    ...rest,
    pool,
    setting,
    result: await fieldEncryption.decryptText(userId, result),
    trades: trades && (await fieldEncryption.decrypt(userId, trades)),
  };
}

export function toBacktestView(row: BacktestRow): Backtest {
  const { config, fromMs, toMs } = row.setting;
  return {
    run_id: row.id,
    source: row.source,
    pool: row.pool,
    strategy: config.strategy,
    symbols: [...config.symbols],
    venues: [...config.venues],
    unit: getUnit(config),
    from_ms: fromMs,
    to_ms: toMs,
    margin_bp: row.margin_bp,
    status: row.status,
    stage: row.stage,
    percent: row.percent,
    reason: row.reason,
    asked_at_ms: Number(row.asked_real_ms),
    tried: Number(row.tried),
    above: row.above === null ? null : Number(row.above),
    data_hash: row.data_hash,
  };
}
