import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createKeyFiles } from "#server/platform/crypto/keyFiles.ts";
import { orNull, walk } from "#server/postgres/backup/files.ts";

/**
 * Deleting an account destroys the key that the person's texts are encrypted with and leaves a
 * tombstone (mark), `<key>.gone`, in its place (server/platform/crypto/keyFiles.ts). An earlier
 * backup still contains the key; these functions carry the tombstone over, so that a deletion
 * reaches the copies too.
 */
const tombstoneSuffix = ".gone";

/** The folder of keys in a data directory and in a backup of it. */
const keysFolder = "keys";

export function isTombstone(path: string): boolean {
  return path.startsWith(`${keysFolder}/`) && path.endsWith(tombstoneSuffix);
}

/** The key that a tombstone represents. */
export function getTombstoneKey(path: string): string {
  return path.slice(0, -tombstoneSuffix.length);
}

export function toTombstonePath(path: string): string {
  return `${path}${tombstoneSuffix}`;
}

/** The tombstones in a data directory or a backup, as paths below it. */
export async function listTombstones(folder: string): Promise<string[]> {
  const fileEntries = await walk(join(folder, keysFolder));
  return fileEntries
    .filter(({ path, kind }) => kind === "file" && path.endsWith(tombstoneSuffix))
    .map(({ path }) => `${keysFolder}/${path}`);
}

/**
 * Destroys the keys of the tombstones that the folder still has, and writes the tombstones there.
 * `keys` are keys that it once had: they get a tombstone too. Returns how many were written.
 */
export async function applyTombstones(
  folder: string,
  tombstones: Iterable<string>,
  keys: ReadonlySet<string>,
): Promise<number> {
  const files = createKeyFiles(join(folder, keysFolder));
  let set = 0;
  for (const mark of tombstones) {
    const key = getTombstoneKey(mark);
    const isThere = existsSync(join(folder, key));
    const wasThere = keys.has(key) && !existsSync(join(folder, mark));
    if (!isThere && !wasThere) continue;
    await files.destroy(toPath(key));
    set += 1;
  }
  return set;
}

/** The name that `createKeyFiles` uses for a key. */
const toPath = (key: string) => key.slice(keysFolder.length + 1);

/** Backups are named by the second they began in, UTC. */
export function backupName(nowMs: number): string {
  return `drydock-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

const nameForm = /^drydock-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** The finished backups in a folder, oldest first, as paths. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(orNull)) ?? [];
  return names
    .filter((name) => nameForm.test(name))
    .toSorted()
    .map((name) => resolve(folder, name));
}
