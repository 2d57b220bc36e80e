import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Hashes of a recording's files in the form of `sha256sum`; replay ignores it like every README. */
export const hashesFile = "README.sha256";
export const notesFile = "README.md";

/** The SHA-256 of each file, hex, in the order given. */
export async function hashFiles(folder: string, names: readonly string[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    hashes.push(createHash("sha256").update(bytes).digest("hex"));
  }
  return hashes;
}

/** Writes notes for people beside a recording, and the hashes of its files. */
export async function writeNotes(
  folder: string,
  names: readonly string[],
  lines: readonly string[],
): Promise<void> {
  const hashes = await hashFiles(folder, names);
  const sums = names.map((name, index) => `${hashes[index]}  ${name}\n`);
  await writeFile(join(folder, hashesFile), sums.join(""));
  await writeFile(join(folder, notesFile), `${lines.join("\n")}\n`);
}

export const formatIsoMinute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16)}Z`;
export const formatIsoSecond = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** The command that starts a world of this name which replays a recording. */
export const formatReplayCommand = (world: string, folder: string): string =>
  `WORLD=${world} MARKET=replay:${folder} npm start`;
