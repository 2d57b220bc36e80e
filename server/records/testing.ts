import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Ledger } from "#server/ledger/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createWallet } from "#server/wallet/wallet.ts";

export interface PersonAttempt {
  userId: string;
  attemptId: string;
}

/** A person with an attempt that has its starting balance, as signing in creates one. */
export async function createPersonWithAttempt(
  ctx: Pick<AppContext, "database" | "fieldEncryption" | "world">,
  ledger: Ledger,
): Promise<PersonAttempt> {
  const person = { userId: randomUUID(), attemptId: randomUUID() };
  await sql`insert into user_account (user_id, created_at_ms) values (${person.userId}, 0)`.execute(
    ctx.database.db,
  );
  await ctx.fieldEncryption.createKey(person.userId);
  await getOpenAttempt(ctx, ledger, person, 1);
  return person;
}

export async function getOpenAttempt(
  ctx: Pick<AppContext, "database" | "world">,
  ledger: Ledger,
  person: PersonAttempt,
  number: number,
): Promise<void> {
  await sql`
    insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
    values (${person.attemptId}, ${person.userId}, ${number}, 0, 0)`.execute(ctx.database.db);
  await createWallet(ctx, { ledger, market: { latest: () => null } }).openAttempt(person);
}
