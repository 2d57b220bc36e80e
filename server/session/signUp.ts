import { sql } from "kysely";
import type { SignUpState } from "#core/session/signUp.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * Who may make an account on this instance. `lock` keeps it for the transaction, so that two
 * switches come one after the other.
 * Asked at the one place where an account is made, before anything of it is written. `class_links`
 * takes codes of classes only: with a person's own invitation anyone could let anyone in.
 */
export async function readSignUp(db: Db | Tx, lock = false): Promise<SignUpState> {
  const { rows } = await sql<{ state: SignUpState }>`
    select state from sign_up ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0]!.state;
}

export async function writeSignUp(tx: Tx, state: SignUpState): Promise<void> {
  await sql`update sign_up set state = ${state}`.execute(tx);
}
