import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDurably, flush, makeDirectories } from "#server/platform/durableFiles.ts";

/**
 * Keys of 32 random bytes as files, created on first use and destroyed for good. Several processes
 * may share the directory.
 */
export interface KeyFiles {
  /**
   * Null if the key was destroyed, or is missing and `make` is false. A returned key is durable on
   * disk.
   */
  read(keyPath: string, make: boolean): Promise<Buffer | null>;
  /** Returns true if a tombstone is there: it tells a destroyed key from one that was lost. */
  isDestroyed(keyPath: string): Promise<boolean>;
  /** Leaves a tombstone in its place, so that no process creates another. */
  destroy(keyPath: string): Promise<void>;
  /** Names below `<place>/<any directory>/` whose keys were destroyed. */
  destroyed(keyPath: string): Promise<string[]>;
}

const keyBytes = 32;
const tombstoneSuffix = ".gone";

export function createKeyFiles(directory: string): KeyFiles {
  const toPath = (keyPath: string) => join(directory, keyPath);
  const tombstonePath = (keyPath: string) => `${toPath(keyPath)}${tombstoneSuffix}`;
  return {
    read: async (keyPath, make) => {
      const key = await readKey(toPath(keyPath));
      // The tombstone wins over a key, which may be in the middle of being overwritten or have come
      // back with an old copy of the directory.
      if (await exists(tombstonePath(keyPath))) return null;
      if (key || !make) return key;
      await makeDirectories(dirname(toPath(keyPath)));
      // If two processes race, one wins, and neither ever reads half a key.
      await createDurably(toPath(keyPath), randomBytes(keyBytes));
      // `destroy` writes the tombstone first, so either it saw this key or the tombstone is seen
      // here.
      if (await exists(tombstonePath(keyPath))) {
        await overwriteAndDelete(toPath(keyPath));
        return null;
      }
      return await readKey(toPath(keyPath));
    },
    isDestroyed: (keyPath) => exists(tombstonePath(keyPath)),
    destroy: async (keyPath) => {
      await makeDirectories(dirname(toPath(keyPath)));
      await (await open(tombstonePath(keyPath), "a", 0o600)).close();
      await flush(dirname(toPath(keyPath)));
      await overwriteAndDelete(toPath(keyPath));
      await flush(dirname(toPath(keyPath)));
    },
    destroyed: async (keyPath) => {
      const names: string[] = [];
      for (const keyName of (await readdir(toPath(keyPath)).catch(orNull)) ?? []) {
        const files = await readdir(join(toPath(keyPath), keyName)).catch(orNull);
        names.push(...(files ?? []).filter((file) => file.endsWith(tombstoneSuffix)));
      }
      return names.map((name) => name.slice(0, -tombstoneSuffix.length));
    },
  };
}

async function readKey(path: string): Promise<Buffer | null> {
  const key = await readFile(path).catch(orNull);
  if (key && key.length !== keyBytes) {
    throw new Error(`The key file ${path} is damaged: put a copy of it back.`);
  }
  return key;
}

/** Overwrites in place before unlinking, because file systems retain the data of removed files. */
async function overwriteAndDelete(path: string): Promise<void> {
  const file = await open(path, "r+").catch(orNull);
  if (!file) return;
  try {
    await file.write(randomBytes(keyBytes), 0, keyBytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await rm(path, { force: true });
}

async function exists(path: string): Promise<boolean> {
  const handle = await open(path, "r").catch(orNull);
  await handle?.close();
  return handle !== null;
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
