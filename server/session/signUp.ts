import { sql } from "kysely";
import type { SignUpState } from "#core/session/signUp.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * The people who may create an account on this instance. `lock` holds it for the transaction, so
 * that two switches are serialised. Checked at the one place where an account is created, before
 * any of it is written. `class_links` accepts only codes of classes: with a personal invitation
 * anyone could let anyone in.
 */
export async function readSignUp(db: Db | Tx, lock = false): Promise<SignUpState> {
  const { rows } = await sql<{ state: SignUpState }>`
    select state from sign_up ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0]!.state;
}

export async function writeSignUp(tx: Tx, state: SignUpState): Promise<void> {
  await sql`update sign_up set state = ${state}`.execute(tx);
}
