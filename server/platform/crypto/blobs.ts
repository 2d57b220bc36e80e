import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RealClock } from "#server/platform/clock/clock.ts";
import { makeDirectories, writeDurably } from "#server/platform/durableFiles.ts";

/**
 * Files that a domain stores outside the database. Names are generated here and reveal nothing
 * about the contents. A row of the domain refers to each file; files that no row refers to are
 * orphans and are swept.
 */
export interface Blobs {
  /** Stores the bytes, durable on return, and returns the new name. */
  put(bytes: Uint8Array): Promise<string>;
  /** Null if there is no such file. */
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /**
   * Deletes files older than `ageMs` of real time that `keeps` does not return, such as those a
   * crash left between file and row. Returns how many.
   */
  sweep(ageMs: number, keeps: (names: string[]) => Promise<Set<string>>): Promise<number>;
}

const namePattern = /^([0-9a-z]{8,10})-[0-9a-f]{32}$/;
const partPattern = /^([0-9a-z]{8,10})-[0-9a-f]{32}(\.[0-9a-f]+)?\.part$/;
/** Names passed to `keeps` per call. */
const sweepBatch = 1_000;

/** Files in a local directory, created on first use. */
export function createDirectoryBlobs(directory: string, realClock: RealClock): Blobs {
  const toPath = (name: string) => {
    if (!namePattern.test(name)) throw new RangeError("not the name of a stored file");
    return join(directory, name);
  };
  const remove = async (name: string) => rm(toPath(name), { force: true });
  return {
    put: async (bytes) => {
      await makeDirectories(directory);
      const name = `${realClock.nowMs().toString(36).padStart(9, "0")}-${randomBytes(16).toString("hex")}`;
      await writeDurably(toPath(name), bytes);
      return name;
    },
    read: async (name) =>
      readFile(toPath(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    remove,
    sweep: async (ageMs, shouldKeep) => {
      const files = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const beforeMs = realClock.nowMs() - ageMs;
      const isOld = (createdText: string | undefined) =>
        createdText !== undefined && Number.parseInt(createdText, 36) <= beforeMs;
      const partFiles = files.filter((file) => isOld(partPattern.exec(file)?.[1]));
      for (const half of partFiles) await rm(join(directory, half), { force: true });
      const names = files.filter((file) => isOld(namePattern.exec(file)?.[1]));
      let removedCount = partFiles.length;
      for (let from = 0; from < names.length; from += sweepBatch) {
        const batch = names.slice(from, from + sweepBatch);
        const retained = await shouldKeep(batch);
        for (const name of batch.filter((blobName) => !retained.has(blobName))) {
          await remove(name);
          removedCount += 1;
        }
      }
      return removedCount;
    },
  };
}
