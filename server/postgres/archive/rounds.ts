import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import * as z from "zod/mini";
import { flush, makeDirectories, writeDurably } from "#server/platform/durableFiles.ts";
import type { Logger } from "#server/platform/logger.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";
import {
  applyTombstones,
  getTombstoneKey,
  isTombstone,
} from "#server/postgres/backup/deletions.ts";
import { copyFile, orNull, walk } from "#server/postgres/backup/files.ts";
import { type ArchivePaths, archivePaths, readArchiveNote } from "./walArchive.ts";

/** Real time between two rounds, which bounds what is lost with the machine. */
const everyMs = 60_000;
/** How long PostgreSQL may take to archive a segment. */
const archivedMs = 30_000;

const untilForm = z.object({ until_ms: z.int() });

/** The time up to which an archive is complete; null before the first completed round. */
export async function readUntil({ until }: ArchivePaths): Promise<number | null> {
  const text = await readFile(until, "utf8").catch(orNull);
  return text === null ? null : untilForm.parse(JSON.parse(text)).until_ms;
}

interface Rounds {
  dataDirectory: string;
  /** As the superuser of the embedded database. */
  adminUrl: string;
  maxBytes: number;
  logger: Pick<Logger, "error" | "warn">;
}

/**
 * Completes the archive of a running data directory once a minute; null if it has none. A round
 * that fails is logged and retried.
 */
export function startArchiveRounds(options: Rounds): StoppablePart | null {
  const note = readArchiveNote(options.dataDirectory);
  if (note === null) return null;
  const paths = archivePaths(note);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      await completeArchive(options, paths).catch((error: unknown) => {
        if (!signal.aborted) options.logger.error({ err: error }, "the archive was not completed");
      });
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    what: "the archive",
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Runs one round: archives everything up to now, segments first, so that every file named by an
 * archived row is in the archive, and then records the time up to which it is complete.
 */
export async function completeArchive(
  { dataDirectory, adminUrl, maxBytes, logger }: Rounds,
  paths: ArchivePaths,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "drydock-archive" });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ now_ms: string }>(
      "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms",
    );
    // A restore stops at the first commit after its time: without one it would wait for more.
    await sleep(2);
    await client.query("select pg_current_xact_id()");
    const switched = await client.query<{ name: string }>(
      "select pg_walfile_name(pg_switch_wal()) as name",
    );
    await copyNewFiles(dataDirectory, paths.files);
    await untilArchived(client, switched.rows[0]!.name);
    await writeDurably(paths.until, `${JSON.stringify({ until_ms: Number(rows[0]!.now_ms) })}\n`);
  } finally {
    await client.end();
  }
  const removedCount = await removeOldest(paths.wal, maxBytes);
  if (removedCount === null) return;
  logger.warn(
    { removed: removedCount },
    "the archive reached WAL_ARCHIVE_GB; its oldest segments were removed",
  );
}

async function untilArchived(client: pg.Client, name: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < archivedMs; waitedMs += 100) {
    const { rows } = await client.query<{ done: boolean }>(
      `select coalesce(last_archived_wal collate "C" >= $1, false) as done from pg_stat_archiver`,
      [name],
    );
    if (rows[0]!.done) return;
    await sleep(100);
  }
  throw new Error(`PostgreSQL did not archive ${name} in time; its log says why`);
}

/** Files beside the database that change; all others are immutable. */
const mutableFiles =
  /^((ended-)?log-(key|head)|seed-chain|mining-seed|acknowledgement-key)-.*\.json$/;

/**
 * Mirrors the files beside the database from `dataDirectory` to `into`: pictures and keys that were
 * deleted are deleted there too, and each deleted key leaves its tombstone.
 */
async function copyNewFiles(dataDirectory: string, target: string): Promise<void> {
  const marks: string[] = [];
  for (const part of ["keys", "blobs"]) {
    const isPart = (path: string) => /\.(part|partial)$|(^|\/)check-/.test(path);
    const source = await walk(join(dataDirectory, part), isPart);
    const expected = new Set(source.map(({ path }) => `${part}/${path}`));
    const presentEntries = await walk(join(target, part));
    const presentPaths = new Set(presentEntries.map(({ path }) => `${part}/${path}`));
    const copiedPaths = new Set<string>();
    for (const { path, kind } of source) {
      const name = `${part}/${path}`;
      if (kind === "directory") await makeDirectories(join(target, name));
      if (kind !== "file" || presentPaths.has(name)) continue;
      if (isTombstone(name)) marks.push(name);
      else if (await copyFile(join(dataDirectory, name), join(target, name), () => {}))
        copiedPaths.add(name);
    }
    for (const name of copiedPaths) await flush(join(target, name));
    for (const name of new Set(
      [...copiedPaths].map((text) => text.slice(0, text.lastIndexOf("/"))),
    ))
      await flush(join(target, name));
    // A tombstone destroys its key itself, durably.
    for (const { path, kind } of presentEntries) {
      const name = `${part}/${path}`;
      if (kind === "file" && part === "blobs" && !expected.has(name)) await rm(join(target, name));
    }
  }
  await applyTombstones(target, marks, new Set(marks.map(getTombstoneKey)));
  for (const name of await readdir(dataDirectory)) {
    if (!mutableFiles.test(name)) continue;
    const text = await readFile(join(dataDirectory, name)).catch(orNull);
    if (text !== null) await writeDurably(join(target, name), text);
  }
}

/** Removes the oldest segments beyond a size; returns the last one removed. */
async function removeOldest(wal: string, maxBytes: number): Promise<string | null> {
  const names = (await readdir(wal)).filter((name) => name.endsWith(".gz")).toSorted();
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(wal, name)).catch(orNull))?.size ?? 0),
  );
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let last: string | null = null;
  for (const [index, name] of names.entries()) {
    if (total <= maxBytes) break;
    await rm(join(wal, name), { force: true });
    total -= sizes[index]!;
    last = name;
  }
  return last;
}
