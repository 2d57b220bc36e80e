import { join } from "node:path";
import { sql } from "kysely";
import type { BacktestFile, BacktestSource } from "#api/backtest.ts";
import { errors } from "#api/errors.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import type { RecordingFormError } from "#core/market/replay/bars.ts";
import { barFileExample, parseBarFileName } from "#core/market/replay/fileName.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { hourMs } from "#core/money/time.ts";
import { listPoolsFor } from "#server/backtest/pools.ts";
import { startThread } from "#server/backtest/thread.ts";
import type { PriceFileSource } from "#server/backtest/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createDirectoryBlobs } from "#server/platform/crypto/blobs.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import { createPersonQueue } from "#server/platform/personQueue.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";

interface StoredFile {
  /** Encrypted, because it contains text chosen by the person. */
  name_encrypted: Buffer;
  symbol: MarketSymbol;
  blob: string;
  bytes: number;
  minutes: number;
  from_ms: bigint;
  to_ms: bigint;
  created_real_ms: bigint;
}

interface FileRow extends Omit<StoredFile, "name_encrypted"> {
  name: string;
  venue: string;
}

export interface PriceFiles {
  /**
   * Checks one file and adds it to its set. A bad file is rejected by line number, and its whole
   * set is dropped. An error after which the same file may be sent again keeps the set.
   */
  add(
    userId: string,
    params: { setId: string; name: string; bytes: Buffer },
  ): Promise<BacktestFile>;
  retain(userId: string, params: { setId: string; files: number }): Promise<BacktestSource>;
  remove(userId: string): Promise<void>;
  source(userId: string): Promise<BacktestSource | null>;
  toRead(userId: string): Promise<PriceFileSource[]>;
  /** Yields the bytes of every file of a person, one at a time. */
  contents(userId: string): AsyncIterable<{ name: string; bytes: Uint8Array }>;
  /** Removes every file of a person, even if backtests are running on them. */
  erase(userId: string): Promise<void>;
  /** Removes expired files. */
  sweep(): Promise<void>;
}

/**
 * Purpose of the blind index of names. The indexed text includes the user id, so that the index
 * does not reveal that two people have files of the same name.
 */
const fileNameUse = "backtest_file.name";
/** Real time allowed for uploading a set. */
const addMs = hourMs;
/** Limits on people whose files wait for a check, and on waiting files per person. */
const waitingMax = 32;
const ownWaitingMax = 3;
/** A check takes about a second; after this long the client may as well send the file again. */
const checkWaitMs = 60_000;
const sweepAgeMs = 600_000;

/** People's own price files: bytes in the data directory, one row each. */
export function createFiles(ctx: AppContext): PriceFiles {
  const { database, realClock, config, world, fieldEncryption } = ctx;
  const { db } = database;
  const directory = join(config.dataDirectory, "blobs", world.name, "history");
  const blobs = createDirectoryBlobs(directory, realClock);
  const check = createChecks();
  const inTurn = createPersonQueue(ownWaitingMax);
  const dropFiles = async (rows: { blob: string }[]) => {
    for (const { blob } of rows) await blobs.remove(blob);
  };
  const dropSet = async (userId: string, setId: string) => {
    const { rows } = await sql<{ blob: string }>`delete from backtest_file
      where user_id = ${userId} and set_id = ${setId} and not kept returning blob`.execute(db);
    await dropFiles(rows);
  };
  const listRetained = async (userId: string) => {
    const sinceMs = realClock.nowMs() - backtestLimits.files_kept_ms;
    const { rows } = await sql<StoredFile>`select * from backtest_file
      where user_id = ${userId} and kept and created_real_ms > ${sinceMs}`.execute(db);
    return await decryptRows(userId, rows);
  };
  /** Decrypts names and sorts by them; leaves out files whose key is gone. */
  const decryptRows = async (userId: string, rows: readonly StoredFile[]): Promise<FileRow[]> => {
    const files = await Promise.all(
      rows.map(async (row) => ({
        row,
        name: await fieldEncryption.decryptText(userId, row.name_encrypted),
      })),
    );
    return files
      .flatMap(({ row, name }) =>
        name === null ? [] : [{ ...row, name, venue: readName(name).venue }],
      )
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    add: async (userId, { setId, name, bytes }) => {
      try {
        const { venue, symbol } = readName(name);
        const checked = await inTurn(userId, () => check(name, symbol, bytes));
        const blob = await blobs.put(bytes);
        const row = { name, venue, symbol, blob, bytes: bytes.length, ...checked };
        await insertFile(ctx, userId, setId, row);
        return {
          name,
          venue,
          symbol,
          bytes: bytes.length,
          minutes: checked.minutes,
          from_ms: checked.fromMs,
          to_ms: checked.toMs,
        };
      } catch (error) {
        if (error instanceof ApiError && !errors[error.error].retry) await dropSet(userId, setId);
        throw error;
      }
    },
    retain: async (userId, { setId, files }) => {
      const removedFiles = await db.transaction().execute(async (tx) => {
        await lockUser(ctx, tx, userId);
        const { rows: countRows } = await sql<{
          count: bigint;
        }>`select count(*) as count from backtest_file
          where user_id = ${userId} and set_id = ${setId} and not kept`.execute(tx);
        if (files < 1 || countRows[0]!.count !== BigInt(files))
          throw new ApiError("history.set_unknown");
        await requireIdle(tx, userId);
        const { rows } = await sql<{ blob: string }>`delete from backtest_file
          where user_id = ${userId} and set_id <> ${setId} returning blob`.execute(tx);
        await sql`update backtest_file set kept = true, created_real_ms = ${realClock.nowMs()}
          where user_id = ${userId}`.execute(tx);
        return rows;
      });
      await dropFiles(removedFiles);
      return createSource(await listRetained(userId))!;
    },
    remove: async (userId) => {
      const removedFiles = await db.transaction().execute(async (tx) => {
        await lockUser(ctx, tx, userId);
        await requireIdle(tx, userId);
        const { rows } = await sql<{
          blob: string;
        }>`delete from backtest_file where user_id = ${userId} returning blob`.execute(tx);
        return rows;
      });
      await dropFiles(removedFiles);
    },
    source: async (userId) => createSource(await listRetained(userId)),
    toRead: async (userId) =>
      (await listRetained(userId)).map(({ name, venue, symbol, blob }) => ({
        name,
        venue,
        symbol,
        path: join(directory, blob),
      })),
    contents: async function* contents(userId) {
      const { rows } = await sql<StoredFile>`
        select * from backtest_file where user_id = ${userId}`.execute(db);
      for (const { name, blob } of await decryptRows(userId, rows)) {
        const bytes = await blobs.read(blob);
        if (bytes) yield { name, bytes };
      }
    },
    erase: async (userId) => {
      const { rows } = await sql<{ blob: string }>`
        delete from backtest_file where user_id = ${userId} returning blob`.execute(db);
      await dropFiles(rows);
    },
    sweep: async () => {
      const nowMs = realClock.nowMs();
      const { rows } = await sql<{ blob: string }>`delete from backtest_file
        where created_real_ms <= ${nowMs - backtestLimits.files_kept_ms}
          or (not kept and created_real_ms <= ${nowMs - addMs}) returning blob`.execute(db);
      await dropFiles(rows);
      await blobs.sweep(sweepAgeMs, async (names) => {
        const { rows: referenced } = await sql<{ blob: string }>`select blob from backtest_file
          where blob = any(${names})`.execute(db);
        return new Set(referenced.map(({ blob }) => blob));
      });
    },
  };
}

function readName(name: string): { venue: string; symbol: MarketSymbol } {
  const barFileName = parseBarFileName(name);
  if (!barFileName || !isSymbol(barFileName.symbol))
    throw new ApiError("history.name_wrong", { file: name, example: barFileExample });
  return { venue: barFileName.venue, symbol: barFileName.symbol };
}

/** Checks one file at a time in a thread, across all people. */
function createChecks() {
  const slots = createSemaphore(1, checkWaitMs);
  let waitingCount = 0;
  const inThread = async (symbol: MarketSymbol, bytes: Buffer) => {
    const release = await slots.take();
    try {
      return await startThread({ kind: "check", bytes, symbol }).ended;
    } finally {
      release();
    }
  };
  return async (name: string, symbol: MarketSymbol, bytes: Buffer) => {
    if (waitingCount >= waitingMax)
      throw new ApiError("server.unavailable", { retry_after_seconds: 3 });
    waitingCount += 1;
    const result = await inThread(symbol, bytes).finally(() => {
      waitingCount -= 1;
    });
    if (result.kind === "checked") {
      const { minutes, fromMs, toMs } = result;
      return { minutes, fromMs, toMs };
    }
    if (result.kind === "bad_line") throw badLine(name, result.line, result.fault);
    throw new ApiError("server.unavailable", { retry_after_seconds: 3 });
  };
}

function badLine(file: string, line: number, fault: RecordingFormError): ApiError {
  return new ApiError("history.bad_line", { file, line, fault });
}

/** Serialises one person's changes. */
async function lockUser({ database }: AppContext, tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `history/${userId}`)}::bigint)`.execute(
    tx,
  );
}

/** A waiting or running backtest needs its files. */
async function requireIdle(tx: Tx, userId: string): Promise<void> {
  const { rows } = await sql`select 1 from backtest_run
    where user_id = ${userId} and source = 'files' and status in ('waiting', 'running')`.execute(
    tx,
  );
  if (rows.length > 0) throw new ApiError("history.busy");
}

async function insertFile(
  ctx: AppContext,
  userId: string,
  setId: string,
  row: Omit<FileRow, "from_ms" | "to_ms" | "created_real_ms"> & { fromMs: number; toMs: number },
): Promise<void> {
  const { fieldEncryption } = ctx;
  const nameEncrypted = await fieldEncryption.encrypt(userId, row.name);
  const nameIndex = await fieldEncryption.blindIndex(fileNameUse, `${userId} ${row.name}`);
  await ctx.database.db.transaction().execute(async (tx) => {
    await lockUser(ctx, tx, userId);
    // An abandoned set makes room for this one.
    await sql`delete from backtest_file
      where user_id = ${userId} and set_id <> ${setId} and not kept`.execute(tx);
    const { rows } = await sql<{ count: bigint; same: boolean | null }>`
      select count(*) as count, bool_or(kept or name_index = ${nameIndex}) as same from backtest_file
      where user_id = ${userId} and set_id = ${setId}`.execute(tx);
    if (rows[0]!.same)
      throw new ApiError("history.name_wrong", { file: row.name, example: barFileExample });
    if (rows[0]!.count >= BigInt(backtestLimits.files)) {
      throw new ApiError("history.too_many_files", { most: backtestLimits.files });
    }
    await sql`insert into backtest_file
      (user_id, set_id, name_encrypted, name_index, symbol, blob, bytes, minutes, from_ms, to_ms, created_real_ms)
      values (${userId}, ${setId}, ${nameEncrypted}, ${nameIndex}, ${row.symbol}, ${row.blob}, ${row.bytes},
        ${row.minutes}, ${row.fromMs}, ${row.toMs}, ${ctx.realClock.nowMs()})`.execute(tx);
  });
}

function createSource(rows: readonly FileRow[]): BacktestSource | null {
  if (rows.length === 0) return null;
  const files = rows.map(({ name, venue, symbol, bytes, minutes, ...row }) => ({
    name,
    venue,
    symbol,
    bytes,
    minutes,
    from_ms: Number(row.from_ms),
    to_ms: Number(row.to_ms),
  }));
  return {
    files,
    pools: listPoolsFor(files).map(({ view }) => view),
    from_ms: Math.min(...files.map((file) => file.from_ms)),
    to_ms: Math.max(...files.map((file) => file.to_ms)),
    kept_until_ms:
      Math.min(...rows.map((row) => Number(row.created_real_ms))) + backtestLimits.files_kept_ms,
  };
}
