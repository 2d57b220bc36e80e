import { sql } from "kysely";
import type { AuditHead } from "#core/operator/auditChain.ts";
import { listLanguages, publishedTextHash } from "#core/operator/commitment.ts";
import {
  type AuditRecord,
  auditHash,
  auditStart,
  decodeAudit,
  encodeAudit,
  type PublicationRecord,
} from "#core/transparency-log/auditLeaf.ts";
import { type Canonical, canonicalText } from "#core/transparency-log/canonical.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { insertLeaves, lockNextIndex } from "#server/transparency-log/store.ts";

/** The position of a record in the log. */
export interface AppendedAudit {
  leaf: number;
  before: number | null;
  hash: string;
}

/** The newest leaf of the chain below `size`; null before the first. */
export async function readAuditHead(
  db: Db | Tx,
  size = Number.MAX_SAFE_INTEGER,
): Promise<AuditHead | null> {
  // A literal, so that the index over these leaves alone is used.
  const { rows } = await sql<{ leaf: bigint; bytes: Buffer }>`
    select leaf, bytes from log_leaf where kind = 12 and leaf < ${size}::bigint order by leaf desc limit 1`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return null;
  const decodedLeaf = decodeAudit(row.bytes, null);
  if (!decodedLeaf.ok) throw new Error(`leaf ${row.leaf} of the log is not of the audit`);
  return { leaf: Number(row.leaf), seq: decodedLeaf.value.seq, hash: auditHash(row.bytes) };
}

/**
 * Appends records to the audit chain in the caller's transaction. The log's append lock, held until
 * the transaction ends, orders the chain: call it last.
 */
export async function appendAudit(
  tx: Tx,
  world: string,
  records: readonly AuditRecord[],
  atMs: number,
): Promise<AppendedAudit[]> {
  if (records.length === 0) return [];
  const first = await lockNextIndex(tx);
  let head = await readAuditHead(tx);
  const appendedLeaves: AppendedAudit[] = [];
  const leaves = records.map((record, index) => {
    const before = head?.leaf ?? null;
    const seq = (head?.seq ?? 0) + 1;
    const previous = head?.hash ?? auditStart;
    const bytes = encodeAudit({ world, seq, before, previous, atMs, record });
    head = { leaf: first + index, seq, hash: auditHash(bytes) };
    appendedLeaves.push({ leaf: head.leaf, before, hash: head.hash });
    return { kind: "audit" as const, bytes };
  });
  await insertLeaves(tx, leaves, atMs);
  return appendedLeaves;
}

/** A text or an offer as it becomes public. */
export interface PublishedText {
  publication: string;
  kind: string;
  subject: string | null;
  version: number;
  body: Canonical;
}

/** Records that a version is published; returns the index of its leaf. */
export async function recordPublished(
  tx: Tx,
  world: string,
  { publication, kind, subject, version, body: publishedBody }: PublishedText,
  atMs: number,
): Promise<number> {
  const body = wellFormed(publishedBody);
  const text = publishedTextHash(world, kind, body);
  const languages = listLanguages(body);
  const head = { publication, kind, subject, version };
  const record = { type: "publication", ...head, state: "published", text, languages } as const;
  const [appendedLeaf] = await appendAudit(tx, world, [record], atMs);
  const { leaf, before } = appendedLeaf!;
  await sql`
    insert into log_publication (publication, version, leaf, before_leaf, at_ms, record, body)
    values (${publication}, ${version}, ${leaf}, ${before}, ${atMs}, ${canonicalText(asCanonical(record))},
      ${canonicalText(body)})`.execute(tx);
  return leaf;
}

/** Records that the newest version of a publication is withdrawn; returns the index of its leaf. */
export async function recordWithdrawn(
  tx: Tx,
  world: string,
  publication: string,
  atMs: number,
): Promise<number> {
  const newest = await readPublished(tx, publication);
  if (newest?.withdrawnLeaf !== null) throw new Error(`${publication} is not published in the log`);
  const record = { ...newest.record, state: "withdrawn" } as const;
  const [appendedLeaf] = await appendAudit(tx, world, [record], atMs);
  const { leaf } = appendedLeaf!;
  await sql`
    update log_publication set withdrawn_leaf = ${leaf}
    where publication = ${publication} and version = ${newest.record.version}`.execute(tx);
  return leaf;
}

/** The newest version of a publication in the log. */
export interface StoredPublication {
  record: PublicationRecord;
  leaf: number;
  before: number | null;
  atMs: number;
  body: Canonical;
  /** Null while it is published. */
  withdrawnLeaf: number | null;
}

export async function readPublished(
  db: Db | Tx,
  publication: string,
): Promise<StoredPublication | null> {
  const { rows } = await sql<{
    leaf: bigint;
    before_leaf: bigint | null;
    at_ms: bigint;
    record: string;
    body: string;
    withdrawn_leaf: bigint | null;
  }>`select * from log_publication where publication = ${publication}
    order by version desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return {
    record: JSON.parse(row.record) as PublicationRecord,
    leaf: Number(row.leaf),
    before: row.before_leaf === null ? null : Number(row.before_leaf),
    atMs: Number(row.at_ms),
    body: JSON.parse(row.body) as Canonical,
    withdrawnLeaf: row.withdrawn_leaf === null ? null : Number(row.withdrawn_leaf),
  };
}

/** Lone surrogates have no canonical form; its author sees the replacement character. */
function wellFormed(value: Canonical): Canonical {
  const replace = (_name: string, item: unknown) =>
    typeof item === "string" ? item.toWellFormed() : item;
  return JSON.parse(JSON.stringify(value, replace)) as Canonical;
}

const asCanonical = (record: PublicationRecord): Canonical => ({
  ...record,
  languages: [...record.languages],
});
