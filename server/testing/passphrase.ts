import { randomBytes, scryptSync } from "node:crypto";
import { sql } from "kysely";
import type { TestContext } from "./testContext.ts";

export const testPassphrase = "kettle ochre vane lamp";

/**
 * Gives an operator `testPassphrase`, hashed at little cost (a row names its own cost): tests
 * elevate hundreds of times. Setting one through the call is tested in factors.test.ts.
 */
export async function giveTestPassphrase(ctx: TestContext, userId: string): Promise<void> {
  const salt = randomBytes(16);
  const hash = scryptSync(testPassphrase, salt, 32, { N: 2 ** 8, r: 8, p: 1 });
  await sql`
    insert into operator_passphrase (operator_id, scheme, salt, hash, set_at_ms)
    select operator_id, 'scrypt/8/8/1', ${salt}, ${hash}, 0 from operator
    where user_id = ${userId} and ended_at_ms is null
    on conflict (operator_id) do update
    set scheme = excluded.scheme, salt = excluded.salt, hash = excluded.hash,
      set_at_ms = 0, failures = 0, locked_until_ms = 0`.execute(ctx.owner.db);
}
