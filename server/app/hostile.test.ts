import { sql } from "kysely";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { errors } from "#api/errors.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { giveTestPassphrase } from "#server/testing/passphrase.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { signNonce } from "#server/testing/signNonce.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

/**
 * Every call of the wire, with hostile values in each of its fields: a named error or an answer,
 * never a failure.
 */
const hostile: unknown[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e0001",
  "１００",
  "0x64",
  "1e3",
  "-1",
  "+1",
  "007",
  "1.0000001",
  "9".repeat(40),
  "a".repeat(5_000),
  "__proto__",
  "constructor",
  "toString",
  "'; drop table journal; --",
  "../../etc/passwd",
  "{0, plural, other {}}",
  "<script>alert(1)</script>",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-fffffffffffg",
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  9_007_199_254_740_991,
  -9_007_199_254_740_991,
  [],
  ["60"],
  [["60"]],
  {},
  { toString: "x" },
  { length: 3 },
];
const bodies = ["null", "1", '"x"', "[]", "[{}]", "{", "\0", '{"a":{"__proto__":1}}', "﻿{}"];

let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let operators: People;
let owner: TestPerson | undefined;
let termsHash: string;
beforeAll(async () => {
  ({ ctx, world, app, people: operators, close } = await createTestApp());
  ctx.clock.advanceTo(testStartMs + 5_000);
  ctx.realClock.advanceMs(5_000);
  await world.services.market.feed.tick();
  await world.services.transparencyLog.integrate();
  termsHash = (await world.services.contracts.catalogue.find("btc-usdt"))!.terms.termsHash;
});
afterAll(() => close());

const host = "localhost:4100";
let people = 0;
let keys = 0;

const slowly: Record<string, number> = {
  "/api/index/reportError": 6_500,
  "/api/operator/people/openViewing": 10_000,
  "/api/class/findCode": 10_000,
  "/api/class/join": 10_000,
  "/api/class/openBackup": 10_000,
};
async function ask(call: Pick<Call, "method" | "path">, payload: string | object, token = "") {
  // Stays within the rate limits: thirty calls a second, ten reports a minute, a code every ten
  // seconds.
  ctx.realClock.advanceMs(slowly[call.path] ?? 40);
  keys += 1;
  const headers = {
    host,
    ...(token ? { token } : {}),
    "idempotency-key": `0199aaaa-0000-7000-8000-${String(keys).padStart(12, "0")}`,
    "content-type": "application/json",
  };
  if (call.method === "GET") {
    const query = typeof payload === "string" ? payload : toQuery(payload as Fields);
    return app.inject({ method: "GET", url: `${call.path}?${query}`, headers });
  }
  return app.inject({ method: "POST", url: call.path, headers, payload });
}

type Fields = Record<string, unknown>;

/** Lists become repeated keys. */
function toQuery(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat(3))
      query.append(name, typeof item === "string" ? item : JSON.stringify(item));
  }
  return query.toString();
}

/** Signs in a new person, who has accepted the terms. */
async function signIn(): Promise<string> {
  people += 1;
  const account = privateKeyToAccount(`0x${people.toString(16).padStart(64, "0")}`);
  const { address } = account;
  ctx.realClock.advanceMs(2_000);
  const nonce = await app.inject({
    url: `/api/user/nonce?address=${address}&chain_id=1`,
    headers: { host },
  });
  const { data } = nonce.json();
  const { message, signature } = await signNonce(account, data);
  const response = await ask(
    { method: "POST", path: "/api/user/create" },
    { address, type: "erc", message, signature },
  );
  const { token } = response.json().data;
  const version = world.services.session.termsVersion;
  const agreement = await ask({ method: "POST", path: "/api/user/authorize" }, { version }, token);
  expect(agreement.json()).toMatchObject({ code: 1 });
  return token;
}

/** Passes the console's check: the one owner, with an elevated session. */
async function elevatedOwner(): Promise<string> {
  owner ??= await operators.operator("owner");
  // A hostile body may have set a different one.
  await giveTestPassphrase(ctx, owner.userId);
  await operators.raise(owner);
  return owner.token;
}

/** Inputs that are valid except for the field that is replaced. */
const validPayloads: Record<string, () => Fields> = {
  "/api/index/reportError": () => ({ type: "script", code: "x", message: "y", page_url: "/home" }),
  "/api/user/create": () => ({
    address: `0x${"1".repeat(40)}`,
    type: "erc",
    message: "",
    signature: "0x",
  }),
  "/api/user/nonce": () => ({ address: `0x${"1".repeat(40)}`, chain_id: "1" }),
  "/api/contract/contractPlaceOrder": () => ({
    contract_id: "btc-usdt",
    direction: "up",
    stake: "10",
    tier: 300,
    terms_hash: termsHash,
  }),
  "/api/contract/getKlineData": () => ({ contract_id: "btc-usdt", interval: "1m" }),
  "/api/contract/followContract": () => ({ contract_id: "btc-usdt", follow: true }),
};

/** The state that a rejected call must leave unchanged. */
async function getState(): Promise<unknown> {
  const tables = "journal entry contract_order contract_limits contract_follow user_account";
  const moreTables =
    "user_address user_attempt user_session user_authorisation session_nonce error_log";
  const counts = `${tables} ${moreTables}`
    .split(" ")
    .map((name) => sql`(select count(*) from ${sql.table(name)}) as ${sql.ref(name)}`);
  const { rows } = await sql`
    select ${sql.join(counts)}, (select sum(abs(balance)) from account) as balances`.execute(
    ctx.owner.db,
  );
  return rows[0];
}

const notTried = [
  "session.required",
  "request.too_many",
  "operator.required",
  "operator.not_permitted",
  "operator.raise_required",
];

/** The state after the last request; null if something may have changed it since. */
let lastState: unknown = null;

async function expectAnswered(call: Call, payload: string | object, token: string): Promise<void> {
  const before = lastState ?? (await getState());
  lastState = null;
  const answer = await ask(call, payload, token);
  const context = `${call.path} ${JSON.stringify(payload)}: ${answer.body.slice(0, 300)}`;
  // A file has no envelope.
  if (call.file && answer.statusCode === 200) return;
  const envelope = answer.json();
  expect(typeof envelope.msg, context).toBe("string");
  if (envelope.code === 1) return;
  // Otherwise nothing beyond the access check was exercised.
  expect(notTried, context).not.toContain(envelope.error);
  expect(envelope.error in errors, context).toBe(true);
  expect(["server.failed", "server.unavailable"], context).not.toContain(envelope.error);
  expect(envelope.msg, context).not.toBe(envelope.error);
  lastState = await getState();
  expect(lastState, context).toEqual(before);
}

/** Health may report parts that do not run, as is the case in this test. */
const fuzzed = calls.filter(({ path }) => path !== "/api/health");

test("this test knows the fields of every call", () => {
  const shaped = calls.filter(({ input }) => "shape" in input);
  expect(shaped).toHaveLength(calls.length);
});

test.each(fuzzed.map((call) => [call.path, call] as const))("%s", async (path, call) => {
  const fields = Object.keys((call.input as unknown as { shape?: Fields }).shape ?? {});
  let token = call.access === "operator" ? await elevatedOwner() : await signIn();
  lastState = null;
  for (const body of call.method === "POST"
    ? bodies
    : ["=&&=", "%00=%00", "a[b]=1", "__proto__=1"]) {
    await expectAnswered(call, body, token);
    if (path !== "/api/user/signOut") continue;
    token = await signIn();
    lastState = null;
  }
  for (const field of fields) {
    for (const value of hostile) {
      await expectAnswered(call, { ...validPayloads[path]?.(), [field]: value }, token);
    }
  }
});

test.each([
  "\0",
  "../..",
  "a".repeat(300),
  "ＧＥＴ",
  "\n",
])("an address ending in %j", async (text) => {
  for (const root of ["/api/", "/log/tile/0/", "/log/", "/"]) {
    const answer = await app.inject({ url: root + encodeURIComponent(text) });
    expect([root, answer.statusCode, answer.json().error]).toEqual([
      root,
      404,
      "request.not_found",
    ]);
  }
});
