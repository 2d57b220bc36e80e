import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { getInbox } from "#api/inbox.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { Explainers } from "#server/records/explainers.ts";
import {
  type EventPosition,
  type InboxPosition,
  isLater,
  parsePosition,
  writePosition,
} from "#server/records/inboxPosition.ts";
import { toRecordViews } from "#server/records/list.ts";
import type { SourceContext, WalkRow } from "#server/records/sources.ts";
import type { InboxEvent, JournalRecords } from "#server/records/types.ts";
import { toFact } from "#server/records/view.ts";
import { openWalk } from "#server/records/walk.ts";

type Item = AnswerOf<typeof getInbox>["items"][number];

/** Kinds of journals that a person did not cause themselves at that moment. */
const kinds = {
  all: [
    "withdraw.leave",
    "recharge.credit",
    "hosting.redeem",
    "mining.payout",
    "reward.invitation",
  ],
  /** Kinds listed only for the person who receives money. */
  receipts: ["send.move"],
};

/** Entries examined for a page, and for the unread count. */
const budgetMax = 20_000;
/** The count stops here: more is shown as "99+". */
const unreadMax = 100;

export interface InboxDeps extends SourceContext {
  explainers: Explainers;
  contributions: { readonly records: readonly JournalRecords[] };
}

interface AttemptOwner {
  userId: string;
  attemptId: string;
}

const selection = {
  prefixes: null,
  kinds,
  fromMs: null,
  toMs: null,
  search: null,
  explained: [],
} as const;

/**
 * Events of a person's money and verifications in the current attempt, derived from the records and
 * the modules' decisions. Only the position up to which they were read is stored.
 */
export function createInbox(deps: InboxDeps) {
  const { db } = deps;
  return {
    page: (owner: AttemptOwner, page: { page_size: number; before?: string | undefined }) =>
      readInbox(deps, owner, page),
    unread: async (owner: AttemptOwner): Promise<number> => {
      const position = await readUpTo(db, owner);
      const [walkCount, events] = await Promise.all([
        countWalk(deps, owner, position),
        readEvents(deps, owner, { before: null, after: position?.place ?? null, limit: unreadMax }),
      ]);
      return Math.min(unreadMax, walkCount + events.length);
    },
    markRead: async ({ userId, attemptId }: AttemptOwner, position: string): Promise<void> => {
      parsePosition(position);
      await sql`insert into inbox_read (user_id, attempt_id, position)
        values (${userId}, ${attemptId}, ${position})
        on conflict (user_id) do update set attempt_id = excluded.attempt_id, position = excluded.position`.execute(
        db,
      );
    },
  };
}

async function readUpTo(
  db: Db,
  { userId, attemptId }: AttemptOwner,
): Promise<InboxPosition | null> {
  const { rows } = await sql<{ position: string }>`
    select position from inbox_read where user_id = ${userId} and attempt_id = ${attemptId}`.execute(
    db,
  );
  return rows[0] ? parsePosition(rows[0].position) : null;
}

const openInbox = (
  deps: InboxDeps,
  { attemptId }: AttemptOwner,
  expected: number,
  extra: { before?: string; after?: InboxPosition["walk"] },
) => {
  const params = {
    attemptId,
    selection,
    coin: null,
    console: true,
    keep: async (rows: WalkRow[]) => rows,
  };
  return openWalk(deps, { before: undefined, ...params, ...extra }, expected, budgetMax);
};

async function countWalk(
  deps: InboxDeps,
  owner: AttemptOwner,
  inboxPosition: InboxPosition | null,
): Promise<number> {
  const walk = await openInbox(
    deps,
    owner,
    unreadMax,
    inboxPosition ? { after: inboxPosition.walk } : {},
  );
  let count = 0;
  while (count < unreadMax) {
    const row = await walk.next();
    if (row === null || row === "exhausted") break;
    count += 1;
  }
  return count;
}

interface InboxQuery {
  before: EventPosition | null;
  after: EventPosition | null;
  limit: number;
}

/** Events of all modules, newest first. */
async function readEvents(
  { contributions }: InboxDeps,
  owner: AttemptOwner,
  query: InboxQuery,
): Promise<InboxEvent[]> {
  const reads = contributions.records.flatMap(({ events }) => (events ? [events] : []));
  const eventLists = await Promise.all(reads.map((readEvents) => readEvents(owner, query)));
  return eventLists
    .flat()
    .toSorted((a, b) => (isLater(a, b) ? -1 : 1))
    .slice(0, query.limit);
}

async function readInbox(
  deps: InboxDeps,
  owner: AttemptOwner,
  { page_size: size, before }: { page_size: number; before?: string | undefined },
): Promise<AnswerOf<typeof getInbox>> {
  const from = before === undefined ? null : parsePosition(before);
  const [inboxPosition, walk, events] = await Promise.all([
    readUpTo(deps.db, owner),
    openInbox(deps, owner, size + 1, from ? { before: from.cursor } : {}),
    readEvents(deps, owner, { before: from?.place ?? null, after: null, limit: size + 1 }),
  ]);
  const newest = events[0] ?? from?.place ?? null;
  const top = writePosition(walk.start, newest);
  const rows: (WalkRow | InboxEvent)[] = [];
  let positions = walk.positions();
  let row = await walk.next();
  let eventPosition: EventPosition | null = from?.place ?? null;
  let count = 0;
  let hasMore = false;
  for (;;) {
    const event = events[count] ?? null;
    if (row === "exhausted") positions = walk.positions();
    hasMore = row !== null || event !== null;
    // Events after entries that were not examined are unknown.
    if (!hasMore || row === "exhausted" || rows.length === size) break;
    if (event && (row === null || event.atMs > row.atMs)) {
      rows.push(event);
      eventPosition = event;
      count += 1;
    } else if (row !== null) {
      rows.push(row);
      positions = walk.positions();
      row = await walk.next();
    }
  }
  const next = writePosition(positions, eventPosition);
  return {
    items: await viewed(deps, walk.accounts, rows, inboxPosition),
    page: 1,
    page_size: size,
    has_more: hasMore,
    before: top,
    next: hasMore ? next : null,
  };
}

async function viewed(
  deps: InboxDeps,
  accounts: Parameters<typeof toRecordViews>[2],
  rows: readonly (WalkRow | InboxEvent)[],
  inboxPosition: InboxPosition | null,
): Promise<Item[]> {
  const journals = rows.filter((row) => "journalId" in row);
  const records = await toRecordViews(deps.db, deps.explainers, accounts, journals);
  const byId = new Map(records.map((record) => [record.journal_id, record]));
  return rows.map((row): Item => {
    if (!("journalId" in row)) {
      const { id, type, atMs, coin, amount, facts, link, receipt } = row;
      const views = Object.entries(facts).map(([name, value]) => [name, toFact(value)]);
      return {
        event_id: id,
        type,
        coin,
        amount: amount === null || coin === null ? null : formatDecimal(amount, coinScale(coin)),
        facts: Object.fromEntries(views),
        link,
        receipt,
        act: null,
        at_ms: atMs,
        unread:
          inboxPosition === null ||
          inboxPosition.place === null ||
          isLater(row, inboxPosition.place),
      };
    }
    const { journal_id: id, type, coin, amount, facts, link, act } = byId.get(row.journalId)!;
    return {
      event_id: id,
      type,
      coin,
      amount,
      facts,
      link,
      receipt: act ? null : `/verify?journal_id=${id}`,
      act,
      at_ms: row.atMs,
      unread: row.position > (inboxPosition?.walk.get(row.source) ?? 0n),
    };
  });
}
