import { sql } from "kysely";
import type { AuditEventName } from "#core/operator/auditEvents.ts";
import { auditEventHash, chainStart, textHash } from "#core/operator/chain.ts";
import type { Role } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type AuditText, canonicalOf, readHead } from "./events.ts";

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
  hash: string;
  textHash: string | null;
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
  head: string;
  /** The first entry that does not match the previous one or its own text; null: all match. */
  brokenAt: number | null;
  /** Entries whose text was erased: the chain holds without it. */
  erased: number;
}

export interface Audit {
  /** Newest first. `before` is a sequence number of the chain; entries from it on are left out. */
  page(
    filters: AuditFilters,
    asked: { before: number | null; limit: number; skip: number },
  ): Promise<AuditEntry[]>;
  head(): Promise<{ seq: number; hash: string }>;
  /** Recomputes the whole chain. */
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
  text_hash: Buffer | null;
  previous: Buffer;
  hash: Buffer;
  keeper: string | null;
  sealed: Buffer | null;
}

const chunkSize = 500;

export function createAudit({
  database: { db },
  fieldEncryption,
  world,
}: Pick<AppContext, "database" | "fieldEncryption" | "world">): Audit {
  const textOf = async (row: Row): Promise<AuditText | null> => {
    if (!row.keeper || !row.sealed) return null;
    const text = await fieldEncryption.decryptText(row.keeper, row.sealed);
    return text === null ? null : (JSON.parse(text) as AuditText);
  };
  const read = async (filters: AuditFilters, range: Range): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      select a.*, t.keeper, t.sealed from operator_audit_event a left join operator_audit_event_text t using (seq)
      where ${conditionsOf(filters)} and a.seq > ${range.after} and (${range.before}::bigint is null or a.seq < ${range.before}::bigint)
      order by a.seq ${range.newestFirst ? sql`desc` : sql`asc`} limit ${range.limit} offset ${range.skip}`.execute(
      db,
    );
    return rows;
  };
  const parts = async function* (filters: AuditFilters): AsyncGenerator<Row[]> {
    for (let after = 0; ; ) {
      const rows = await read(filters, {
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
  const viewOf = async (row: Row): Promise<AuditEntry> => {
    const text = await textOf(row);
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
      erased: row.text_hash !== null && text === null,
      hash: row.hash.toString("hex"),
      textHash: row.text_hash?.toString("hex") ?? null,
    };
  };
  return {
    page: async (filters, { before, limit, skip }) => {
      const rows = await read(filters, { after: 0, before, limit, skip, newestFirst: true });
      return Promise.all(rows.map(viewOf));
    },
    head: () => readHead(db),
    check: async () => {
      let head = chainStart;
      let events = 0;
      let erased = 0;
      for await (const rows of parts({})) {
        for (const row of rows) {
          events += 1;
          const text = await textOf(row);
          if (row.text_hash && !text) erased += 1;
          if (!follows(world.name, row, { seq: events, previous: head }, text)) {
            return { events, head, brokenAt: Number(row.seq), erased };
          }
          head = row.hash.toString("hex");
        }
      }
      return { events, head, brokenAt: null, erased };
    },
    export: async function* (filters) {
      for await (const rows of parts(filters)) yield await Promise.all(rows.map(viewOf));
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

function conditionsOf({ what, operatorId, touches, target, fromMs, toMs }: AuditFilters) {
  const one = (column: string, value: string | undefined) =>
    sql`(${value ?? null}::text is null or ${sql.ref(`a.${column}`)} = ${value ?? null}::text)`;
  return sql.join(
    [
      // A group of events by their common prefix, or a single event.
      sql`(${what ?? null}::text is null or a.what = ${what ?? null}::text or starts_with(a.what, ${`${what ?? ""}.`}))`,
      one("operator_id", operatorId),
      one("touches", touches),
      one("target", target),
      sql`(${fromMs ?? null}::bigint is null or a.at_ms >= ${fromMs ?? null}::bigint)`,
      sql`(${toMs ?? null}::bigint is null or a.at_ms <= ${toMs ?? null}::bigint)`,
    ],
    sql` and `,
  );
}

/**
 * Whether an entry is the next in the chain and its hash matches, including its text where that
 * still exists.
 */
function follows(
  world: string,
  row: Row,
  next: { seq: number; previous: string },
  text: AuditText | null,
): boolean {
  const written = row.text_hash?.toString("hex") ?? null;
  if (Number(row.seq) !== next.seq || row.previous.toString("hex") !== next.previous) return false;
  if (text) {
    const hashed = textHash(Buffer.from(text.salt, "hex"), canonicalOf(text));
    if (bytesToHex(hashed) !== written) return false;
  }
  const hash = auditEventHash(world, next.previous, {
    seq: next.seq,
    atMs: Number(row.at_ms),
    operatorId: row.operator_id,
    role: row.role,
    what: row.what,
    target: row.target,
    touches: row.touches,
    textHash: written,
  });
  return bytesToHex(hash) === row.hash.toString("hex");
}
