import { sql } from "kysely";
import { publishedTextHash } from "#core/operator/commitment.ts";
import { auditHash, decodeAudit } from "#core/transparency-log/auditLeaf.ts";
import { type Canonical, canonicalText } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares published texts, and the rows of operators' acts, with the leaves of the audit chain:
 * each leaf has one row, and each row says what its leaf does. Reads all of them.
 */
export function publicationCheck(world: string): AuditCheck {
  const tag = worldTag(world);
  return async (tx, find) => {
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
    const acts = await sql<{
      leaf: bigint;
      at_ms: bigint;
      hash: Buffer | null;
      before_leaf: bigint | null;
    }>`select leaf, at_ms, hash, null::bigint as before_leaf from operator_audit_event
      union all select leaf, at_ms, null, before_leaf from person_audit_event`.execute(tx);
    const textOf = new Map(texts.rows.map((row) => [row.leaf, row]));
    const withdrawn = new Set(texts.rows.flatMap((row) => row.withdrawn_leaf ?? []));
    const actOf = new Map(acts.rows.map((row) => [row.leaf, row]));
    for (const { leaf, bytes } of leaves) {
      const read = decodeAudit(bytes, tag);
      if (!read.ok) {
        find("log.audit", `leaf ${leaf} cannot be read`);
        continue;
      }
      const { record, atMs, before } = read.value;
      const differs = (what: string) => find("log.audit", `leaf ${leaf} is not ${what} of its row`);
      if (record.type === "act") {
        const row = actOf.get(leaf);
        const same =
          row &&
          Number(row.at_ms) === atMs &&
          (row.hash === null
            ? Number(row.before_leaf ?? -1) === (before ?? -1)
            : row.hash.toString("hex") === auditHash(bytes));
        if (!same) differs("the act");
        actOf.delete(leaf);
      } else if (record.state === "withdrawn") {
        if (!withdrawn.delete(leaf)) differs("the withdrawal");
      } else {
        const row = textOf.get(leaf);
        const same =
          row &&
          row.publication === record.publication &&
          row.version === record.version &&
          Number(row.at_ms) === atMs &&
          Number(row.before_leaf ?? -1) === (before ?? -1) &&
          publishedTextHash(world, record.kind, JSON.parse(row.body) as Canonical) ===
            record.text &&
          sameRecord(row.record, record);
        if (!same) differs("the text");
        textOf.delete(leaf);
      }
    }
    for (const leaf of [...textOf.keys(), ...actOf.keys(), ...withdrawn])
      find("log.audit", `leaf ${leaf}, which a row names, is no such leaf`);
  };
}

function sameRecord(stored: string, record: object): boolean {
  return stored === canonicalText(record as Record<string, Canonical>);
}
