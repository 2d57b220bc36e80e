import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { LeafReader } from "./contracts/receipt.ts";
import { CannotCheckError, type Instance } from "./instance.ts";
import { MismatchError, sha256 } from "./log/bytes.ts";
import { parseCanonical } from "./log/canonical.ts";
import { readStoredLog, type StoredLog } from "./log/checkpointStore.ts";
import { findSigningKeys } from "./log/handover.ts";
import type { LogReader } from "./log/logReader.ts";
import { parseVerifierKey, type VerifierKey } from "./log/note.ts";
import { checkPublicationReceipt } from "./operator/receipts.ts";

/** The publications of a world, in one file (docs/formats/archive.md). */
export interface Archive {
  /** Returns the answers of the instance that wrote it, for the calls that a check makes. */
  instance: Instance;
  /** Receipts of the texts that were published. */
  publications: () => Iterable<unknown>;
  close: () => void;
}

const blockBytes = 512;
const memberBytesMax = 33_554_432;
const format = "drydock.archive/1";

/** The members that an archive may have. */
const memberForm =
  /^(archive\.json|log\/(checkpoint|cosigned|handovers)|log\/tile\/(entries|[0-9]{1,2})\/(x[0-9]{3}\/){0,4}[0-9]{3}(\.p\/[1-9][0-9]{0,2})?|log\/orders\/(0|[1-9][0-9]{0,14})|publications\/[0-9a-f]{64}\.json)$/;

interface Place {
  at: number;
  bytes: number;
}

const malformed = (detail: string) => new MismatchError("archive", "archive_malformed", detail);

/** Opens an archive; throws a MismatchError unless it is one. */
export function openArchive(path: string): Archive {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    throw new CannotCheckError(`Cannot read ${path}.`);
  }
  const members = readMembers(file);
  const find = (name: string): Buffer | null => {
    const member = members.get(name);
    return member ? readAt(file, member) : null;
  };
  const head = readHead(find("archive.json"));
  const answerCall = async (address: string): Promise<unknown> => {
    const { pathname, searchParams } = new URL(address, "http://archive.invalid");
    switch (pathname) {
      case "/api/log/getState":
        return { keys: head.keys.map((vkey) => ({ vkey })), successions: head.successions };
      case "/api/market/getSeconds":
        return { day_leaf: head.day_leaf };
      case "/api/log/getAuditHead":
        return { head: head.audit_head };
      case "/api/log/getPublication": {
        const bytes = find(publicationName(searchParams.get("publication") ?? ""));
        if (bytes) return parseCanonical(bytes);
      }
    }
    throw new CannotCheckError(`The archive does not hold ${address}.`);
  };
  return {
    instance: {
      file: async (name) => {
        const bytes = find(`log/${name}`);
        if (!bytes) throw new MismatchError("leaves", "leaf_missing", `log/${name}`);
        return bytes;
      },
      call: answerCall,
      page: async () => null,
    },
    publications: function* () {
      for (const [name, member] of members) {
        if (!name.startsWith("publications/")) continue;
        const receipt = parsed(readAt(file, member), name) as { publication?: unknown } | null;
        if (publicationName(String(receipt?.publication)) !== name) throw malformed(name);
        yield receipt;
      }
    },
    close: () => closeSync(file),
  };
}

const publicationName = (publication: string): string =>
  `publications/${sha256(Buffer.from(publication)).toString("hex")}.json`;

function parsed(bytes: Uint8Array, name: string): unknown {
  try {
    return parseCanonical(bytes);
  } catch {
    throw malformed(name);
  }
}

function readAt(file: number, { at, bytes }: Place): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (readSync(file, buffer, 0, bytes, at) !== bytes) throw malformed("it ends in a member");
  return buffer;
}

/** The position of each member in a ustar archive of regular files without repetition. */
function readMembers(file: number): Map<string, Place> {
  const members = new Map<string, Place>();
  const { size } = fstatSync(file);
  const head = Buffer.alloc(blockBytes);
  for (let index = 0; ; ) {
    if (readSync(file, head, 0, blockBytes, index) !== blockBytes) throw malformed("it has no end");
    index += blockBytes;
    if (head.every((byte) => byte === 0)) return members;
    const { name, bytes } = readHeader(head);
    if (!memberForm.test(name)) throw malformed(`a member ${JSON.stringify(name)}`);
    if (members.has(name)) throw malformed(`${name} is there twice`);
    if (bytes > memberBytesMax) throw malformed(`${name} has ${bytes} bytes`);
    if (index + bytes > size) throw malformed(`it ends in ${name}`);
    members.set(name, { at: index, bytes });
    index += Math.ceil(bytes / blockBytes) * blockBytes;
  }
}

function readHeader(head: Buffer): { name: string; bytes: number } {
  const field = (from: number, length: number) => {
    const text = head.toString("latin1", from, from + length);
    const end = text.indexOf("\0");
    return end < 0 ? text : text.slice(0, end);
  };
  const sum = head.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte),
    0,
  );
  const isFile = field(257, 6) === "ustar" && field(345, 155) === "" && head[156] === 0x30;
  if (!isFile || Number.parseInt(field(148, 8), 8) !== sum) throw malformed("a header");
  if (!/^[0-7]{11}$/.test(field(124, 12))) throw malformed("the size in a header");
  return { name: field(0, 100), bytes: Number.parseInt(field(124, 12), 8) };
}

interface ArchiveHead {
  keys: readonly string[];
  successions: readonly number[];
  day_leaf: number | null;
  audit_head: unknown;
}

function readHead(bytes: Buffer | null): ArchiveHead {
  if (!bytes) throw malformed("archive.json is missing");
  const head = parsed(bytes, "archive.json") as Record<string, unknown> | null;
  const { format: headFormat, keys, successions, day_leaf: dayLeaf } = head ?? {};
  if (
    typeof headFormat === "string" &&
    headFormat.startsWith("drydock.archive/") &&
    headFormat !== format
  )
    throw new MismatchError("archive", "archive_version_unknown", headFormat);
  const names = Object.keys(head ?? {}).sort();
  const isLeaf = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const isWellFormed =
    names.join() === "audit_head,backing,day_leaf,format,keys,practice,successions,world" &&
    headFormat === format &&
    typeof head?.world === "string" &&
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => typeof key === "string") &&
    Array.isArray(successions) &&
    successions.every(isLeaf) &&
    (dayLeaf === null || isLeaf(dayLeaf));
  if (!isWellFormed) throw malformed("archive.json");
  if (head.practice !== true || head.backing !== "none")
    throw new MismatchError("archive", "not_practice");
  return {
    keys: keys as string[],
    successions: successions as number[],
    day_leaf: dayLeaf as number | null,
    audit_head: head.audit_head,
  };
}

/** The evidence for an archive besides its own signature. */
export interface KnownArchive {
  origin: string;
  vkey: string;
  /** The reader's knowledge of the key; `other`: the reader knows the log by another key. */
  key: "known" | "unknown" | "other";
}

/**
 * Compares an archive with what the reader knows about its log: keys from elsewhere, and the last
 * checkpoint that was proven. A file has no address, so nothing is stored about it. Also resolves
 * with sentences.
 */
export async function compareArchive(
  memory: string,
  reader: LogReader,
  { vkey, given }: { vkey: string; given: readonly VerifierKey[] },
): Promise<{ archive: KnownArchive; lines: string[] }> {
  const { checkpoint } = reader;
  const { origin } = checkpoint;
  const stored = readStoredLog(memory, origin);
  const trustedKeys = [...given, ...(stored ? [parseVerifierKey(stored.vkey)] : [])].filter(
    ({ name }) => name === origin,
  );
  const vkeys = trustedKeys.map((key) => key.vkey);
  const isKnown = (await findSigningKeys(reader, vkeys)).length > 0;
  const statusIfUnsigned = trustedKeys.length > 0 ? "other" : "unknown";
  return {
    archive: { origin, vkey, key: isKnown ? "known" : statusIfUnsigned },
    lines: [stored ? await compareLast(reader, stored) : "You have not seen this log before."],
  };
}

async function compareLast(reader: LogReader, { checkpoint: last }: StoredLog): Promise<string> {
  if (last.size > reader.checkpoint.size)
    return `You have proven a later tree (${last.size} leaves): the archive ends before it and cannot be compared with it.`;
  await reader.continues(last);
  return `The archive continues the log that you remember (${last.size} leaves then).`;
}

/** Checks the receipt of every text; resolves with a sentence. */
export async function checkPublications(archive: Archive, leaf: LeafReader): Promise<string> {
  let checked = 0;
  for (const receipt of archive.publications()) {
    await checkPublicationReceipt(receipt, leaf);
    checked += 1;
  }
  return `${checked} published texts are those that the log names.`;
}
