import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { hashCode, writeCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** How long a one-time code can be used, in real time. */
const codeLifeMs = dayMs;
/** Maximum number of unused codes. */
const codesMax = 20;

export interface OpenCode {
  /** Hex of the code's hash; identifies the code when it is withdrawn. */
  codeHash: string;
  role: Role;
  createdBy: string;
  expiresAtMs: number;
}

interface Row {
  code_hash: Buffer;
  role: Role;
  made_by: string | null;
  expires_at_ms: bigint;
  used_by: string | null;
}

/** A first code with less time left than this is replaced at the next start. */
const firstCodeLeastMs = codeLifeMs / 2;

/**
 * The first operator's code, the same for every process that asks while it has half its life left;
 * the caller holds the members' lock. It is derived from its time of issue under the instance's
 * key, because only its hash is stored.
 */
export async function createFirstCode(
  tx: Tx,
  fieldEncryption: Pick<FieldEncryption, "blindIndex">,
  nowMs: number,
): Promise<string> {
  const derive = async (createdAtMs: number) =>
    writeCode(await fieldEncryption.blindIndex("operator_code.first", String(createdAtMs)));
  const { rows } = await sql<{ created_at_ms: bigint; expires_at_ms: bigint; open: boolean }>`
    select created_at_ms, expires_at_ms, used_by is null as open from operator_code
    where made_by is null order by created_at_ms desc limit 1`.execute(tx);
  const last = rows[0];
  if (last?.open && Number(last.expires_at_ms) - nowMs >= firstCodeLeastMs)
    return derive(Number(last.created_at_ms));
  // A unique time, even if the clock stands still or was set back.
  const createdAtMs = Math.max(nowMs, Number(last?.created_at_ms ?? 0n) + 1);
  const code = await derive(createdAtMs);
  await sql`delete from operator_code where made_by is null and used_by is null`.execute(tx);
  await sql`
    insert into operator_code (code_hash, role, created_at_ms, expires_at_ms)
    values (${Buffer.from(hashCode(code)!)}, 'owner', ${createdAtMs}, ${nowMs + codeLifeMs})`.execute(
    tx,
  );
  return code;
}

/**
 * Stores the hash of a code that an owner's browser generated, for a day. Throws
 * `operator.too_many_codes`. The browser generates the code and sends its hash because the answer
 * of a changing call is stored: one containing a code would put it into the database and its
 * backups.
 */
export async function addCode(
  tx: Tx,
  { codeHash: hash, role, createdBy }: { codeHash: string; role: Role; createdBy: string },
  nowMs: number,
): Promise<number> {
  if ((await listCodes(tx, nowMs)).length >= codesMax)
    throw new ApiError("operator.too_many_codes", { max: codesMax });
  const expiresAtMs = nowMs + codeLifeMs;
  await sql`
    insert into operator_code (code_hash, role, made_by, created_at_ms, expires_at_ms)
    values (${Buffer.from(hash, "hex")}, ${role}, ${createdBy}, ${nowMs}, ${expiresAtMs})
    on conflict (code_hash) do nothing`.execute(tx);
  return expiresAtMs;
}

/** Withdraws an unused code. Throws `operator.code_unknown`. */
export async function removeCode(tx: Tx, hash: string): Promise<void> {
  const { rows } = await sql`
    delete from operator_code where code_hash = ${Buffer.from(hash, "hex")} and used_by is null and made_by is not null
    returning code_hash`.execute(tx);
  if (rows.length === 0) throw new ApiError("operator.code_unknown");
}

/** Withdraws every unused code of these operators. */
export async function removeCodes(tx: Tx, operatorIds: readonly string[]): Promise<void> {
  await sql`
    delete from operator_code where made_by = any(${operatorIds}::text[]) and used_by is null`.execute(
    tx,
  );
}

/** The owners' unused codes, newest first. */
export async function listCodes(db: Db, nowMs: number): Promise<OpenCode[]> {
  const { rows } = await sql<Omit<Row, "used_by"> & { made_by: string }>`
    select code_hash, role, made_by, expires_at_ms from operator_code
    where used_by is null and made_by is not null and expires_at_ms > ${nowMs}
    order by created_at_ms desc, code_hash`.execute(db);
  return rows.map((row) => ({
    codeHash: row.code_hash.toString("hex"),
    role: row.role,
    createdBy: row.made_by,
    expiresAtMs: Number(row.expires_at_ms),
  }));
}

/**
 * Finds the code that was typed and locks it for the transaction. Throws `operator.code_unknown` if
 * it is malformed, unknown or expired. A used code is returned with its user.
 */
export async function findCode(
  tx: Tx,
  text: string,
  nowMs: number,
): Promise<{ hash: Buffer; role: Role; first: boolean; usedBy: string | null }> {
  const hash = hashCode(text);
  if (hash === null) throw new ApiError("operator.code_unknown");
  const { rows } = await sql<Row>`
    select * from operator_code where code_hash = ${Buffer.from(hash)} for update`.execute(tx);
  const row = rows[0];
  if (!row || (row.used_by === null && Number(row.expires_at_ms) <= nowMs)) {
    throw new ApiError("operator.code_unknown");
  }
  return { hash: row.code_hash, role: row.role, first: row.made_by === null, usedBy: row.used_by };
}

export async function markUsed(tx: Tx, hash: Buffer, operatorId: string): Promise<void> {
  await sql`update operator_code set used_by = ${operatorId} where code_hash = ${hash}`.execute(tx);
}

/** Deletes codes that can no longer be used. Its user may resend a used code for a day. */
export async function purgeCodes(db: Db, nowMs: number): Promise<void> {
  await sql`delete from operator_code where expires_at_ms < ${nowMs - codeLifeMs}`.execute(db);
}
