import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { StartError } from "#server/platform/startError.ts";

/**
 * Written last, so a folder that has one is a complete backup. `manifest.json.sha256` next to it
 * has the format of `sha256sum -c`.
 */
const manifestName = "manifest.json";
const sumName = `${manifestName}.sha256`;
export const manifestFiles: readonly string[] = [manifestName, sumName];
export const formatVersion = 1;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Relative to the backup's folder, with slashes; never outside it. */
const path = z
  .string()
  .check(
    z.refine(
      (text) =>
        text.length > 0 &&
        !text.includes("\0") &&
        text.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
    ),
  );

const world = z.object({
  name: z.string(),
  schema: z.string(),
  /** Leaves of its log when the backup began: it contains at least that many. */
  leaves: z.number(),
  migrations: z.array(z.string()),
});
/** A world as recorded in a backup. */
export type BackupWorld = z.infer<typeof world>;

const file = z.object({ path, bytes: z.number(), sha256 });
/** One file of a backup; `path` is relative to its folder. */
export type BackupFile = z.infer<typeof file>;

const manifest = z.object({
  practice: z.literal(true),
  format: z.number(),
  drydock: z.string(),
  madeAt: z.string(),
  /** Null: the database is external and not in the backup. */
  postgres: z.nullable(
    z.object({
      version: z.string(),
      platform: z.string(),
      systemIdentifier: z.string(),
      endPosition: z.string(),
      worlds: z.array(world),
    }),
  ),
  directories: z.array(path),
  files: z.array(file),
});
/** A backup's contents, and the instance that it is of. */
export type BackupManifest = z.infer<typeof manifest>;

/** Writes the manifest into a backup's folder, flushing each of its files. */
export async function writeManifest(folder: string, content: BackupManifest): Promise<void> {
  const text = `${JSON.stringify(content, null, 1)}\n`;
  const sum = createHash("sha256").update(text).digest("hex");
  const options = { mode: 0o600, flag: "wx", flush: true };
  await writeFile(join(folder, manifestName), text, options);
  await writeFile(join(folder, sumName), `${sum}  ${manifestName}\n`, options);
}

/** Throws a StartError for a folder that is not a complete backup, or one in another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const readText = (name: string) => readFile(join(folder, name), "utf8").catch(() => null);
  const [text, sum] = [await readText(manifestName), await readText(sumName)];
  if (text === null || sum === null) {
    throw new StartError(
      `${folder} is not a finished backup (it has no ${text === null ? manifestName : sumName}): name a folder that npm run backup has made, such as drydock-2026-01-31T03-00-00Z.`,
    );
  }
  const alteredError = new StartError(
    `The backup in ${folder} was altered: its ${manifestName} is not the one that was written. Use another backup.`,
  );
  if (createHash("sha256").update(text).digest("hex") !== sum.slice(0, 64)) throw alteredError;
  const content = JSON.parse(text) as { format?: unknown };
  if (content.format !== formatVersion) {
    throw new StartError(
      `The backup in ${folder} has format ${String(content.format)}, and this Drydock reads format ${formatVersion}: restore it with the Drydock that made it.`,
    );
  }
  const result = manifest.safeParse(content);
  if (!result.success) throw alteredError;
  return result.data;
}
