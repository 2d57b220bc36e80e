import { sql } from "kysely";
import type { PublicationRecord } from "#core/transparency-log/auditLeaf.ts";
import { type Canonical, canonicalText } from "#core/transparency-log/canonical.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares the published texts that screens read with those in the log, which `createPublicationCheck`
 * compares with its leaves. Reads every row.
 */
export const reconcilePublications: AuditCheck = async (tx, report) => {
  const { rows } = await sql<{
    id: string;
    version: number;
    own: string | null;
    logged: string | null;
    same: boolean | null;
  }>`
    select coalesce(v.publication_id::text, l.publication) as id,
      coalesce(v.version, l.version) as version, v.body as own, l.body as logged,
      (v.leaf, v.published_at_ms) = (l.leaf, l.at_ms) as same
    from publication_version v
      full join (select l.* from log_publication l
          where exists (select from publication p where p.id::text = l.publication)) l
        on l.publication = v.publication_id::text and l.version = v.version`.execute(tx);
  for (const { id, version, own, logged, same } of rows)
    if (!same || own === null || toCanonical(own) !== logged)
      report("publishing.version", `version ${version} of ${id} is not what was published`);
  const heads = await sql<{
    id: string;
    kind: string;
    subject: string | null;
    version: number;
    withdrawn: boolean;
    first_published_at_ms: bigint | null;
    record: string | null;
    newest: number | null;
    gone: boolean | null;
    first_at_ms: bigint | null;
  }>`
    select p.id, p.kind, p.subject, p.version, p.withdrawn, p.first_published_at_ms, l.record,
      l.version as newest, l.withdrawn_leaf is not null as gone,
      (select at_ms from log_publication f where f.publication = p.id::text and f.version = 1)
        as first_at_ms
    from publication p left join lateral (
      select * from log_publication l where l.publication = p.id::text
      order by version desc limit 1) l on true`.execute(tx);
  for (const row of heads.rows) {
    const record = row.record === null ? null : (JSON.parse(row.record) as PublicationRecord);
    const matches =
      row.version === (row.newest ?? 0) &&
      row.withdrawn === (row.newest !== null && row.gone === true) &&
      row.first_published_at_ms === row.first_at_ms &&
      (record === null || (record.kind === row.kind && record.subject === row.subject));
    if (!matches) report("publishing.publication", `${row.id} is not what was published of it`);
  }
  const result = await sql<{ publication: string }>`
    select distinct l.publication from log_publication l
    -- The practice terms of a version are published by the program itself.
    where l.publication ~ '^[0-9a-f]{8}-' and not exists (select from publication p where p.id::text = l.publication)`.execute(
    tx,
  );
  for (const { publication } of result.rows)
    report("publishing.publication", `${publication} was published and is missing`);
};

/** The canonical form of a body; null if it cannot be read. */
function toCanonical(text: string): string | null {
  try {
    const replace = (_name: string, value: unknown) =>
      typeof value === "string" ? value.toWellFormed() : value;
    return canonicalText(JSON.parse(JSON.stringify(JSON.parse(text), replace)) as Canonical);
  } catch {
    return null;
  }
}
