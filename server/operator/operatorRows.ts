import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { areFactorsReady } from "#core/operator/factors.ts";
import type { Role } from "#core/operator/permissions.ts";
import { removeCodes } from "#server/operator/codes.ts";
import {
  type FactorRow,
  factorColumns,
  removeFactors,
  toFactorState,
} from "#server/operator/factors/factors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { type Database, type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface OperatorRow {
  operatorId: string;
  userId: string;
  role: Role;
  /** Encrypted under the person's key. */
  name: Buffer | null;
  sinceMs: number;
}

interface Row {
  operator_id: string;
  user_id: string;
  role: Role;
  name_encrypted: Buffer | null;
  since_ms: bigint;
}

const toRow = (row: Row): OperatorRow => ({
  operatorId: row.operator_id,
  userId: row.user_id,
  role: row.role,
  name: row.name_encrypted,
  sinceMs: Number(row.since_ms),
});

/** The operator behind a session; null: not an operator. */
export async function findOperator(
  db: Db,
  session: Session,
  nowMs: number,
): Promise<Operator | null> {
  const { rows } = await sql<Row & FactorRow & { until_ms: bigint | null }>`
    select o.*, r.until_ms, ${factorColumns} from operator o
    left join operator_elevation r on r.operator_id = o.operator_id and r.session_id = ${session.sessionId}
      and r.until_ms > ${nowMs}
    where o.user_id = ${session.userId} and o.ended_at_ms is null`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const elevatedUntilMs = row.until_ms === null ? null : Number(row.until_ms);
  return {
    operatorId: row.operator_id,
    userId: row.user_id,
    role: row.role,
    factorsReady: areFactorsReady(toFactorState(row)),
    elevatedUntilMs,
  };
}

/** The current operators, longest-serving first. */
export async function listOperators(db: Db): Promise<(OperatorRow & { factorsReady: boolean })[]> {
  const { rows } = await sql<Row & FactorRow>`
    select o.*, ${factorColumns} from operator o where ended_at_ms is null and user_id is not null
    order by since_ms, operator_id`.execute(db);
  return rows.map((row) => ({
    ...toRow(row),
    factorsReady: areFactorsReady(toFactorState(row)),
  }));
}

/**
 * Throws `operator.required` if this operator was removed or changed role since the call was
 * admitted: it may have waited for others.
 */
export async function requireStillOperator(
  tx: Tx,
  { operatorId, role }: Pick<Operator, "operatorId" | "role">,
): Promise<void> {
  const { rows } = await sql`
    select from operator where operator_id = ${operatorId} and role = ${role} and ended_at_ms is null`.execute(
    tx,
  );
  if (rows.length === 0) throw new ApiError("operator.required");
}

/** Returns true if any operator may manage operators. */
export const hasOwner = (operators: readonly OperatorRow[]) =>
  operators.some(({ role }) => role === "owner");

/**
 * Taken by everything that changes who is an operator: two concurrent changes must not each remove
 * the other's last owner.
 */
export async function lockOperators(tx: Tx, { schema }: Pick<Database, "schema">): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(schema, "operator/members")})`.execute(tx);
}

export async function addOperator(
  tx: Tx,
  { userId, role, name }: { userId: string; role: Role; name: Buffer },
  nowMs: number,
): Promise<string> {
  const operatorId = randomUUID();
  await sql`
    insert into operator (operator_id, user_id, role, name_encrypted, since_ms)
    values (${operatorId}, ${userId}, ${role}, ${name}, ${nowMs})`.execute(tx);
  return operatorId;
}

/** Throws `operator.unknown`. */
export async function requireOperatorRow(tx: Tx, operatorId: string): Promise<OperatorRow> {
  const { rows } = await sql<Row>`
    select * from operator
    where operator_id = ${operatorId} and ended_at_ms is null and user_id is not null for update`.execute(
    tx,
  );
  if (!rows[0]) throw new ApiError("operator.unknown");
  return toRow(rows[0]);
}

/** Throws `operator.last_owner` if this is the only owner. Call with the members locked. */
export async function requireOtherOwner(tx: Tx, target: OperatorRow): Promise<void> {
  if (target.role !== "owner") return;
  const { rows } = await sql`
    select from operator where role = 'owner' and ended_at_ms is null and user_id is not null
      and operator_id <> ${target.operatorId} limit 1`.execute(tx);
  if (rows.length === 0) throw new ApiError("operator.last_owner");
}

/** A former owner leaves no code behind that would still let others in. */
export async function changeRole(tx: Tx, operatorId: string, role: Role): Promise<void> {
  if (role !== "owner") await removeCodes(tx, [operatorId]);
  await sql`update operator set role = ${role} where operator_id = ${operatorId}`.execute(tx);
}

/**
 * The operator's permissions end immediately; the row stays, so that ids in the audit remain
 * meaningful to others.
 */
export async function endOperator(tx: Tx, operatorId: string, nowMs: number): Promise<void> {
  await sql`update operator set ended_at_ms = ${nowMs} where operator_id = ${operatorId}`.execute(
    tx,
  );
  await sql`delete from operator_elevation where operator_id = ${operatorId}`.execute(tx);
  await removeFactors(tx, [operatorId]);
  await removeCodes(tx, [operatorId]);
}
