import { createHash, randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Session, SessionResolver } from "#server/platform/http/session.ts";

const sessionLifeMs = dayMs;
/**
 * How long a process may trust a cached read: where the bus reaches, the end of a session takes
 * effect at once.
 */
const cacheMs = 5_000;
const cacheMax = 20_000;
/** Minimum interval between writes of `last_seen_at_ms`. */
const lastSeenEveryMs = 60_000;

export interface OpenSession {
  sessionId: string;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
  client: string;
}

/** Which sessions to end: one, all of a user, all but one, or all that one sign-in opened. */
type Ending = { userId: string } & (
  | { sessionId?: string }
  | { exceptSessionId: string }
  | { authorisationId: string }
);

export interface SessionStore {
  open(
    tx: Tx,
    asked: { userId: string; authorisationId: string; client: string },
  ): Promise<{ token: string; sessionId: string; expiresAtMs: number }>;
  resolve: SessionResolver;
  /** Newest first. */
  list(userId: string): Promise<OpenSession[]>;
  /** When a session of this user was opened; null when it has ended or is not theirs. */
  openedAtMs(who: { userId: string; sessionId: string }): Promise<number | null>;
  /** Ends sessions and publishes that on the bus; returns the ids of those that were open. */
  end(which: Ending): Promise<string[]>;
  /** The same within a transaction; `notify` publishes it once that has committed. */
  endIn(tx: Tx, which: Ending): Promise<string[]>;
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

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Sessions: a token of 256 random bits, of which only the hash is stored, valid for a day of real
 * time. A resolved session is cached for five seconds: `session.ended` invalidates it at once, a
 * read that began before an end is not cached, and unknown tokens never are. If the bus loses an
 * event, a revoked session lives that long in another process.
 */
export function createSessionStore({ database: { db }, realClock, bus }: AppContext): SessionStore {
  const cache = new Map<string, { session: Session | null; untilMs: number }>();
  /** Number of endings so far; a session read across one is stale. */
  let endings = 0;
  bus.subscribe("session.ended", ({ sessionId }) => {
    endings += 1;
    for (const [key, { session }] of cache) if (session?.sessionId === sessionId) cache.delete(key);
  });
  // Cached sessions name the attempt that new positions belong to.
  bus.subscribe("attempt.opened", ({ userId }) => {
    endings += 1;
    for (const [key, { session }] of cache) if (session?.userId === userId) cache.delete(key);
  });

  const read = async (tokenHash: Buffer): Promise<Session | null> => {
    const nowMs = realClock.nowMs();
    const { rows } = await sql<Row>`
      select s.session_id, s.user_id, t.attempt_id, s.expires_at_ms, s.last_seen_at_ms
      from user_session s
      cross join lateral (
        select attempt_id from user_attempt where user_id = s.user_id order by number desc limit 1
      ) t
      join user_account u on u.user_id = s.user_id and u.erased_at_ms is null
      where s.token_hash = ${tokenHash} and s.ended_at_ms is null and s.expires_at_ms > ${nowMs}`.execute(
      db,
    );
    const row = rows[0];
    if (!row) return null;
    if (nowMs - Number(row.last_seen_at_ms) >= lastSeenEveryMs) {
      await sql`update user_session set last_seen_at_ms = ${nowMs} where session_id = ${row.session_id}`.execute(
        db,
      );
    }
    return {
      sessionId: row.session_id,
      userId: row.user_id,
      attemptId: row.attempt_id,
      expiresAtMs: Number(row.expires_at_ms),
    };
  };

  const endIn = async (from: Db | Tx, which: Ending): Promise<string[]> => {
    const one = "sessionId" in which ? (which.sessionId ?? null) : null;
    const except = "exceptSessionId" in which ? which.exceptSessionId : null;
    const ofSignIn = "authorisationId" in which ? which.authorisationId : null;
    const nowMs = realClock.nowMs();
    const { rows } = await sql<{ session_id: string }>`
      update user_session set ended_at_ms = ${nowMs}
      where user_id = ${which.userId} and ended_at_ms is null and expires_at_ms > ${nowMs}
        and (${one}::text is null or session_id = ${one})
        and (${except}::text is null or session_id <> ${except})
        and (${ofSignIn}::text is null or authorisation_id = ${ofSignIn})
      returning session_id`.execute(from);
    return rows.map((row) => row.session_id);
  };
  const notify = (userId: string, ended: readonly string[]) => {
    for (const sessionId of ended) bus.publish("session.ended", { userId, sessionId });
  };

  return {
    endIn,
    notify,
    open: async (tx, { userId, authorisationId, client }) => {
      const token = randomBytes(32).toString("base64url");
      const sessionId = randomUUID();
      const nowMs = realClock.nowMs();
      const expiresAtMs = nowMs + sessionLifeMs;
      await sql`
        insert into user_session
          (session_id, token_hash, user_id, authorisation_id, created_at_ms, last_seen_at_ms, expires_at_ms, client)
        values (${sessionId}, ${hashOf(token)}, ${userId}, ${authorisationId}, ${nowMs}, ${nowMs}, ${expiresAtMs},
          ${client.slice(0, 60)})`.execute(tx);
      return { token, sessionId, expiresAtMs };
    },
    resolve: async (token) => {
      const tokenHash = hashOf(token);
      const key = tokenHash.toString("base64");
      const nowMs = realClock.nowMs();
      const cached = cache.get(key);
      if (cached && cached.untilMs > nowMs) {
        return cached.session && cached.session.expiresAtMs > nowMs ? cached.session : null;
      }
      const before = endings;
      const session = await read(tokenHash);
      // A session that ended while it was being read must not live on in the cache; unknown tokens
      // are not cached at all.
      if (session && before === endings) {
        if (cache.size >= cacheMax) cache.clear();
        cache.set(key, { session, untilMs: nowMs + cacheMs });
      } else cache.delete(key);
      return session;
    },
    list: async (userId) => {
      const { rows } = await sql<
        Omit<Row, "user_id" | "attempt_id"> & { created_at_ms: bigint; client: string }
      >`
        select session_id, created_at_ms, last_seen_at_ms, expires_at_ms, client from user_session
        where user_id = ${userId} and ended_at_ms is null and expires_at_ms > ${realClock.nowMs()}
        order by created_at_ms desc, session_id limit 100`.execute(db);
      return rows.map((row) => ({
        sessionId: row.session_id,
        createdAtMs: Number(row.created_at_ms),
        lastSeenAtMs: Number(row.last_seen_at_ms),
        expiresAtMs: Number(row.expires_at_ms),
        client: row.client,
      }));
    },
    openedAtMs: async ({ userId, sessionId }) => {
      const { rows } = await sql<{ created_at_ms: bigint }>`
        select created_at_ms from user_session
        where session_id = ${sessionId} and user_id = ${userId} and ended_at_ms is null`.execute(
        db,
      );
      return rows[0] ? Number(rows[0].created_at_ms) : null;
    },
    end: async (which) => {
      const ended = await endIn(db, which);
      notify(which.userId, ended);
      return ended;
    },
    purge: async () => {
      const longAgoMs = realClock.nowMs() - dayMs;
      await sql`delete from user_session where expires_at_ms < ${longAgoMs} or ended_at_ms < ${longAgoMs}`.execute(
        db,
      );
    },
  };
}
