import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteAccount } from "#api/account.ts";
import { excludeMyself, followContract } from "#api/contracts.ts";
import { drawIdentity } from "#api/identity.ts";
import { setPin } from "#api/pin.ts";
import { addAddress } from "#api/withdraw.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/**
 * The fate of every table that names a person when that person is deleted. A new table fails the
 * test until someone decides: `erased` keeps no row of theirs; `stays` keeps opaque ids, amounts
 * and times, and any text in it is encrypted.
 */
const fates: Readonly<Record<string, "erased" | "stays">> = {
  user_account: "stays",
  user_attempt: "stays",
  user_address: "erased",
  user_authorisation: "erased",
  user_session: "erased",
  user_pin: "erased",
  address_book: "erased",
  practice_address: "erased",
  exchange_quote: "erased",
  send_recipient: "erased",
  contract_follow: "erased",
  contract_limits: "erased",
  backtest_file: "erased",
  backtest_run: "erased",
  backtest_trial: "erased",
  identity_specimen: "erased",
  identity_specimen_quota: "erased",
  identity_verification: "erased",
  news_read: "erased",
  inbox_read: "erased",
  person_code: "erased",
  person_viewing: "erased",
  invite_code: "erased",
  receipt_link: "erased",
  lesson_run: "erased",
  lesson_sitting: "erased",
  belief: "erased",
  belief_consent: "erased",
  class_figure_part: "erased",
  // Counted for the inviter; name and answers are erased.
  invitation: "stays",
  // Created in the console, not for a person.
  class_link: "stays",
  // The use of a code is kept, without the person.
  class_code: "erased",
  class_task_done: "erased",
  class_wallet: "erased",
  class_look_person: "erased",
  // Orders and what explains postings.
  account: "stays",
  ledger_owner: "stays",
  contract_order: "stays",
  hosting_order: "stays",
  hosting_holding: "stays",
  mining_lease: "stays",
  voucher: "stays",
  recharge: "stays",
  withdrawal: "stays",
  exchange: "stays",
  coin_send: "stays",
  // Reasons are encrypted under the key that is destroyed.
  person_audit_event: "stays",
  // Kept as long as its audit, without the person.
  operator: "erased",
  operator_audit_event: "stays",
  operator_audit_event_text: "erased",
  account_deletion: "stays",
};

/** Columns that identify a person, by any name. */
const personColumnPattern = /(^|_)user_id$|^(owner|touches|key_owner|inviter_id)$/;

let ctx: TestContext;
let app: App;
let close: TestApp["close"];
let person: TestSession;
beforeAll(async () => {
  ({ ctx, app, close } = await createTestApp());
  const client = await listenForClient(app);
  person = await signIn(client);
  client.close();
});
afterAll(() => close());

async function namingColumns() {
  const { rows } = await ctx.owner.pool.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = $1 and t.table_type = 'BASE TABLE' order by 1, 2`,
    [ctx.database.schema],
  );
  return rows
    .filter(({ column_name: column }) => personColumnPattern.test(column))
    .map(({ table_name: table, column_name: column }) => ({ table, column }));
}

async function call({ path }: { path: string }, input: Record<string, unknown>) {
  const answer = await app.inject({
    method: "POST",
    url: path,
    headers: { token: person.token, "idempotency-key": newKey() },
    payload: input,
  });
  expect(answer.json(), path).toMatchObject({ code: 1 });
}

test("every table that names a person has a declared fate", async () => {
  const tables = new Set((await namingColumns()).map(({ table }) => table));
  expect([...tables].toSorted()).toEqual(Object.keys(fates).toSorted());
});

test("tables marked for erasure keep no row of a deleted person", async () => {
  await call(addAddress, { name: "desk", address: encodeAddress("peth", randomBytes(20)) });
  await call(setPin, { pin: "135790" });
  await call(followContract, { contract_id: "btc-usdt", follow: true });
  await call(excludeMyself, { period: "day" });
  await call(drawIdentity, { document_type: "passport", state: "velmark", country: "DE" });
  const columns = (await namingColumns()).filter(({ table }) => fates[table] === "erased");
  const counts = async () => {
    const counts: Record<string, number> = {};
    for (const { table, column } of columns) {
      const { rows } = await ctx.owner.pool.query<{ count: number }>(
        `select count(*)::int as count from ${table} where ${column}::text = $1`,
        [person.userId],
      );
      if (rows[0]!.count > 0) counts[table] = rows[0]!.count;
    }
    return counts;
  };
  const before = await counts();
  for (const table of ["user_address", "address_book", "identity_specimen", "contract_limits"]) {
    expect(Object.keys(before)).toContain(table);
  }
  await call(deleteAccount, { word: "delete", pin: "135790", receipt_id: randomUUID() });
  expect(await counts()).toEqual({});
});
