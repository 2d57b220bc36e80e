import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type BuildLeaf, decodeBuild, encodeBuild } from "#core/transparency-log/buildLeaf.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Logger } from "#server/platform/logger.ts";
import { insertLeaves, lockNextIndex } from "#server/transparency-log/store.ts";

/** The newest `build` leaf; null before the first. */
export async function readNewestBuild(
  db: Db | Tx,
): Promise<{ leaf: number; build: BuildLeaf } | null> {
  // A literal, so that the index over these leaves alone is used.
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf where kind = 10 order by leaf desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const decodedBuild = decodeBuild(row.bytes, null);
  if (!decodedBuild.ok) throw new Error(`leaf ${row.leaf} of the log is not a build`);
  return { leaf: Number(row.leaf), build: decodedBuild.value };
}

/**
 * Appends a `build` leaf for the pages in `directory`, which this process serves from now on,
 * unless the newest one says the same. Several web processes of one version append one. Returns
 * false and does nothing while the log is empty: its first leaf is the world's.
 */
export async function recordBuild(
  { database, world, realClock }: Pick<AppContext, "database" | "world" | "realClock">,
  directory: string,
  version: string,
): Promise<boolean> {
  const listHash = createHash("sha256")
    .update(readFileSync(join(directory, "build.json")))
    .digest();
  const isNewest = async (db: Db | Tx) => {
    const newest = await readNewestBuild(db);
    return newest !== null && equalBytes(newest.build.listHash, listHash);
  };
  if (await isNewest(database.db)) return true;
  return database.db.transaction().execute(async (tx) => {
    if ((await lockNextIndex(tx)) === 0) return false;
    if (await isNewest(tx)) return true;
    const bytes = encodeBuild({ world: world.name, version, listHash });
    await insertLeaves(tx, [{ kind: "build", bytes }], realClock.nowMs());
    return true;
  });
}

/** Real time between two checks that the log has begun. */
const begunEveryMs = 1_000;

/**
 * Runs `record` again until it returns true, for a web service that starts before the feed has
 * begun the log. Returns a function that stops this.
 */
export function recordOnceBegun(
  record: () => Promise<boolean>,
  logger: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      await sleep(begunEveryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const isRecorded = await record().catch((error: unknown) => {
        logger.error({ err: error }, "the served pages could not be logged; trying again");
        return false;
      });
      if (isRecorded) return;
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
