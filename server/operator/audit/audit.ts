import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type AuditEventName, toPublicEvent } from "#core/operator/auditEvents.ts";
import { computeEventCommitment } from "#core/operator/commitment.ts";
import type { Role } from "#core/operator/permissions.ts";
import { auditHash, auditStart, decodeAudit } from "#core/transparency-log/auditLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { AppContext } from "#server/platform/context.ts";
import { readAuditHead } from "#server/transparency-log/auditChain.ts";
import { type AuditText, readNewestSeq } from "./events.ts";

export interface AuditEntry {
  seq: number;
  atMs: number;
  operatorId: string;
  role: Role;
  what: AuditEventName;
  target: string | null;
  touches: string | null;
  why: string | null;
  details: AuditText["details"];
  /** The text was erased with the person or operator it belonged to. */
  erased: boolean;
  /** Index of its leaf in the log, and the hash by which the next one names it. */
  leaf: number;
  hash: string;
}

export interface AuditFilters {
  what?: string | undefined;
  operatorId?: string | undefined;
  touches?: string | undefined;
  target?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

interface AuditCheck {
  events: number;
  /** Hash of the newest leaf of the chain; zeros before the first. */
  head: string;
  /** The first entry that does not match the log or its own text; null: all match. */
  brokenAt: number | null;
  /** Entries whose text was erased; the log still shows that they existed, and when. */
  erased: number;
}

export interface Audit {
  /** Newest first. `before` is a sequence number of the chain; entries from it on are left out. */
  page(
    filters: AuditFilters,
    params: { before: number | null; limit: number; skip: number },
  ): Promise<AuditEntry[]>;
  /** The number of the newest entry, and the head of the chain in the log. */
  head(): Promise<{ seq: number; leaf: number | null; hash: string }>;
  /** Recomputes the whole chain from the log, and compares every entry with its leaf. */
  check(): Promise<AuditCheck>;
  /** Everything that matches the filters, oldest first, in chunks. */
  export(filters: AuditFilters): AsyncGenerator<AuditEntry[]>;
}

interface Row {
  seq: bigint;
  at_ms: bigint;
  operator_id: string;
  role: Role;
  what: AuditEventName;
  target: string | null;
  touches: string | null;
  leaf: bigint;
  hash: Buffer;
  key_owner: string | null;
  text_encrypted: Buffer | null;
}

/** A leaf of the chain with its entry; a published text has none. */
interface LeafRow {
  of_leaf: bigint;
  bytes: Buffer;
  seq: bigint | null;
  at_ms: bigint | null;
  operator_id: string | null;
  role: Role | null;
  what: AuditEventName | null;
  target: string | null;
  touches: string | null;
  leaf: bigint | null;
  hash: Buffer | null;
  key_owner: string | null;
  text_encrypted: Buffer | null;
}

const chunkSize = 500;

export function createAudit({
  database: { db },
  fieldEncryption,
  logger,
  world,
}: Pick<AppContext, "database" | "fieldEncryption" | "logger" | "world">): Audit {
  /** Null once it was erased; "unreadable" if no key opens it, as after a manual change. */
  const toText = async ({
    seq,
    key_owner,
    text_encrypted,
  }: Pick<LeafRow, "seq" | "key_owner" | "text_encrypted">): Promise<
    AuditText | "unreadable" | null
  > => {
    if (!key_owner || !text_encrypted) return null;
    try {
      const text = await fieldEncryption.decryptText(key_owner, text_encrypted);
      return text === null ? null : (JSON.parse(text) as AuditText);
    } catch (error) {
      // A temporary failure to read a key file does not make the entry invalid.
      if ((error as NodeJS.ErrnoException).syscall) throw error;
      logger.error({ err: error, seq: Number(seq) }, "the text of an audit entry cannot be read");
      return "unreadable";
    }
  };
  const readRows = async (filters: AuditFilters, range: Range): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      select a.*, t.key_owner, t.text_encrypted from operator_audit_event a left join operator_audit_event_text t using (seq)
      where ${getConditions(filters)} and a.seq > ${range.after} and (${range.before}::bigint is null or a.seq < ${range.before}::bigint)
      order by a.seq ${range.newestFirst ? sql`desc` : sql`asc`} limit ${range.limit} offset ${range.skip}`.execute(
      db,
    );
    return rows;
  };
  const parts = async function* (filters: AuditFilters): AsyncGenerator<Row[]> {
    for (let after = 0; ; ) {
      const rows = await readRows(filters, {
        after,
        before: null,
        limit: chunkSize,
        skip: 0,
        newestFirst: false,
      });
      if (rows.length === 0) return;
      yield rows;
      after = Number(rows.at(-1)!.seq);
    }
  };
  /** The leaves of the chain, in order, each with its entry where it has one. */
  const leaves = async function* (): AsyncGenerator<LeafRow[]> {
    for (let after = -1; ; ) {
      const { rows } = await sql<LeafRow>`
        select l.leaf as of_leaf, l.bytes, a.*, t.key_owner, t.text_encrypted
        from log_leaf l left join operator_audit_event a using (leaf)
          left join operator_audit_event_text t using (seq)
        where l.kind = 12 and l.leaf > ${after} order by l.leaf limit ${chunkSize}`.execute(db);
      if (rows.length === 0) return;
      yield rows;
      after = Number(rows.at(-1)!.of_leaf);
    }
  };
  const toView = async (row: Row): Promise<AuditEntry> => {
    const auditText = await toText(row);
    const text = auditText === "unreadable" ? null : auditText;
    return {
      seq: Number(row.seq),
      atMs: Number(row.at_ms),
      operatorId: row.operator_id,
      role: row.role,
      what: row.what,
      target: row.target,
      touches: row.touches,
      why: text?.why ?? null,
      details: text?.details ?? null,
      erased: auditText === null,
      leaf: Number(row.leaf),
      hash: row.hash.toString("hex"),
    };
  };
  return {
    page: async (filters, { before, limit, skip }) => {
      const rows = await readRows(filters, { after: 0, before, limit, skip, newestFirst: true });
      return Promise.all(rows.map(toView));
    },
    head: async () => {
      const [seq, head] = await Promise.all([readNewestSeq(db), readAuditHead(db)]);
      return { seq, leaf: head?.leaf ?? null, hash: head?.hash ?? auditStart };
    },
    check: async () => {
      let head = { seq: 0, leaf: null as number | null, hash: auditStart };
      let events = 0;
      let erased = 0;
      for await (const rows of leaves()) {
        for (const row of rows) {
          const text = row.seq === null ? null : await toText(row);
          if (row.seq !== null && !text) erased += 1;
          const next =
            text === "unreadable" ? null : checkLeaf(world.name, row, { head, events }, text);
          if (!next) return { events, head: head.hash, brokenAt: events + 1, erased };
          ({ head, events } = next);
        }
      }
      // An entry without a leaf would come after the last of them.
      const hasMore = (await readNewestSeq(db)) > events;
      return { events, head: head.hash, brokenAt: hasMore ? events + 1 : null, erased };
    },
    export: async function* (filters) {
      for await (const rows of parts(filters)) yield await Promise.all(rows.map(toView));
    },
  };
}

interface Range {
  after: number;
  before: number | null;
  limit: number;
  skip: number;
  newestFirst: boolean;
}

function getConditions({ what, operatorId, touches, target, fromMs, toMs }: AuditFilters) {
  const equals = (column: string, value: string | undefined) =>
    sql`(${value ?? null}::text is null or ${sql.ref(`a.${column}`)} = ${value ?? null}::text)`;
  return sql.join(
    [
      // A group of events by their common prefix, or a single event.
      sql`(${what ?? null}::text is null or a.what = ${what ?? null}::text or starts_with(a.what, ${`${what ?? ""}.`}))`,
      equals("operator_id", operatorId),
      equals("touches", touches),
      equals("target", target),
      sql`(${fromMs ?? null}::bigint is null or a.at_ms >= ${fromMs ?? null}::bigint)`,
      sql`(${toMs ?? null}::bigint is null or a.at_ms <= ${toMs ?? null}::bigint)`,
    ],
    sql` and `,
  );
}

interface ChainState {
  head: { seq: number; leaf: number | null; hash: string };
  /** Entries so far. */
  events: number;
}

/**
 * Checks that a leaf follows from the previous one, and that the entry of an action agrees with its
 * leaf and commitment. Returns the state after it; null if anything differs.
 */
function checkLeaf(
  world: string,
  row: LeafRow,
  { head, events }: ChainState,
  text: AuditText | null,
): ChainState | null {
  const audit = decodeAudit(row.bytes, worldTag(world));
  if (!audit.ok) return null;
  const { seq, before, previous, atMs, record } = audit.value;
  if (seq !== head.seq + 1 || before !== head.leaf || previous !== head.hash) return null;
  const next = { seq, leaf: Number(row.of_leaf), hash: auditHash(row.bytes) };
  if (record.type !== "act") return row.seq === null ? { head: next, events } : null;
  if (row.seq === null || Number(row.seq) !== events + 1) return null;
  const entry = row as Row;
  if (entry.hash.toString("hex") !== next.hash || Number(entry.at_ms) !== atMs) return null;
  const { what, operator_id: operator, role, target, touches } = entry;
  // Once the salt is gone, only the public part of the entry can be compared.
  if (text) {
    const { salt, why, details } = text;
    const act = { what, operator, role, target, touches, why, details };
    if (computeEventCommitment(world, Buffer.from(salt, "hex"), act) !== record.commitment)
      return null;
  }
  const publicEvent = toPublicEvent(
    {
      what,
      ...(target === null ? {} : { target }),
      ...(touches === null ? {} : { touches: { userId: touches } }),
      details: text?.details ?? record.act?.details ?? {},
    },
    role,
  );
  return isDeepStrictEqual(publicEvent, record.act) ? { head: next, events: events + 1 } : null;
}
