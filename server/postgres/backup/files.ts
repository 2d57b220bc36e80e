import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { flush } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";

/** A file being written, with the hash of its contents so far. */
export interface WrittenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the file; `flushAll` makes it durable. */
  close(): Promise<{ bytes: number; sha256: string }>;
}

/** Creates a file that must not exist, with the directories above it. */
export async function createFile(path: string): Promise<WrittenFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file: FileHandle = await open(path, "wx", 0o600);
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  return {
    write: async (part) => {
      hash.update(part);
      await file.writeFile(part);
      bytes += part.length;
    },
    close: async () => {
      await file.close();
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}

/**
 * Copies a file and returns what was copied, even if it changed during the copy; null if it is
 * gone.
 */
export async function copyFile(
  from: string,
  to: string,
  onBytes: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string } | null> {
  const source = await open(from, "r").catch(orNull);
  if (!source) return null;
  const target = await createFile(to);
  for await (const part of source.createReadStream({ highWaterMark: 1 << 20 })) {
    await target.write(part as Buffer);
    onBytes((part as Buffer).length);
  }
  return target.close();
}

export async function hashFile(path: string, onBytes: (bytes: number) => void): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(part as Buffer);
    onBytes((part as Buffer).length);
  }
  return hash.digest("hex");
}

export interface FileEntry {
  /** Relative, with slashes. */
  path: string;
  kind: "file" | "directory" | "other";
  bytes: number;
}

/**
 * Everything below a folder, sorted by name, each directory before its contents. Links are
 * followed.
 */
export async function walk(
  root: string,
  skip: (path: string) => boolean = () => false,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  const visit = async (subfolder: string): Promise<void> => {
    const names = (await readdir(join(root, subfolder)).catch(orNull)) ?? [];
    for (const name of names.toSorted()) {
      const path = subfolder ? `${subfolder}/${name}` : name;
      if (skip(path)) continue;
      const status = await stat(join(root, path)).catch(orNull);
      if (!status) continue;
      const kind = status.isFile() ? "file" : status.isDirectory() ? "directory" : "other";
      entries.push({ path, kind, bytes: kind === "file" ? status.size : 0 });
      if (kind === "directory") await visit(path);
    }
  };
  await visit("");
  return entries;
}

/** Makes everything durable: every file, then every directory that lists one. */
export async function flushAll(
  root: string,
  files: readonly string[],
  directories: readonly string[],
): Promise<void> {
  await inParallel(files, (path) => flush(join(root, path)));
  const parents = new Set(directories);
  for (const path of [...files, ...directories]) parents.add(dirname(path));
  await inParallel([...parents], (path) => flush(join(root, path)));
}

/** Eight at a time: a disk merges flushes that are requested together. */
async function inParallel<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of rest) await act(item);
    }),
  );
}

/** Free space that must remain once everything is written. */
const reserveBytes = 64 << 20;

/** Throws a StartError if the disk that holds `folder` has no room for `bytes`. */
export async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + reserveBytes) return;
  throw new StartError(
    `Not enough disk space: ${folder} needs about ${formatSize(bytes + reserveBytes)}, and ${formatSize(free)} are free. Free some space or name a folder on another disk.`,
  );
}

/** Returns true if `inner` is `outer` or lies below it; both absolute. */
export function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** Decimal, such as "1.4 GB". */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

export function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
