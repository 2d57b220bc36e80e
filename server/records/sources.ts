import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { SourceName } from "#server/records/cursor.ts";

/**
 * The dependencies of reading records: the reason for an action on a person is stored encrypted.
 */
export interface SourceContext {
  db: Db;
  fieldEncryption: FieldEncryption;
}

/**
 * SQL of the walk through an attempt's entries. Versions of an account are dense, so a range of n
 * versions is n entries.
 */

export interface OwnAccount {
  id: bigint;
  name: SourceName;
  kind: "wallet" | "held";
  coin: Coin;
  version: bigint;
}

export async function readAccounts(db: Db, attemptId: string): Promise<OwnAccount[]> {
  const { rows } = await sql<{
    id: bigint;
    kind: "wallet" | "held";
    coin: Coin;
    version: bigint;
  }>`select id, kind, coin, version from account
    where attempt_id = ${attemptId} and not house and kind in ('wallet', 'held')`.execute(db);
  return rows.map((row) => ({ ...row, name: `${row.kind}.${row.coin}` as const }));
}

/** The filters of a walk, as the statements need them. Times are world milliseconds, inclusive. */
export interface Selection {
  /** Kind prefixes, up to the first point; null: all. */
  prefixes: readonly string[] | null;
  /** Whole kinds: in full, or only where they bring money; null: all. */
  kinds: { readonly all: readonly string[]; readonly receipts: readonly string[] } | null;
  fromMs: number | null;
  toMs: number | null;
  /** Lower case; matches the start of a journal's or order's id. */
  search: string | null;
  /** Prefixes whose journals may match by their explanation; all of them are returned. */
  explained: readonly string[];
}

export interface WalkRow {
  source: SourceName;
  /** The account's version, or the audit event's number. */
  position: bigint;
  journalId: string;
  kind: string;
  atMs: number;
  recordedAtMs: number;
  about: string | null;
  /** True if an id matched the search; true without one. */
  found: boolean;
  act: { role: string; what: string; why: string } | null;
}

export interface Window {
  account: OwnAccount;
  /** Versions in `(to - count, to]` are examined. */
  to: bigint;
  count: number;
}

/**
 * Matching entries of the windows, each window newest first. Only a journal's first entry on any of
 * `own` is returned, so that it appears once, with any legs.
 */
export async function readWindows(
  db: Db,
  windows: readonly Window[],
  accountIds: readonly bigint[],
  selection: Selection,
): Promise<Map<SourceName, WalkRow[]>> {
  const like = selection.search === null ? null : `${selection.search}%`;
  const { rows } = await sql<{
    at: bigint;
    version: bigint;
    journal_id: string;
    kind: string;
    at_ms: bigint;
    recorded_at_ms: bigint;
    about: string | null;
    found: boolean;
  }>`
    select w.at, x.*
    from unnest(${windows.map(({ account }) => account.id)}::bigint[], ${windows.map(({ to }) => to)}::bigint[],
        ${windows.map(({ count }) => count)}::bigint[]) with ordinality w (account, upto, amount, at)
      cross join lateral (
        select e.version, e.journal_id, j.kind, j.at_ms, coalesce(e.about, j.about) as about,
          floor(extract(epoch from j.recorded_at) * 1000)::bigint as recorded_at_ms,
          f.found
        from entry e
          join journal j on j.id = e.journal_id
          cross join lateral (
            select ${like}::text is null or j.id::text like ${like} or j.about like ${like} or exists (
              select from entry o where o.journal_id = e.journal_id and o.account = any(${accountIds}::bigint[]) and o.about like ${like}
            ) as found
          ) f
        where e.account = w.account and e.version is not null
          and e.version > w.upto - w.amount and e.version <= w.upto
          and (${selection.fromMs}::bigint is null or j.at_ms >= ${selection.fromMs}::bigint)
          and (${selection.toMs}::bigint is null or j.at_ms <= ${selection.toMs}::bigint)
          and (${selection.prefixes}::text[] is null or split_part(j.kind, '.', 1) = any(${selection.prefixes}::text[]))
          and (${selection.kinds === null} or j.kind = any(${[...(selection.kinds?.all ?? [])]}::text[])
            or (e.amount > 0 and j.kind = any(${[...(selection.kinds?.receipts ?? [])]}::text[])))
          and (f.found or split_part(j.kind, '.', 1) = any(${selection.explained}::text[]))
          and not exists (
            select from entry o
            where o.journal_id = e.journal_id and o.leg < e.leg and o.account = any(${accountIds}::bigint[]))
        order by e.version desc
      ) x
    order by w.at, x.version desc`.execute(db);
  const byWindow = new Map<SourceName, WalkRow[]>(windows.map(({ account }) => [account.name, []]));
  for (const row of rows) {
    const { account } = windows[Number(row.at) - 1]!;
    byWindow.get(account.name)!.push({
      source: account.name,
      position: row.version,
      journalId: row.journal_id,
      kind: row.kind,
      atMs: Number(row.at_ms),
      recordedAtMs: Number(row.recorded_at_ms),
      about: row.about,
      found: row.found,
      act: null,
    });
  }
  return byWindow;
}

/**
 * Journals near a moment are within this much world time of their place by version: a batch, at the
 * highest speed.
 */
export const reorderWindowMs = 600_000;

/** The version up to which entries of each account may lie at or before `atMs`. */
export async function readVersionsAt(
  db: Db,
  accounts: readonly { id: bigint; upTo: bigint }[],
  atMs: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ version: bigint }>`
    select entry_version_at(a.id, a.upto, ${atMs}) as version
    from unnest(${accounts.map(({ id }) => id)}::bigint[], ${accounts.map(({ upTo }) => upTo)}::bigint[])
      with ordinality a (id, upto, at) order by a.at`.execute(db);
  return rows.map(({ version }) => version);
}

export async function readLastAuditEvent(db: Db, attemptId: string): Promise<bigint> {
  const { rows } = await sql<{ last: bigint }>`
    select coalesce(max(seq), 0) as last from person_audit_event where attempt_id = ${attemptId}`.execute(
    db,
  );
  return rows[0]!.last;
}

/**
 * Operator actions during an attempt, newest first, up to number `upTo`; examines at most `limit`.
 * `next`: where to continue; 0 at the end.
 */
export async function readAuditEvents(
  { db, fieldEncryption }: SourceContext,
  attemptId: string,
  upTo: bigint,
  limit: number,
  { fromMs, toMs, search }: Selection,
): Promise<{ rows: WalkRow[]; next: bigint }> {
  const { rows } = await sql<{
    seq: bigint;
    event_id: string;
    user_id: string;
    role: string;
    what: string;
    why_encrypted: Buffer;
    at_ms: bigint;
    recorded_at_ms: bigint;
  }>`
    select seq, event_id, user_id, role, what, why_encrypted, at_ms, recorded_at_ms from person_audit_event
    where attempt_id = ${attemptId} and seq <= ${upTo}
      and (${fromMs}::bigint is null or at_ms >= ${fromMs}::bigint)
      and (${toMs}::bigint is null or at_ms <= ${toMs}::bigint)
    order by seq desc limit ${limit}`.execute(db);
  const events = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      why: (await fieldEncryption.decryptText(row.user_id, row.why_encrypted)) ?? "",
    })),
  );
  const matchingEvents = events.filter(
    ({ event_id, role, what, why }) =>
      search === null ||
      event_id.startsWith(search) ||
      `${role} ${what} ${why}`.toLowerCase().includes(search),
  );
  return {
    rows: matchingEvents.map(toWalkRow),
    next: rows.length < limit ? 0n : rows.at(-1)!.seq - 1n,
  };
}

interface OpenedEvent {
  seq: bigint;
  event_id: string;
  role: string;
  what: string;
  why: string;
  at_ms: bigint;
  recorded_at_ms: bigint;
}

function toWalkRow(row: OpenedEvent): WalkRow {
  return {
    source: "console" as const,
    position: row.seq,
    journalId: row.event_id,
    kind: "console.act",
    atMs: Number(row.at_ms),
    recordedAtMs: Number(row.recorded_at_ms),
    about: null,
    found: true,
    act: { role: row.role, what: row.what, why: row.why },
  };
}

export interface LegRow {
  journalId: string;
  leg: number;
  account: bigint;
  amount: bigint;
  balance: bigint;
  about: string | null;
}

/** Entries of the journals on the given accounts, in the order of their legs. */
export async function readLegs(
  db: Db,
  journalIds: readonly string[],
  accountIds: readonly bigint[],
): Promise<LegRow[]> {
  if (journalIds.length === 0) return [];
  const { rows } = await sql<{
    journal_id: string;
    leg: number;
    account: bigint;
    amount: bigint;
    balance: bigint;
    about: string | null;
  }>`
    select journal_id, leg, account, amount, balance, about from entry
    where journal_id = any(${journalIds}::uuid[]) and account = any(${accountIds}::bigint[]) order by journal_id, leg`.execute(
    db,
  );
  return rows.map(({ journal_id: journalId, ...row }) => ({ journalId, ...row }));
}
