import { randomBytes, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { hourMs } from "#core/money/time.ts";
import { hasValidCase } from "#core/session/address.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";

export const nonceLifeMs = 5 * 60_000;
/**
 * Nonces of a wallet for one network. There is no limit on a wallet alone: it would let anyone who
 * knows an address keep its owner from signing in.
 */
const perWallet = { perSecond: 10 / 60, burst: 10 };
/** Nonces of a network: a whole class signs in from one address. */
const perNetwork = { perSecond: 1, burst: 120 };

/**
 * Part of the signed text, in the only alphabet that EIP-4361 allows (ASCII): the page shows the
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
  address_index: Buffer;
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
   * Deletes nonces that expired over an hour ago; until then a second use is distinguished from an
   * unknown nonce.
   */
  purge(): Promise<void>;
}

export function createNonces({
  database: { db },
  realClock,
  fieldEncryption,
}: Pick<AppContext, "database" | "realClock" | "fieldEncryption">): Nonces {
  const digest = (address: string) => fieldEncryption.blindIndex("session_nonce.address", address);
  const walletLimit = createRateLimit(perWallet, realClock);
  const networkLimit = createRateLimit(perNetwork, realClock);
  return {
    issue: async ({ address, chainId, host, ip }) => {
      if (!hasValidCase(address)) throw new ApiError("request.malformed", { field: "address" });
      const lowerAddress = address.toLowerCase();
      const network = toNetwork(ip);
      networkLimit.require(network, "network_nonces");
      walletLimit.require(`${network} ${lowerAddress}`, "address_nonces");
      const issuedAtMs = realClock.nowMs();
      const nonce: Nonce = {
        nonce: randomBytes(16).toString("hex"),
        chainId,
        host: host.toLowerCase(),
        issuedAtMs,
        expiresAtMs: issuedAtMs + nonceLifeMs,
      };
      const addressIndex = await digest(lowerAddress);
      await sql`
        insert into session_nonce (nonce, address_index, chain_id, host, issued_at_ms, expires_at_ms)
        values (${nonce.nonce}, ${addressIndex}, ${chainId}, ${nonce.host}, ${issuedAtMs}, ${nonce.expiresAtMs})`.execute(
        db,
      );
      return nonce;
    },
    use: async (nonce) => {
      const nowMs = realClock.nowMs();
      const result = await sql<Row>`
        update session_nonce set used_at_ms = ${nowMs}
        where nonce = ${nonce} and used_at_ms is null
        returning nonce, address_index, chain_id, host, issued_at_ms, expires_at_ms`.execute(db);
      const row = result.rows[0];
      if (!row) {
        const nonceRows = await sql`select 1 from session_nonce where nonce = ${nonce}`.execute(db);
        throw new ApiError(nonceRows.rows[0] ? "session.nonce_used" : "session.nonce_unknown");
      }
      const expiresAtMs = Number(row.expires_at_ms);
      if (expiresAtMs <= nowMs) throw new ApiError("session.nonce_expired");
      return {
        nonce: row.nonce,
        isFor: async (address) => timingSafeEqual(await digest(address), row.address_index),
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
