import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { minuteMs } from "#core/money/time.ts";
import { type AuditEventName, auditEventNames, toPublicEvent } from "#core/operator/auditEvents.ts";
import { publishedTextHash } from "#core/operator/commitment.ts";
import { type ActRecord, auditHash, decodeAudit } from "#core/transparency-log/auditLeaf.ts";
import { type Canonical, canonicalText } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares published texts, and the rows of operators' actions, with the leaves of the audit chain:
 * each leaf has exactly one row, and both agree. Reads all of them.
 */
export function createPublicationCheck(world: string): AuditCheck {
  const tag = worldTag(world);
  return async (tx, report) => {
    const { rows: leaves } = await sql<{ leaf: bigint; bytes: Buffer }>`
      select leaf, bytes from log_leaf where kind = 12 order by leaf`.execute(tx);
    const texts = await sql<{
      publication: string;
      version: number;
      leaf: bigint;
      before_leaf: bigint | null;
      at_ms: bigint;
      record: string;
      body: string;
      withdrawn_leaf: bigint | null;
    }>`select * from log_publication`.execute(tx);
    const events = await sql<EventRow>`
      select leaf, at_ms, hash, what, role, target, touches from operator_audit_event`.execute(tx);
    // World time is when its person sees it; the leaf has the real time.
    const notified = await sql<{
      leaf: bigint;
      recorded_at_ms: bigint;
      before_leaf: bigint | null;
    }>`select leaf, recorded_at_ms, before_leaf from person_audit_event`.execute(tx);
    const textOf = new Map(texts.rows.map((row) => [row.leaf, row]));
    const withdrawn = new Set(texts.rows.flatMap((row) => row.withdrawn_leaf ?? []));
    const eventOf = new Map(events.rows.map((row) => [row.leaf, row]));
    const notifiedOf = new Map(notified.rows.map((row) => [row.leaf, row]));
    for (const { leaf, bytes } of leaves) {
      const audit = decodeAudit(bytes, tag);
      if (!audit.ok) {
        report("log.audit", `leaf ${leaf} cannot be read`);
        continue;
      }
      const { record, atMs, before } = audit.value;
      const reportLeaf = (expected: string) =>
        report("log.audit", `leaf ${leaf} is not ${expected}`);
      if (record.type === "act") {
        const event = eventOf.get(leaf);
        const matches =
          event &&
          Number(event.at_ms) === atMs &&
          event.hash.toString("hex") === auditHash(bytes) &&
          isDeepStrictEqual(publicPart(event, record), record.act);
        if (!matches) reportLeaf("the act of its row");
        const person = notifiedOf.get(leaf);
        if (
          person &&
          (!isRecordedWith(Number(person.recorded_at_ms), atMs) ||
            Number(person.before_leaf ?? -1) !== (before ?? -1))
        )
          reportLeaf("the act in its person's records");
        eventOf.delete(leaf);
        notifiedOf.delete(leaf);
      } else if (record.state === "withdrawn") {
        if (!withdrawn.delete(leaf)) reportLeaf("the withdrawal of its row");
      } else {
        const row = textOf.get(leaf);
        const matches =
          row &&
          row.publication === record.publication &&
          row.version === record.version &&
          Number(row.at_ms) === atMs &&
          Number(row.before_leaf ?? -1) === (before ?? -1) &&
          publishedTextHash(world, record.kind, JSON.parse(row.body) as Canonical) ===
            record.text &&
          sameRecord(row.record, record);
        if (!matches) reportLeaf("the text of its row");
        textOf.delete(leaf);
      }
    }
    for (const leaf of [...textOf.keys(), ...eventOf.keys(), ...notifiedOf.keys(), ...withdrawn])
      report("log.audit", `leaf ${leaf}, which a row names, is no such leaf`);
  };
}

interface EventRow {
  leaf: bigint;
  at_ms: bigint;
  hash: Buffer;
  what: AuditEventName;
  role: string;
  target: string | null;
  touches: string | null;
}

/** The public part of an action in the log; the details are those of the leaf. */
function publicPart({ what, role, target, touches }: EventRow, { act }: ActRecord) {
  if (!auditEventNames.includes(what)) return undefined;
  return toPublicEvent(
    {
      what,
      ...(target === null ? {} : { target }),
      ...(touches === null ? {} : { touches: { userId: touches } }),
      details: act?.details ?? {},
    },
    role,
  );
}

/** Both are written in one transaction, within seconds, but the clock may be set in between. */
function isRecordedWith(recordedAtMs: number, leafAtMs: number): boolean {
  return Math.abs(recordedAtMs - leafAtMs) < minuteMs;
}

function sameRecord(storedText: string, record: object): boolean {
  return storedText === canonicalText(record as Record<string, Canonical>);
}
