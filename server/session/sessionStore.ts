import { createHash, randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import {
  getSessionEnd,
  type SessionEndedBy,
  type SessionEnding,
  sessionIdleMs,
  sessionLifeMs,
  sessionsMax,
} from "#core/session/lifetime.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Session, SessionResolver } from "#server/platform/http/session.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/**
 * How long a process may trust a cached read: where the bus reaches, the end of a session takes
 * effect immediately.
 */
const cacheMs = 5_000;
const cacheMax = 20_000;
/**
 * Sessions of one person that are listed. Open ones come first: however many a person opens and
 * ends, each open one can be seen and ended.
 */
const listedMax = 100;
/** Minimum interval between writes of `last_seen_at_ms`. */
const lastSeenEveryMs = 60_000;

export interface OpenSession {
  sessionId: string;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
  client: string;
}

/** A session that is over, until it is deleted a day later. */
export interface EndedSession {
  sessionId: string;
  createdAtMs: number;
  endedAtMs: number;
  why: SessionEnding;
  client: string;
}

/** A token is 256 random bits in base64url: anything else is rejected without a query. */
const tokenForm = /^[\w-]{43}$/;

/** A condition: the row of `user_session` is an open session. Its columns are unqualified. */
export function isOpen(nowMs: number) {
  return sql<boolean>`(ended_at_ms is null and expires_at_ms > ${nowMs}
    and last_seen_at_ms > ${nowMs - sessionIdleMs})`;
}

/** Which sessions to end: one, all of a user, all but one, or all that one sign-in opened. */
type SessionsToEnd = { userId: string; by: SessionEndedBy } & (
  | { sessionId?: string }
  | { exceptSessionId: string }
  | { authorisationId: string }
);

export interface SessionStore {
  /** `ended` are the ids of the oldest, if there were too many; call `notify` after the commit. */
  open(
    tx: Tx,
    asked: { userId: string; authorisationId: string; client: string },
  ): Promise<{ token: string; sessionId: string; expiresAtMs: number; ended: string[] }>;
  resolve: SessionResolver;
  /** An open stream is a use of its session. */
  recordUse(sessionIds: readonly string[]): Promise<void>;
  /** Open sessions, newest first, and ended ones, latest end first. */
  list(userId: string): Promise<{ open: OpenSession[]; ended: EndedSession[] }>;
  /** When a session of this user was opened; null when it has ended or is not theirs. */
  openedAtMs(sessionRef: { userId: string; sessionId: string }): Promise<number | null>;
  /** Ends sessions and publishes that on the bus; returns the ids of those that were open. */
  end(selection: SessionsToEnd): Promise<string[]>;
  /** The same within a transaction; `notify` publishes it once that has committed. */
  endIn(tx: Tx, which: SessionsToEnd): Promise<string[]>;
  notify(userId: string, ended: readonly string[]): void;
  /** Deletes sessions that ended more than a day ago. */
  purge(): Promise<void>;
}

interface Row {
  session_id: string;
  user_id: string;
  attempt_id: string;
  expires_at_ms: bigint;
  last_seen_at_ms: bigint;
}

interface ListedRow {
  session_id: string;
  created_at_ms: bigint;
  last_seen_at_ms: bigint;
  expires_at_ms: bigint;
  ended_at_ms: bigint | null;
  ended_by: SessionEndedBy | null;
  client: string;
}

function listed(
  row: ListedRow,
  nowMs: number,
): { session: OpenSession; over: EndedSession | null } {
  const session = {
    sessionId: row.session_id,
    createdAtMs: Number(row.created_at_ms),
    lastSeenAtMs: Number(row.last_seen_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    client: row.client,
  };
  const endedAtMs = row.ended_at_ms === null ? null : Number(row.ended_at_ms);
  const end = getSessionEnd({ ...session, endedAtMs, endedBy: row.ended_by }, nowMs);
  const { sessionId, createdAtMs, client } = session;
  const endedSession = end && { sessionId, createdAtMs, client, endedAtMs: end.atMs, why: end.why };
  return { session, over: endedSession };
}

function computeHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Sessions: a token of 256 random bits, of which only the hash is stored, valid for a day of real
 * time, and for two hours after the last call or open stream. A resolved session is cached for five
 * seconds: `session.ended` invalidates it at once, a read that began before an end is not cached,
 * and unknown tokens never are. If the bus loses an event, a revoked session lives that long in
 * another process.
 */
export function createSessionStore({
  database: { db, schema },
  realClock,
  bus,
}: AppContext): SessionStore {
  /** A session that has been idle for too long stays over. */
  const recordUse = async (sessionIds: readonly string[]): Promise<void> => {
    const nowMs = realClock.nowMs();
    await sql`
      update user_session set last_seen_at_ms = ${nowMs}
      where session_id = any(${sessionIds}::text[]) and ${isOpen(nowMs)}
        and last_seen_at_ms <= ${nowMs - lastSeenEveryMs}`.execute(db);
  };

  const readSession = async (tokenHash: string): Promise<Session | null> => {
    const nowMs = realClock.nowMs();
    const { rows } = await sql<Row>`
      select s.session_id, s.user_id, t.attempt_id, s.expires_at_ms, s.last_seen_at_ms
      from user_session s
      cross join lateral (
        select attempt_id from user_attempt where user_id = s.user_id order by number desc limit 1
      ) t
      join user_account u on u.user_id = s.user_id and u.erased_at_ms is null
      where s.token_hash = ${Buffer.from(tokenHash, "base64")} and ${isOpen(nowMs)}`.execute(db);
    const row = rows[0];
    if (!row) return null;
    if (nowMs - Number(row.last_seen_at_ms) >= lastSeenEveryMs) await recordUse([row.session_id]);
    return {
      sessionId: row.session_id,
      userId: row.user_id,
      attemptId: row.attempt_id,
      expiresAtMs: Number(row.expires_at_ms),
    };
  };

  /** Sessions by the hash of the token. Unknown tokens are not cached. */
  const cache = createTtlCache(readSession, {
    ttlMs: cacheMs,
    clock: realClock,
    shouldCache: (session) => session !== null,
    entriesMax: cacheMax,
  });
  bus.subscribe("session.ended", (event) =>
    cache.invalidateWhere((session) => session?.sessionId === event.sessionId),
  );
  bus.subscribe("bus.reconnected", () => cache.invalidate());
  // Cached sessions name the attempt that new positions belong to.
  bus.subscribe("attempt.opened", ({ userId }) =>
    cache.invalidateWhere((session) => session?.userId === userId),
  );

  const endIn = async (from: Db | Tx, selection: SessionsToEnd): Promise<string[]> => {
    const item = "sessionId" in selection ? (selection.sessionId ?? null) : null;
    const exceptId = "exceptSessionId" in selection ? selection.exceptSessionId : null;
    const ofSignIn = "authorisationId" in selection ? selection.authorisationId : null;
    const nowMs = realClock.nowMs();
    const { rows } = await sql<{ session_id: string }>`
      update user_session set ended_at_ms = ${nowMs}, ended_by = ${selection.by}
      where user_id = ${selection.userId} and ${isOpen(nowMs)}
        and (${item}::text is null or session_id = ${item})
        and (${exceptId}::text is null or session_id <> ${exceptId})
        and (${ofSignIn}::text is null or authorisation_id = ${ofSignIn})
      returning session_id`.execute(from);
    return rows.map((row) => row.session_id);
  };
  const notify = (userId: string, endedIds: readonly string[]) => {
    for (const sessionId of endedIds) bus.publish("session.ended", { userId, sessionId });
  };

  return {
    endIn,
    notify,
    recordUse,
    open: async (tx, { userId, authorisationId, client }) => {
      const token = randomBytes(32).toString("base64url");
      const sessionId = randomUUID();
      const nowMs = realClock.nowMs();
      const expiresAtMs = nowMs + sessionLifeMs;
      // Two concurrent sign-ins must see each other's session.
      await sql`select pg_advisory_xact_lock(${lockKey(schema, `sessions/${userId}`)})`.execute(tx);
      const { rows } = await sql<{ session_id: string }>`
        update user_session set ended_at_ms = ${nowMs}, ended_by = 'limit'
        where session_id in (
          select session_id from user_session where user_id = ${userId} and ${isOpen(nowMs)}
          order by created_at_ms desc, session_id offset ${sessionsMax - 1}
        )
        returning session_id`.execute(tx);
      await sql`
        insert into user_session
          (session_id, token_hash, user_id, authorisation_id, created_at_ms, last_seen_at_ms, expires_at_ms, client)
        values (${sessionId}, ${computeHash(token)}, ${userId}, ${authorisationId}, ${nowMs}, ${nowMs}, ${expiresAtMs},
          ${client.slice(0, 60)})`.execute(tx);
      return { token, sessionId, expiresAtMs, ended: rows.map((row) => row.session_id) };
    },
    resolve: async (token) => {
      if (!tokenForm.test(token)) return null;
      const nowMs = realClock.nowMs();
      const session = await cache.get(computeHash(token).toString("base64"));
      return session && session.expiresAtMs > nowMs ? session : null;
    },
    list: async (userId) => {
      const nowMs = realClock.nowMs();
      const { rows } = await sql<ListedRow>`
        select session_id, created_at_ms, last_seen_at_ms, expires_at_ms, ended_at_ms, ended_by, client
        from user_session where user_id = ${userId}
        order by ${isOpen(nowMs)} desc, created_at_ms desc, session_id limit ${listedMax}`.execute(
        db,
      );
      const allSessions = rows.map((row) => listed(row, nowMs));
      const endedSessions = allSessions.flatMap(({ over }) => over ?? []);
      return {
        open: allSessions.flatMap(({ over, session }) => (over ? [] : session)),
        ended: endedSessions.toSorted((session, other) => other.endedAtMs - session.endedAtMs),
      };
    },
    openedAtMs: async ({ userId, sessionId }) => {
      const { rows } = await sql<{ created_at_ms: bigint }>`
        select created_at_ms from user_session
        where session_id = ${sessionId} and user_id = ${userId} and ended_at_ms is null`.execute(
        db,
      );
      return rows[0] ? Number(rows[0].created_at_ms) : null;
    },
    end: async (selection) => {
      const endedIds = await endIn(db, selection);
      notify(selection.userId, endedIds);
      return endedIds;
    },
    purge: async () => {
      const longAgoMs = realClock.nowMs() - dayMs;
      await sql`delete from user_session where expires_at_ms < ${longAgoMs} or ended_at_ms < ${longAgoMs}`.execute(
        db,
      );
    },
  };
}
