import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { writeDurably } from "#server/platform/durableFiles.ts";

const lastBackup = z.object({ at_ms: z.int(), bytes: z.int() });

/** The last complete backup of a data directory. */
export interface LastBackup {
  /** Real time at which it began; later changes may be missing from it. */
  atMs: number;
  bytes: number;
}

/** The file is in the data directory and not in its backups. */
export const lastBackupFile = "last-backup.json";

/** Records a complete backup, for the check of their age. */
export async function writeLastBackup(
  dataDirectory: string,
  { atMs, bytes }: LastBackup,
): Promise<void> {
  const text = `${JSON.stringify({ at_ms: atMs, bytes })}\n`;
  await writeDurably(join(dataDirectory, lastBackupFile), text);
}

/** Null if none was recorded; throws if the record cannot be read. */
export async function readLastBackup(dataDirectory: string): Promise<LastBackup | null> {
  const text = await readFile(join(dataDirectory, lastBackupFile), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
  if (text === null) return null;
  const { at_ms: atMs, bytes } = lastBackup.parse(JSON.parse(text));
  return { atMs, bytes };
}
