import { sql } from "kysely";
import type { Kind } from "#core/publishing/bodies.ts";
import type { Publication, PublicationState } from "#core/publishing/change.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { PublicationRow, VersionRow } from "#server/publishing/types.ts";

interface StoredPublication {
  seq: bigint;
  id: string;
  kind: Kind;
  subject: string | null;
  revision: number;
  draft: string | null;
  publish_at_ms: bigint | null;
  refused: string | null;
  version: number;
  withdrawn: boolean;
  first_published_at_ms: bigint | null;
  created_at_ms: bigint;
  changed_at_ms: bigint;
  changed_by: string;
  scheduled_by: string | null;
  body: string | null;
  published_at_ms: bigint | null;
  published_by: string | null;
  leaf: bigint | null;
}

const moment = (value: bigint | null) => (value === null ? null : Number(value));

function toRow(row: StoredPublication): PublicationRow {
  return {
    seq: row.seq,
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    revision: row.revision,
    hasDraft: row.draft !== null,
    draft: row.draft,
    publishAtMs: moment(row.publish_at_ms),
    refused: row.refused,
    version: row.version,
    unpublished: row.withdrawn,
    firstPublishedAtMs: moment(row.first_published_at_ms),
    createdAtMs: Number(row.created_at_ms),
    changedAtMs: Number(row.changed_at_ms),
    changedBy: row.changed_by,
    scheduledBy: row.scheduled_by,
    live:
      row.body === null
        ? null
        : {
            version: row.version,
            body: row.body,
            publishedAtMs: Number(row.published_at_ms),
            publishedBy: row.published_by!,
            leaf: Number(row.leaf),
          },
  };
}

const columns = sql`p.*, v.body, v.published_at_ms, v.published_by, v.leaf
  from publication p left join publication_version v on v.publication_id = p.id and v.version = p.version`;

/** Reads one by id; `lock` serialises changes of it. */
export async function readPublication(
  db: Db | Tx,
  id: string,
  lock = false,
): Promise<PublicationRow | null> {
  const { rows } = await sql<StoredPublication>`
    select ${columns} where p.id = ${id} ${lock ? sql`for update of p` : sql``}`.execute(db);
  return rows[0] ? toRow(rows[0]) : null;
}

export async function readBySubject(
  db: Db | Tx,
  kind: Kind,
  subject: string,
): Promise<PublicationRow | null> {
  const { rows } = await sql<StoredPublication>`
    select ${columns} where p.kind = ${kind} and p.subject = ${subject}`.execute(db);
  return rows[0] ? toRow(rows[0]) : null;
}

/** `getPublicationState` of core/publishing/change.ts, for the list. */
const stateSql = sql<PublicationState>`case when p.publish_at_ms is not null then 'scheduled'
  when p.version = 0 then 'draft' when p.withdrawn then 'withdrawn' else 'published' end`;

/** Newest first, of one state or (null) all; `before` is a `seq`, for stable pages. */
export async function listPublications(
  db: Db,
  kind: Kind,
  page: { state: PublicationState | null; before: bigint | null; skip: number; take: number },
): Promise<PublicationRow[]> {
  const { rows } = await sql<StoredPublication>`
    select ${columns} where p.kind = ${kind} and (${page.before}::bigint is null or p.seq <= ${page.before}::bigint)
      and (${page.state}::text is null or ${stateSql} = ${page.state})
    order by p.seq desc limit ${page.take} offset ${page.skip}`.execute(db);
  return rows.map(toRow);
}

/** Changes whenever anything of a kind does. */
export async function readLastModified(db: Db, kind: Kind): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select concat_ws('/', count(*), sum(revision), sum(version)) as stamp from publication where kind = ${kind}`.execute(
    db,
  );
  return rows[0]!.stamp;
}

/** Lists the publications that people see now, by first publication, newest first. */
export async function listLive(db: Db, kind: Kind): Promise<PublicationRow[]> {
  const { rows } = await sql<StoredPublication>`
    select ${columns} where p.kind = ${kind} and p.version > 0 and not p.withdrawn
    order by p.first_published_at_ms desc, p.seq desc limit 1000`.execute(db);
  return rows.map(toRow);
}

export async function listVersions(db: Db, id: string): Promise<VersionRow[]> {
  const { rows } = await sql<{
    version: number;
    body: string;
    published_at_ms: bigint;
    published_by: string;
    leaf: bigint;
  }>`select version, body, published_at_ms, published_by, leaf from publication_version
    where publication_id = ${id} order by version desc limit 200`.execute(db);
  return rows.map((row) => ({
    version: row.version,
    body: row.body,
    publishedAtMs: Number(row.published_at_ms),
    publishedBy: row.published_by,
    leaf: Number(row.leaf),
  }));
}

/** Ids of those that are due. */
export async function listDue(db: Db, nowMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from publication where publish_at_ms <= ${nowMs} order by publish_at_ms, seq limit 100`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Turns an operator's scheduled publications back into drafts; returns their ids. */
export async function unscheduleAll(
  tx: Tx,
  { operatorId, by, nowMs }: { operatorId: string; by: string; nowMs: number },
): Promise<{ id: string; kind: Kind }[]> {
  const { rows } = await sql<{ id: string; kind: Kind }>`
    update publication set publish_at_ms = null, scheduled_by = null, revision = revision + 1,
      changed_at_ms = ${nowMs}, changed_by = ${by}
    where scheduled_by = ${operatorId} returning id, kind`.execute(tx);
  return rows;
}

/** Returns false if one with that id, or that kind and subject, already exists. */
export async function insertDraft(
  tx: Tx,
  row: {
    id: string;
    kind: Kind;
    subject: string | null;
    draft: string;
    nowMs: number;
    by: string;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into publication (id, kind, subject, draft, created_at_ms, changed_at_ms, changed_by)
    values (${row.id}, ${row.kind}, ${row.subject}, ${row.draft}, ${row.nowMs}, ${row.nowMs}, ${row.by})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Writes a decided change. `draft` undefined leaves the draft as it is; any change but a refusal
 * clears the reason of the last refusal.
 */
export async function writeChange(
  tx: Tx,
  id: string,
  next: Publication,
  version: {
    nowMs: number;
    by: string;
    draft?: string;
    refused?: string | null;
    scheduledBy?: string | null;
  },
): Promise<void> {
  const draft = next.hasDraft ? sql`coalesce(${version.draft ?? null}, draft)` : sql`null`;
  await sql`update publication set revision = ${next.revision}, draft = ${draft},
      publish_at_ms = ${next.publishAtMs}, scheduled_by = ${next.publishAtMs === null ? null : (version.scheduledBy ?? version.by)},
      refused = ${version.refused ?? null}, version = ${next.version}, withdrawn = ${next.unpublished},
      first_published_at_ms = case when ${next.version}::integer > 0 then coalesce(first_published_at_ms, ${version.nowMs}::bigint) end,
      changed_at_ms = ${version.nowMs}, changed_by = ${version.by}
    where id = ${id}`.execute(tx);
}

export async function insertVersion(tx: Tx, id: string, version: VersionRow): Promise<void> {
  await sql`insert into publication_version (publication_id, version, body, published_at_ms, published_by, leaf)
    values (${id}, ${version.version}, ${version.body}, ${version.publishedAtMs}, ${version.publishedBy}, ${version.leaf})`.execute(
    tx,
  );
}

export async function deleteDraft(tx: Tx, id: string): Promise<void> {
  await sql`delete from publication where id = ${id} and version = 0`.execute(tx);
}
