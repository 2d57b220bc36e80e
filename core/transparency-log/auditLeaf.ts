import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import { decodeJsonBody, encodeJsonLeaf, ensure } from "#core/transparency-log/leaf.ts";
import {
  exactly,
  isCount,
  isHash,
  isObject,
  isText,
  orNull,
} from "#core/transparency-log/schema.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** Named values of an act: for everyone, or in the opening of a commitment. */
export type EventDetails = Readonly<Record<string, string | number | boolean | null>>;

/** The public part of an action that affects no person. */
export interface PublicEvent {
  what: string;
  role: string;
  /** Opaque id of the changed object; null if that could be a person. */
  target: string | null;
  details: EventDetails | null;
}

/** An act of an operator. */
export interface ActRecord {
  type: "act";
  /** Null for an act that affects a person: only its number and time are public. */
  act: PublicEvent | null;
  /** Salted hash of the whole act (`computeEventCommitment`), lower-case hex. */
  commitment: string;
}

/** A version of something published here, or its withdrawal. */
export interface PublicationRecord {
  type: "publication";
  publication: string;
  kind: string;
  subject: string | null;
  version: number;
  state: "published" | "withdrawn";
  /** `publishedTextHash` of the version, lower-case hex. */
  text: string;
  /** In ascending order; empty where there is no text to translate. */
  languages: readonly string[];
}

/** The place of a leaf in the audit chain. */
interface ChainPlace {
  world: string;
  /** 1, 2, 3 … without gaps. */
  seq: number;
  /** Index of the `audit` leaf before it; null for the first. */
  before: number | null;
  /** Hash of that leaf's body, lower-case hex; zeros for the first. */
  previous: string;
  /** Real time. */
  atMs: number;
}

export type AuditRecord = ActRecord | PublicationRecord;
export type AuditLeaf = ChainPlace & { record: AuditRecord };

/** The hash before the first leaf of the chain. */
export const auditStart = "0".repeat(64);

/** The hash that the next leaf names as `previous`: SHA-256 of the JSON bytes, without the head. */
export function auditHash(leaf: Uint8Array): string {
  return bytesToHex(sha256(leaf.subarray(11)));
}

/** Throws a RangeError for values a decoder would refuse. */
export function encodeAudit({ world, seq, before, previous, atMs, record }: AuditLeaf): Uint8Array {
  const marks = { practice: true, backing: "none", world } as const;
  const members = { ...record } as unknown as Record<string, Canonical>;
  const bytes = encodeJsonLeaf("audit", {
    ...marks,
    seq,
    before,
    previous,
    at_ms: atMs,
    ...members,
  });
  if (!decodeAudit(bytes, null).ok) throw new RangeError("not a valid audit leaf");
  return bytes;
}

/** Reads an `audit` leaf of the world with this tag (null: of any world). */
export function decodeAudit(bytes: Uint8Array, tag: Uint8Array | null): Decoded<AuditLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "audit", tag);
    ensure(body.type === "act" ? isAuditEvent(body) : isPublication(body));
    const { seq, before, previous, at_ms: atMs, world } = body as unknown as Wire;
    ensure((seq === 1) === (before === null) && (seq === 1) === (previous === auditStart));
    return { world, seq, before, previous, atMs, record: toRecord(body) };
  });
}

interface Wire {
  world: string;
  seq: number;
  before: number | null;
  previous: string;
  at_ms: number;
}

const headerNames = new Set(["practice", "backing", "world", "seq", "before", "previous", "at_ms"]);

/** Extracts the record from a body whose form has been checked. */
function toRecord(body: Record<string, unknown>): AuditRecord {
  const members = Object.entries(body).filter(([name]) => !headerNames.has(name));
  return Object.fromEntries(members) as unknown as AuditRecord;
}

const isPositive = (value: unknown) => isCount(value) && value > 0;
const commonFields = {
  practice: (value: unknown) => value === true,
  backing: (value: unknown) => value === "none",
  world: isText,
  seq: isPositive,
  before: orNull(isCount),
  previous: isHash,
  at_ms: isCount,
};

const isDetail = (value: unknown) =>
  value === null ||
  typeof value === "boolean" ||
  Number.isSafeInteger(value) ||
  (typeof value === "string" && value.length <= 200);

/** At most this many members. */
const detailsMax = 16;
const isDetails = (value: unknown) =>
  isObject(value) &&
  Object.keys(value).length <= detailsMax &&
  Object.keys(value).every(isText) &&
  Object.values(value).every(isDetail);

const isAuditEvent = exactly({
  ...commonFields,
  type: (value) => value === "act",
  act: orNull(
    exactly({ what: isText, role: isText, target: orNull(isText), details: orNull(isDetails) }),
  ),
  commitment: isHash,
});

const isLanguages = (value: unknown) =>
  Array.isArray(value) &&
  value.every((item, index) => isText(item) && (index === 0 || value[index - 1] < item));

const isPublication = exactly({
  ...commonFields,
  type: (value) => value === "publication",
  publication: isText,
  kind: isText,
  subject: orNull(isText),
  version: isPositive,
  state: (value) => value === "published" || value === "withdrawn",
  text: isHash,
  languages: isLanguages,
});
