import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import * as z from "zod/mini";
import { type Checkpoint, parseCheckpoint, splitNote } from "#core/transparency-log/checkpoint.ts";
import { leafKinds } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { decodeBundle, tilePath, tileWidth, tileWidthAt } from "#core/transparency-log/tile.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { StartError } from "#server/platform/startError.ts";

const head = z.object({
  format: z.literal("drydock.archive/1"),
  practice: z.literal(true),
  backing: z.literal("none"),
  world: z.string(),
  keys: z.array(z.string()).check(z.minLength(1)),
  successions: z.array(z.int()),
  day_leaf: z.nullable(z.int()),
  audit_head: z.nullable(z.object({ leaf: z.int(), seq: z.int(), hash: z.string() })),
});
type ArchiveHead = z.infer<typeof head>;

/** The receipt of a text that was published (`drydock.receipt.publication/1`). */
const publication = z.looseObject({
  publication: z.string(),
  kind: z.string(),
  published_at_ms: z.int(),
  body: z.unknown(),
});
export type ArchivedPublication = z.infer<typeof publication>;

/** The archive of a world, open for reading (docs/formats/archive.md). */
export interface ArchiveFile {
  readonly head: ArchiveHead;
  /** `atMs`: real time at which it was signed, as the archive states. */
  readonly checkpoint: Checkpoint & { note: string; atMs: number };
  readonly world: WorldLeaf;
  /** World time of the first and the last closed second; null if none was closed. */
  readonly seconds: { firstMs: number; lastMs: number } | null;
  /** Newest first. */
  readonly publications: readonly ArchivedPublication[];
  /** The file of the log at this path below `/log`; null if there is none. */
  read(path: string): Promise<Buffer | null>;
  /** The receipt of a text by its id; null if it was not published. */
  publication(id: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Place {
  at: number;
  bytes: number;
}

interface Member extends Place {
  changedAtMs: number;
}

const blockBytes = 512;
/** No file of a log is larger. */
const memberBytesMax = 33_554_432;

/**
 * Opens an archive. Only its form is checked; the content is up to the verifier. Throws a
 * StartError if it is not an archive.
 */
export async function openArchiveFile(path: string): Promise<ArchiveFile> {
  const file = await open(path).catch(() => {
    throw new StartError(`${path} cannot be read.`);
  });
  try {
    return await readArchive(file);
  } catch (error) {
    await file.close();
    if (error instanceof MalformedError)
      throw new StartError(`${path} is no archive of a world: ${error.message}.`);
    throw error;
  }
}

class MalformedError extends Error {}

async function readArchive(file: FileHandle): Promise<ArchiveFile> {
  const members = await readMembers(file);
  const find = async (name: string): Promise<Buffer | null> => {
    const member = members.get(name);
    return member ? await readAt(file, member) : null;
  };
  const json = async (name: string): Promise<unknown> => {
    const bytes = await find(name);
    try {
      return bytes && JSON.parse(bytes.toString());
    } catch {
      throw new MalformedError(`${name} is no JSON`);
    }
  };
  const parsedHead = head.safeParse(await json("archive.json"));
  if (!parsedHead.success) throw new MalformedError("archive.json has another form");
  const note = (await find("log/checkpoint"))?.toString() ?? "";
  const checkpoint = parseCheckpoint(splitNote(note)?.text ?? "");
  if (!checkpoint) throw new MalformedError("its checkpoint has another form");
  const bundleAt = (index: number) => readBundle(find, index, checkpoint.size);
  const world = decodeWorld((await bundleAt(0))[0] ?? new Uint8Array());
  if (!world.ok) throw new MalformedError("its first leaf is not of a world");
  const publications: ArchivedPublication[] = [];
  for (const name of members.keys()) {
    if (!name.startsWith("publications/")) continue;
    const result = publication.safeParse(await json(name));
    if (!result.success) throw new MalformedError(`${name} has another form`);
    publications.push(result.data);
  }
  return {
    head: parsedHead.data,
    checkpoint: { note, ...checkpoint, atMs: members.get("log/checkpoint")?.changedAtMs ?? 0 },
    world: world.value,
    seconds: await readSpan(bundleAt, checkpoint.size),
    publications: publications.toSorted((a, b) => b.published_at_ms - a.published_at_ms),
    read: (name) => find(`log/${name}`),
    publication: (id) => {
      const hash = createHash("sha256").update(id).digest("hex");
      return json(`publications/${hash}.json`);
    },
    close: () => file.close(),
  };
}

async function readBundle(
  find: (name: string) => Promise<Buffer | null>,
  index: number,
  size: number,
): Promise<Uint8Array[]> {
  const name = tilePath({ level: "entries", index, width: tileWidthAt("entries", index, size) });
  const bytes = await find(`log/${name}`);
  const entries = bytes && decodeBundle(bytes);
  if (!entries) throw new MalformedError(`log/${name} is missing or has another form`);
  return entries;
}

/** Reads from both ends, until a second is there. */
async function readSpan(
  bundleAt: (index: number) => Promise<Uint8Array[]>,
  size: number,
): Promise<ArchiveFile["seconds"]> {
  const last = Math.ceil(size / tileWidth) - 1;
  for (let index = 0; index <= last; index += 1) {
    const [firstMs] = readSeconds(await bundleAt(index));
    if (firstMs === undefined) continue;
    for (let end = last; ; end -= 1) {
      const lastMs = readSeconds(await bundleAt(end)).at(-1);
      if (lastMs !== undefined) return { firstMs, lastMs };
    }
  }
  return null;
}

function readSeconds(entries: readonly Uint8Array[]): number[] {
  return entries.flatMap((bytes) => {
    if (bytes[1] !== leafKinds.second) return [];
    const second = decodeSecond(bytes, null);
    return second.ok ? [second.value.secondMs] : [];
  });
}

async function readAt(file: FileHandle, { at, bytes }: Place): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead !== bytes) throw new MalformedError("it ends too early");
  return buffer;
}

/** Where each file lies in a ustar archive. */
async function readMembers(file: FileHandle): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const { size } = await file.stat();
  for (let index = 0; ; ) {
    const header = await readAt(file, { at: index, bytes: blockBytes });
    index += blockBytes;
    if (header.every((byte) => byte === 0)) return members;
    const text = (from: number, length: number) =>
      header.toString("latin1", from, from + length).split("\0")[0]!;
    const octal = (from: number) =>
      /^[0-7]{11}$/.test(text(from, 12)) ? Number.parseInt(text(from, 12), 8) : Number.NaN;
    const [bytes, changedAt] = [octal(124), octal(136)];
    const isValid = bytes <= memberBytesMax && index + bytes <= size && changedAt >= 0;
    if (text(257, 6) !== "ustar" || !isValid)
      throw new MalformedError("it is no tar file of the ustar format, or it is cut off");
    members.set(text(0, 100), { at: index, bytes, changedAtMs: changedAt * 1_000 });
    index += Math.ceil(bytes / blockBytes) * blockBytes;
  }
}
