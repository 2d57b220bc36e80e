import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { sql } from "kysely";
import { publicationReceiptFormat } from "#core/operator/auditReceipt.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import {
  encodeBundle,
  type TileId,
  tilePath,
  tileWidth,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import type { Db } from "#server/platform/db/database.ts";
import { flush } from "#server/platform/durableFiles.ts";
import { DirectoryError } from "#server/platform/worlds/directory.ts";
import { readAuditHead, readPublished } from "#server/transparency-log/auditChain.ts";
import { readIdentity } from "#server/transparency-log/keys.ts";
import {
  readCheckpoint,
  readHandovers,
  readLeaves,
  readSuccessions,
} from "#server/transparency-log/store.ts";
import { loadTile } from "#server/transparency-log/tree.ts";

/** The contents of an archive. */
export interface ArchivedWorld {
  origin: string;
  vkey: string;
  size: number;
  publications: number;
  bytes: number;
}

/**
 * Writes everything that a world publishes, up to its newest checkpoint, as one file
 * (docs/formats/archive.md). `path` must not exist; it is durable on return. Throws a
 * DirectoryError if nothing was signed yet.
 */
export async function writeWorldArchive(db: Db, path: string): Promise<ArchivedWorld> {
  const checkpoint = await readCheckpoint(db);
  const identity = await readIdentity(db);
  if (!checkpoint || !identity)
    throw new DirectoryError(
      "nothing_signed",
      "Nothing is signed in this world yet: there is nothing to export.",
    );
  const { size } = checkpoint;
  const { origin, keys } = identity;
  const world = decodeWorld((await readLeaves(db, 0, 1))[0]!.bytes);
  if (!world.ok) throw new Error("the first leaf of the log is not of a world");
  const { world: name, market } = world.value;
  const log = { origin, vkey: keys[0]!.vkey };
  const publications = await readPublications(db, size);
  const auditHead = await readAuditHead(db, size);
  const head = {
    format: "drydock.archive/1",
    ...{ practice: true, backing: "none", world: name },
    keys: keys.map(({ vkey }) => vkey),
    successions: (await readSuccessions(db)).filter((leaf) => leaf < size),
    day_leaf: await readDayLeaf(db, size),
    audit_head: auditHead && { ...auditHead },
  };
  const file = await open(path, "wx");
  let bytes = 0;
  const add = async (member: string, contents: string | Uint8Array): Promise<void> => {
    const entry = tarEntry(member, Buffer.from(contents as Uint8Array), checkpoint.atMs);
    bytes += entry.length;
    await file.appendFile(entry);
  };
  try {
    await add("archive.json", canonicalText(head));
    await add("log/checkpoint", checkpoint.note);
    const cosigned = await readCosigned(db, size);
    if (cosigned !== null) await add("log/cosigned", cosigned);
    const handovers = await readHandovers(db);
    if (handovers.length > 0) await add("log/handovers", canonicalText(handovers));
    for await (const [tile, contents] of getTiles(db, size)) await add(`log/${tile}`, contents);
    for await (const [leaf, hashes] of getBindings(db, size))
      await add(`log/orders/${leaf}`, hashes);
    for (const publication of publications) {
      const marks = { practice: true, backing: "none", world: name, market, log };
      const receipt = { format: publicationReceiptFormat, ...marks, ...publication };
      await add(publicationPath(publication.publication), canonicalText(receipt));
    }
    bytes += tarEnd.length;
    await file.appendFile(tarEnd);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await flush(dirname(path));
  return { ...log, size, publications: publications.length, bytes };
}

/** Named by the hash of the id, which may be any text. */
function publicationPath(publication: string): string {
  return `publications/${createHash("sha256").update(publication).digest("hex")}.json`;
}

/** Reads the current publications, as the public call answers them. */
async function readPublications(db: Db, size: number) {
  const { rows } = await sql<{ publication: string }>`
    select distinct publication from log_publication order by publication`.execute(db);
  const publications = [];
  for (const { publication } of rows) {
    const newest = await readPublished(db, publication);
    if (newest?.withdrawnLeaf !== null || newest.leaf >= size) continue;
    const { record, leaf, before, atMs, body } = newest;
    const { kind, subject, version } = record;
    const position = { leaf, before_leaf: before, published_at_ms: atMs };
    publications.push({ ...position, publication, kind, subject, version, body });
  }
  return publications;
}

/** The newest `day` leaf; null while no day is over. */
async function readDayLeaf(db: Db, size: number): Promise<number | null> {
  const { rows } = await sql<{ leaf: bigint }>`
    select leaf from log_leaf where kind = 11 and leaf < ${size}::bigint
    order by leaf desc limit 1`.execute(db);
  return rows[0] ? Number(rows[0].leaf) : null;
}

async function readCosigned(db: Db, size: number): Promise<string | null> {
  const { rows } = await sql<{ note: string }>`
    select note from log_cosigned_checkpoint where size <= ${size}::bigint
    order by size desc limit 1`.execute(db);
  return rows[0]?.note ?? null;
}

/** Every tile of the tree of `size`, each at its full width there, and every bundle of entries. */
async function* getTiles(db: Db, size: number): AsyncGenerator<[string, Uint8Array]> {
  for (let index = 0; index * tileWidth < size; index += 1) {
    const width = tileWidthAt("entries", index, size);
    const first = index * tileWidth;
    const entries = (await readLeaves(db, first, first + width)).map(({ bytes }) => bytes);
    yield [tilePath({ level: "entries", index, width }), encodeBundle(entries)];
  }
  for (let level = 0; size / tileWidth ** level >= 1; level += 1)
    for (let index = 0; tileWidthAt(level, index, size) > 0; index += 1) {
      const tile: TileId = { level, index, width: tileWidthAt(level, index, size) };
      const hashes = await loadTile(db, tile);
      if (!hashes) throw new Error(`the log lacks ${tilePath(tile)}`);
      yield [tilePath(tile), hashes];
    }
}

const bindingsAtOnce = 500;

/** The hashes that leaves bind, by leaf. */
async function* getBindings(db: Db, size: number): AsyncGenerator<[number, Uint8Array]> {
  for (let from = -1; ; ) {
    const { rows } = await sql<{ leaf: bigint; hashes: Buffer }>`
      select leaf, hashes from log_binding where leaf > ${from}::bigint and leaf < ${size}::bigint
      order by leaf limit ${bindingsAtOnce}`.execute(db);
    for (const { leaf, hashes } of rows) yield [Number(leaf), hashes];
    if (rows.length < bindingsAtOnce) return;
    from = Number(rows.at(-1)!.leaf);
  }
}

const blockBytes = 512;
/** Two empty blocks. */
const tarEnd = Buffer.alloc(2 * blockBytes);

/** A regular file in the ustar format (POSIX 1003.1-2008), whose name has at most 100 bytes. */
function tarEntry(name: string, contents: Buffer, atMs: number): Buffer {
  const head = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  if (head.write(name, 0) > 100) throw new RangeError(`${name} is too long for an archive`);
  head.write(octal(0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(contents.length, 11), 124);
  head.write(octal(Math.floor(atMs / 1_000), 11), 136);
  head.write(" ".repeat(8), 148);
  head.write("0", 156);
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)} `, 148);
  const padding = Buffer.alloc((blockBytes - (contents.length % blockBytes)) % blockBytes);
  return Buffer.concat([head, contents, padding]);
}
