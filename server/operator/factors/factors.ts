import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { hashCode } from "#core/operator/code.ts";
import { areFactorsReady, type FactorState, getNeededProof } from "#core/operator/factors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import type { Session } from "#server/platform/http/session.ts";
import { createPassphrases, type Passphrases } from "./passphrase.ts";
import {
  type Assertion,
  createSecurityKeys,
  type SecurityKeys,
  type Site,
  type StoredKey,
} from "./securityKeys.ts";

/** How long the code of a reset can be used, in real time. */
const resetCodeLifeMs = dayMs;

/** The proof in a request for elevation besides the signature. */
interface ProofInput {
  passphrase?: string | undefined;
  key?: Assertion | undefined;
  code?: string | undefined;
}

/** The proof checked before the transaction that elevates; checked again in it. */
type Proof =
  | { with: "passphrase"; setAtMs: number }
  | { with: "key"; keyId: string }
  | { with: "code"; codeHash: Buffer }
  | { with: "signature" };

export interface Factors {
  passphrases: Passphrases;
  keys: SecurityKeys;
  view(operatorId: string, userId: string): Promise<FactorView>;
  /**
   * Checks the proof that an operator sent besides the signature. `challenge` is the bytes that a
   * key must have signed. Throws `operator.proof_required`, `operator.passphrase_wrong`,
   * `operator.passphrase_locked`, `operator.key_wrong` or `operator.code_unknown`.
   */
  prove(
    operatorId: string,
    input: ProofInput,
    challenge: Buffer,
    site: Site | null,
  ): Promise<Proof>;
  /** Throws `operator.proof_required` if the proof no longer holds. */
  requireStillProven(tx: Tx, operatorId: string, proof: Proof): Promise<void>;
  /**
   * Changes an elevated operator's own factors, one change at a time. Ends the elevation of their
   * other sessions, and of this one once the first factor is ready: it was given without one. Throws
   * `operator.raise_required`, or `operator.last_factor` if no factor with a way back would be left.
   */
  change<Result>(
    by: { tx: Tx; session: Session; operator: Operator },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Factors as their operator sees them. */
interface FactorView {
  state: FactorState;
  passphraseSetAtMs: number | null;
  /** With their names decrypted; null if erased. */
  keys: (Omit<StoredKey, "name"> & { name: string | null })[];
}

export function createFactors(
  ctx: Pick<AppContext, "database" | "realClock" | "fieldEncryption">,
): Factors {
  const { db } = ctx.database;
  const passphrases = createPassphrases(ctx);
  const keys = createSecurityKeys(ctx);
  const resetCode = async (db: Db, operatorId: string) => {
    const { rows } = await sql<{ code_hash: Buffer | null }>`
      select code_hash from operator_factor_reset
      where operator_id = ${operatorId} and expires_at_ms > ${ctx.realClock.nowMs()}`.execute(db);
    return rows[0]?.code_hash ?? null;
  };
  return {
    passphrases,
    keys,
    view: async (operatorId, userId) => ({
      state: await readState(db, operatorId),
      passphraseSetAtMs: await passphrases.setAtMs(db, operatorId),
      keys: await Promise.all(
        (await keys.list(db, operatorId)).map(async (key) => ({
          ...key,
          name: await ctx.fieldEncryption.decryptText(userId, key.name),
        })),
      ),
    }),
    prove: async (operatorId, { passphrase, key, code }, challenge, site) => {
      const state = await readState(db, operatorId);
      switch (getNeededProof(state)) {
        case "signature":
          return { with: "signature" };
        case "code": {
          const hash = hashCode(code ?? "");
          const expected = await resetCode(db, operatorId);
          if (!hash || !expected?.equals(hash)) throw new ApiError("operator.code_unknown");
          return { with: "code", codeHash: expected };
        }
        case "factor":
          if (key)
            return { with: "key", keyId: await keys.verify(operatorId, site, challenge, key) };
          if (!state.passphrase || passphrase === undefined)
            throw new ApiError("operator.proof_required");
          return { with: "passphrase", setAtMs: await passphrases.check(operatorId, passphrase) };
      }
    },
    requireStillProven: async (tx, operatorId, proof) => {
      // Excludes a concurrent change: an elevation must not outlive the factors it was granted for.
      await lockFactors(tx, operatorId);
      if (!(await isStillProven(tx, operatorId, proof)))
        throw new ApiError("operator.proof_required");
    },
    change: async ({ tx, session, operator }, work) => {
      await lockFactors(tx, operator.operatorId);
      await requireElevated(tx, session, operator, ctx.realClock.nowMs());
      const wasReady = areFactorsReady(await readState(tx, operator.operatorId));
      const result = await work();
      const isReady = areFactorsReady(await readState(tx, operator.operatorId));
      if (wasReady && !isReady) throw new ApiError("operator.last_factor");
      const keptSession = wasReady || !isReady ? session.sessionId : null;
      await sql`
        delete from operator_elevation where operator_id = ${operator.operatorId}
          and session_id is distinct from ${keptSession}`.execute(tx);
      if (isReady)
        await sql`
          delete from operator_factor_reset where operator_id = ${operator.operatorId}`.execute(tx);
      return result;
    },
  };

  async function isStillProven(tx: Tx, operatorId: string, proof: Proof): Promise<boolean> {
    const state = await readState(tx, operatorId);
    switch (proof.with) {
      case "signature":
        return getNeededProof(state) === "signature";
      case "code":
        return (
          getNeededProof(state) === "code" &&
          (await resetCode(tx, operatorId))?.equals(proof.codeHash) === true
        );
      case "passphrase":
        return (await passphrases.setAtMs(tx, operatorId)) === proof.setAtMs;
      case "key":
        return (await keys.list(tx, operatorId)).some(({ keyId }) => keyId === proof.keyId);
    }
  }
}

/** Held while an operator's factors change, or are relied on for elevation. */
async function lockFactors(tx: Tx, operatorId: string): Promise<void> {
  await sql`select from operator where operator_id = ${operatorId} for update`.execute(tx);
}

/** Columns that count the factors of an operator in `o`: for queries that select from it. */
export const factorColumns = sql`
  exists (select from operator_passphrase f where f.operator_id = o.operator_id) as passphrase,
  (select count(*)::int from operator_key f where f.operator_id = o.operator_id) as keys,
  coalesce((
    select max(together) from (
      select count(*)::int as together from operator_key f where f.operator_id = o.operator_id
      group by rp_id
    ) at_one
  ), 0) as keys_at_one_address,
  exists (select from operator_factor_reset f where f.operator_id = o.operator_id) as reset`;

export interface FactorRow {
  passphrase: boolean;
  keys: number;
  keys_at_one_address: number;
  reset: boolean;
}

export const toFactorState = (row: FactorRow): FactorState => ({
  passphrase: row.passphrase,
  keys: row.keys,
  keysAtOneAddress: row.keys_at_one_address,
  reset: row.reset,
});

async function readState(db: Db, operatorId: string): Promise<FactorState> {
  const { rows } = await sql<FactorRow>`
    select ${factorColumns} from operator o where operator_id = ${operatorId}`.execute(db);
  if (!rows[0]) throw new ApiError("operator.required");
  return toFactorState(rows[0]);
}

async function requireElevated(
  tx: Tx,
  session: Session,
  { operatorId }: Operator,
  nowMs: number,
): Promise<void> {
  const { rows } = await sql`
    select from operator_elevation
    where session_id = ${session.sessionId} and operator_id = ${operatorId}
      and until_ms > ${nowMs}`.execute(tx);
  if (rows.length === 0) throw new ApiError("operator.raise_required");
}

/**
 * Removes an operator's factors and ends their elevation. New ones take the code of this hash;
 * returns until when.
 */
export async function resetFactors(
  tx: Tx,
  { operatorId, codeHash: hash }: { operatorId: string; codeHash: Buffer },
  nowMs: number,
): Promise<number> {
  await lockFactors(tx, operatorId);
  await removeFactors(tx, [operatorId]);
  const expiresAtMs = nowMs + resetCodeLifeMs;
  await sql`
    insert into operator_factor_reset (operator_id, code_hash, expires_at_ms)
    values (${operatorId}, ${hash}, ${expiresAtMs})`.execute(tx);
  await sql`delete from operator_elevation where operator_id = ${operatorId}`.execute(tx);
  return expiresAtMs;
}

/** For a reset, and for operators who leave. */
export async function removeFactors(tx: Tx, operatorIds: readonly string[]): Promise<void> {
  const ids = sql`any(${operatorIds}::text[])`;
  await sql`delete from operator_passphrase where operator_id = ${ids}`.execute(tx);
  await sql`delete from operator_key where operator_id = ${ids}`.execute(tx);
  await sql`delete from operator_factor_reset where operator_id = ${ids}`.execute(tx);
}
