import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { hourMs } from "#core/money/time.ts";
import { securityKeysMax } from "#core/operator/factors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import type { Session } from "#server/platform/http/session.ts";

const challengeLifeMs = 5 * 60_000;
const challengeBytes = 32;
/** Challenges that a session gets as a burst, and as many again each following minute. */
const perMinute = 10;

/** COSE algorithms: Ed25519, ES256, RS256 (for Windows Hello). */
export const algorithms = [-8, -7, -257];

/** The console's address as WebAuthn sees it. */
export interface Site {
  /** Host with port. */
  host: string;
  origin: string;
  rpId: string;
}

export interface StoredKey {
  keyId: string;
  /** Encrypted under the person's key. */
  name: Buffer;
  rpId: string;
  credentialId: Buffer;
  transports: string[];
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** The result of a browser's `navigator.credentials.create`, in base64url. */
interface Attestation {
  credential_id: string;
  client_data: string;
  attestation: string;
  transports: string[];
}

/** The result of a browser's `navigator.credentials.get`, in base64url. */
export interface Assertion {
  credential_id: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
}

/** A credential that an authenticator has just made and proved to hold. */
interface NewCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  rpId: string;
}

export interface SecurityKeys {
  list(db: Db, operatorId: string): Promise<StoredKey[]>;
  /** Throws `request.too_many`. */
  challenge(session: Session, site: Site): Promise<Buffer>;
  /** Uses up the challenge that it answers. Throws `operator.key_wrong`. */
  verifyNew(session: Session, site: Site, attestation: Attestation): Promise<NewCredential>;
  /** Returns its id. Throws `operator.too_many_keys` or `operator.key_known`. */
  add(tx: Tx, operatorId: string, name: Buffer, made: NewCredential): Promise<string>;
  /** Throws `operator.key_unknown`. */
  remove(tx: Tx, operatorId: string, keyId: string): Promise<void>;
  /**
   * Returns the id of the key that answered `challenge`, and stores its counter. Throws
   * `operator.key_wrong`. Must not run in a transaction that may be rolled back.
   */
  verify(
    operatorId: string,
    site: Site | null,
    challenge: Buffer,
    assertion: Assertion,
  ): Promise<string>;
  purge(): Promise<void>;
}

/**
 * Security keys (WebAuthn Level 3). The user is verified by the key each time (PIN, fingerprint,
 * face), because a borrowed computer may have the key still plugged in. No attestation is asked
 * for: any maker's key will do.
 */
export function createSecurityKeys({
  database: { db },
  realClock,
}: Pick<AppContext, "database" | "realClock">): SecurityKeys {
  const limit = createRateLimit({ perSecond: perMinute / 60, burst: perMinute }, realClock);
  return {
    list: async (db, operatorId) => {
      const { rows } = await sql<Row>`
        select * from operator_key where operator_id = ${operatorId}
        order by created_at_ms, key_id`.execute(db);
      return rows.map(toKey);
    },
    challenge: async (session, { host, rpId }) => {
      limit.require(session.sessionId);
      const nowMs = realClock.nowMs();
      const challenge = randomBytes(challengeBytes);
      await sql`
        insert into operator_key_challenge
          (challenge, session_id, host, rp_id, issued_at_ms, expires_at_ms)
        values (${challenge}, ${session.sessionId}, ${host}, ${rpId}, ${nowMs},
          ${nowMs + challengeLifeMs})`.execute(db);
      return challenge;
    },
    verifyNew: async (session, site, attestation) => {
      const challenge = await takeChallenge(db, session, site, attestation, realClock.nowMs());
      return verifyNew(site, challenge, attestation);
    },
    add: async (tx, operatorId, name, newCredential) => {
      const { rows } = await sql<{ count: bigint }>`
        select count(*) from operator_key where operator_id = ${operatorId}`.execute(tx);
      if (rows[0]!.count >= BigInt(securityKeysMax))
        throw new ApiError("operator.too_many_keys", { max: securityKeysMax });
      const result = await sql<{ key_id: string }>`
        insert into operator_key (key_id, operator_id, name_encrypted, rp_id, credential_id, public_key,
          counter, transports, created_at_ms)
        values (${randomUUID()}, ${operatorId}, ${name}, ${newCredential.rpId}, ${newCredential.credentialId},
          ${newCredential.publicKey}, ${newCredential.counter}::bigint, ${newCredential.transports}::text[], ${realClock.nowMs()})
        on conflict (credential_id) do nothing returning key_id`.execute(tx);
      if (!result.rows[0]) throw new ApiError("operator.key_known");
      return result.rows[0].key_id;
    },
    remove: async (tx, operatorId, keyId) => {
      const { rows } = await sql`
        delete from operator_key where operator_id = ${operatorId} and key_id::text = ${keyId}
        returning key_id`.execute(tx);
      if (rows.length === 0) throw new ApiError("operator.key_unknown");
    },
    verify: async (operatorId, site, challenge, assertion) => {
      const { rows } = await sql<Row>`
        select * from operator_key where operator_id = ${operatorId}
          and credential_id = ${Buffer.from(assertion.credential_id, "base64url")}`.execute(db);
      const row = rows[0];
      if (!row || !site || row.rp_id !== site.rpId) throw new ApiError("operator.key_wrong");
      const counter = await verifyAssertion(row, site, challenge, assertion);
      // Two answers with the same counter are not both from this key.
      const result = await sql`
        update operator_key set counter = ${counter}::bigint, last_used_at_ms = ${realClock.nowMs()}
        where key_id = ${row.key_id}
          and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
        returning key_id`.execute(db);
      if (result.rows.length === 0) throw new ApiError("operator.key_wrong");
      return row.key_id;
    },
    purge: async () => {
      await sql`
        delete from operator_key_challenge
        where expires_at_ms < ${realClock.nowMs() - hourMs}`.execute(db);
    },
  };
}

interface Row {
  key_id: string;
  name_encrypted: Buffer;
  rp_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: bigint;
  transports: string[];
  created_at_ms: bigint;
  last_used_at_ms: bigint | null;
}

const toKey = (row: Row): StoredKey => ({
  keyId: row.key_id,
  name: row.name_encrypted,
  rpId: row.rp_id,
  credentialId: row.credential_id,
  transports: row.transports,
  createdAtMs: Number(row.created_at_ms),
  lastUsedAtMs: row.last_used_at_ms === null ? null : Number(row.last_used_at_ms),
});

/** The challenge that an attestation answers, used up. Throws `operator.key_wrong`. */
async function takeChallenge(
  db: Db,
  session: Session,
  { host, rpId }: Site,
  { client_data: clientData }: Attestation,
  nowMs: number,
): Promise<string> {
  const challenge = challengeIn(clientData);
  const { rows } = await sql`
    delete from operator_key_challenge
    where challenge = ${Buffer.from(challenge, "base64url")} and session_id = ${session.sessionId}
      and host = ${host} and rp_id = ${rpId} and expires_at_ms > ${nowMs}
    returning challenge`.execute(db);
  if (rows.length === 0) throw new ApiError("operator.key_wrong");
  return challenge;
}

function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, "base64url").toString("utf8"));
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

/** The library throws on anything malformed; its message is not shown. */
async function withKeyError<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw new ApiError("operator.key_wrong");
  }
}

async function verifyNew(
  { origin, rpId }: Site,
  challenge: string,
  { credential_id: id, client_data: clientData, attestation, transports }: Attestation,
): Promise<NewCredential> {
  // Loaded on first use: its certificate parsers take a fifth of a second and 15 MB.
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { verified, registrationInfo } = await withKeyError(() =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        response: { clientDataJSON: clientData, attestationObject: attestation },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified) throw new ApiError("operator.key_wrong");
  const { credential } = registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, "base64url"),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports,
    rpId,
  };
}

/** Returns the signature counter. */
async function verifyAssertion(
  row: Row,
  { origin, rpId }: Site,
  challenge: Buffer,
  assertion: Assertion,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { verified, authenticationInfo } = await withKeyError(() =>
    verifyAuthenticationResponse({
      response: {
        id: assertion.credential_id,
        rawId: assertion.credential_id,
        type: "public-key",
        response: {
          clientDataJSON: assertion.client_data,
          authenticatorData: assertion.authenticator_data,
          signature: assertion.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: assertion.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new ApiError("operator.key_wrong");
  return authenticationInfo.newCounter;
}
