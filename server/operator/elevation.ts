import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { hourMs } from "#core/money/time.ts";
import { elevatedMs } from "#core/operator/permissions.ts";
import { parseMessage, type SignInMessage } from "#core/session/message.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import type { Session } from "#server/platform/http/session.ts";

const nonceLifeMs = 5 * 60_000;
/** Nonces that a session may request as a burst, and again in each following minute. */
const perMinute = 10;

/**
 * Part of the signed message; no other message elevates a session, and this one signs no one in.
 */
export const elevationStatement =
  "Raise my powers at the Drydock operator console for ten minutes. This moves nothing and permits nothing else.";

interface ElevationNonce {
  nonce: string;
  address: string;
  chainId: string;
  host: string;
  issuedAtMs: number;
  expiresAtMs: number;
}

/** Proves an address by a signature, by the rules of signing in. Throws `session.*`. */
export type Prove = (
  request: { message: SignInMessage; text: string; signature: string },
  expected: ElevationNonce & { statement: string; nowMs: number },
) => Promise<void>;

export interface Elevation {
  issue(session: Session, request: { chainId: string; host: string }): Promise<ElevationNonce>;
  /**
   * Always consumes the message's nonce, and returns its bytes: the challenge that a security key
   * must have signed. Throws `session.*`.
   */
  prove(
    session: Session,
    request: { message: string; signature: string; host: string },
  ): Promise<Buffer>;
  /** Returns when the elevation ends. */
  elevate(tx: Tx, session: Session, operator: Operator): Promise<number>;
  drop(tx: Tx, session: Session): Promise<void>;
  purge(): Promise<void>;
}

/**
 * Elevates one session by a second signature. `deriveAddress` returns the operator's own address, lower
 * case.
 */
export function createElevation(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  addressOf: (userId: string) => Promise<string>,
  prove: Prove,
): Elevation {
  const limit = createRateLimit({ perSecond: perMinute / 60, burst: perMinute }, realClock);
  return {
    issue: async (session, { chainId, host }) => {
      limit.require(session.sessionId);
      const issuedAtMs = realClock.nowMs();
      const elevationNonce: ElevationNonce = {
        nonce: randomBytes(16).toString("hex"),
        address: await addressOf(session.userId),
        chainId,
        host: host.toLowerCase(),
        issuedAtMs,
        expiresAtMs: issuedAtMs + nonceLifeMs,
      };
      await sql`
        insert into operator_nonce (nonce, session_id, chain_id, host, issued_at_ms, expires_at_ms)
        values (${elevationNonce.nonce}, ${session.sessionId}, ${chainId}, ${elevationNonce.host}, ${issuedAtMs}, ${elevationNonce.expiresAtMs})`.execute(
        db,
      );
      return elevationNonce;
    },
    prove: async (session, { message: text, signature, host }) => {
      const parsedMessage = parseMessage(text);
      if (!parsedMessage.ok)
        throw new ApiError("session.message_malformed", { field: parsedMessage.error });
      const nowMs = realClock.nowMs();
      const nonce = await takeNonce(db, parsedMessage.message.nonce, session, nowMs);
      const mismatch = (field: string) => new ApiError("session.message_mismatch", { field });
      if (nonce.host !== host.toLowerCase()) throw mismatch("domain");
      if (parsedMessage.message.statement !== elevationStatement) throw mismatch("statement");
      const address = await addressOf(session.userId);
      const expected = { ...nonce, statement: elevationStatement, address, nowMs };
      await prove({ message: parsedMessage.message, text, signature }, expected);
      return Buffer.from(nonce.nonce, "hex");
    },
    elevate: async (tx, session, operator) => {
      const untilMs = realClock.nowMs() + elevatedMs;
      await sql`
        insert into operator_elevation (session_id, operator_id, until_ms)
        values (${session.sessionId}, ${operator.operatorId}, ${untilMs})
        on conflict (session_id) do update set operator_id = excluded.operator_id, until_ms = excluded.until_ms`.execute(
        tx,
      );
      return untilMs;
    },
    drop: async (tx, session) => {
      await sql`delete from operator_elevation where session_id = ${session.sessionId}`.execute(tx);
    },
    purge: async () => {
      const nowMs = realClock.nowMs();
      await sql`delete from operator_nonce where expires_at_ms < ${nowMs - hourMs}`.execute(db);
      await sql`delete from operator_elevation where until_ms < ${nowMs}`.execute(db);
    },
  };
}

async function takeNonce(db: Db, nonce: string, session: Session, nowMs: number) {
  const result = await sql<{
    chain_id: string;
    host: string;
    issued_at_ms: bigint;
    expires_at_ms: bigint;
  }>`
    update operator_nonce set used_at_ms = ${nowMs}
    where nonce = ${nonce} and session_id = ${session.sessionId} and used_at_ms is null
    returning chain_id, host, issued_at_ms, expires_at_ms`.execute(db);
  const row = result.rows[0];
  if (!row) {
    const nonceRows = await sql`
      select from operator_nonce where nonce = ${nonce} and session_id = ${session.sessionId}`.execute(
      db,
    );
    throw new ApiError(nonceRows.rows[0] ? "session.nonce_used" : "session.nonce_unknown");
  }
  const expiresAtMs = Number(row.expires_at_ms);
  if (expiresAtMs <= nowMs) throw new ApiError("session.nonce_expired");
  const { chain_id: chainId, host } = row;
  return { nonce, chainId, host, issuedAtMs: Number(row.issued_at_ms), expiresAtMs };
}
