import { sql } from "kysely";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Records what ties a person's accounts to their wallet (`computeOwnerCommitment`), before their first account
 * is opened.
 */
export async function insertOwner(tx: Tx, owner: string, commitment: string): Promise<void> {
  await sql`insert into ledger_owner (owner, owner_commitment) values (${owner}, ${commitment})`.execute(
    tx,
  );
}
