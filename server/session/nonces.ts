import { randomBytes, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { hourMs } from "#core/money/time.ts";
import { hasValidCase } from "#core/session/address.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { createRateLimit } from "#server/platform/http/rateLimit.ts";

export const nonceLifeMs = 5 * 60_000;
const perAddressMinute = 10;
/** A class signs in at once from one network address. */
const perIp = { perSecond: 1, burst: 60 };

/**
 * Part of what is signed, in the only alphabet that EIP-4361 allows (ASCII): the page shows the
 * same in the user's language next to it.
 */
export const statement =
  "Sign in to Drydock, a practice platform. Signing in moves and permits nothing. It shows this server your address and so what it publicly holds.";

interface Nonce {
  nonce: string;
  chainId: string;
  host: string;
  issuedAtMs: number;
  expiresAtMs: number;
}

/**
 * A consumed nonce, and whether it was issued for an address (lower case): only a digest of that is
 * stored.
 */
interface UsedNonce extends Nonce {
  isFor(address: string): Promise<boolean>;
}

interface Row {
  nonce: string;
  address_mac: Buffer;
  chain_id: string;
  host: string;
  issued_at_ms: bigint;
  expires_at_ms: bigint;
}

export interface Nonces {
  /** Issues a nonce. Throws `request.malformed` (EIP-55) or `request.too_many`. */
  issue(request: { address: string; chainId: string; host: string; ip: string }): Promise<Nonce>;
  /**
   * Consumes a nonce: of two concurrent uses one succeeds. Throws `session.nonce_unknown`, `_used`
   * or `_expired`; an expired one is consumed too.
   */
  use(nonce: string): Promise<UsedNonce>;
  /**
   * Deletes nonces that expired over an hour ago; until then a second use is told apart from an
   * unknown nonce.
   */
  purge(): Promise<void>;
}

export function createNonces({
  database: { db, schema },
  realClock,
  fieldEncryption,
}: Pick<AppContext, "database" | "realClock" | "fieldEncryption">): Nonces {
  const digest = (address: string) => fieldEncryption.blindIndex("session_nonce.address", address);
  const ipLimit = createRateLimit(perIp, realClock);
  return {
    issue: async ({ address, chainId, host, ip }) => {
      if (!hasValidCase(address)) throw new ApiError("request.malformed", { field: "address" });
      const waitSeconds = ipLimit.take(ip);
      if (waitSeconds !== null) {
        throw new ApiError("request.too_many", { retry_after_seconds: waitSeconds });
      }
      const issuedAtMs = realClock.nowMs();
      const nonce: Nonce = {
        nonce: randomBytes(16).toString("hex"),
        chainId,
        host: host.toLowerCase(),
        issuedAtMs,
        expiresAtMs: issuedAtMs + nonceLifeMs,
      };
      const lower = address.toLowerCase();
      const mac = await digest(lower);
      await db.transaction().execute(async (tx) => {
        // Counting and inserting must not interleave with another request for the same address.
        await sql`select pg_advisory_xact_lock(${lockKey(schema, `nonce/${lower}`)})`.execute(tx);
        const { rows } = await sql<{ at_ms: bigint }>`
          select issued_at_ms as at_ms from session_nonce
          where address_mac = ${mac} and issued_at_ms > ${issuedAtMs - 60_000}
          order by issued_at_ms desc limit ${perAddressMinute}`.execute(tx);
        const oldest = rows[perAddressMinute - 1];
        if (oldest) {
          const waitMs = Number(oldest.at_ms) + 60_000 - issuedAtMs;
          throw new ApiError("request.too_many", {
            retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)),
          });
        }
        await sql`
          insert into session_nonce (nonce, address_mac, chain_id, host, issued_at_ms, expires_at_ms)
          values (${nonce.nonce}, ${mac}, ${chainId}, ${nonce.host}, ${issuedAtMs}, ${nonce.expiresAtMs})`.execute(
          tx,
        );
      });
      return nonce;
    },
    use: async (nonce) => {
      const nowMs = realClock.nowMs();
      const used = await sql<Row>`
        update session_nonce set used_at_ms = ${nowMs}
        where nonce = ${nonce} and used_at_ms is null
        returning nonce, address_mac, chain_id, host, issued_at_ms, expires_at_ms`.execute(db);
      const row = used.rows[0];
      if (!row) {
        const known = await sql`select 1 from session_nonce where nonce = ${nonce}`.execute(db);
        throw new ApiError(known.rows[0] ? "session.nonce_used" : "session.nonce_unknown");
      }
      const expiresAtMs = Number(row.expires_at_ms);
      if (expiresAtMs <= nowMs) throw new ApiError("session.nonce_expired");
      return {
        nonce: row.nonce,
        isFor: async (address) => timingSafeEqual(await digest(address), row.address_mac),
        chainId: row.chain_id,
        host: row.host,
        issuedAtMs: Number(row.issued_at_ms),
        expiresAtMs,
      };
    },
    purge: async () => {
      await sql`delete from session_nonce where expires_at_ms < ${realClock.nowMs() - hourMs}`.execute(
        db,
      );
    },
  };
}
