import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { type Call, changesSomething } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { dayMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

/**
 * The state that no console call can reach: after every operator call, with bodies that match its
 * schema, sent by an owner with elevated permissions, every existing posting, price, order, lease,
 * holding and withdrawal is still there, byte for byte, and none was added.
 */
let ctx: TestContext;
let world: World;
let close: TestApp["close"];
let people: People;
let owner: TestPerson;
let person: TestPerson;
/** Another operator, whose role is changed during the test. */
let target: TestPerson;
let ids: Record<string, unknown>;

const operatorCalls = calls.filter(({ access }) => access === "operator");
const startMs = testStartMs;

beforeAll(async () => {
  ({ ctx, world, people, close } = await createTestApp());
  owner = await people.operator("owner");
  person = await people.signIn();
  await seconds(3);
  const order = await openOrder();
  await seconds(3);
  const withdrawal = await askWithdrawal();
  target = await people.operator("auditor", owner);
  const { rows } = await sql<{ operator_id: string }>`
    select operator_id from operator where user_id = ${target.userId}`.execute(ctx.owner.db);
  ids = {
    user_id: person.userId,
    order_id: order,
    withdrawal_id: withdrawal,
    operator_id: rows[0]!.operator_id,
    contract_id: "btc-usdt",
    symbol: "BTC/USDT",
    why: "To see what can be reached",
    revision: 0,
    expires_at_ms: ctx.realClock.nowMs() + 30 * dayMs,
  };
  await people.raise(owner);
  before = await snapshot();
});
afterAll(() => close());

/** The answers of each call, in order. */
const answersByCall = new Map<string, string[]>();
let before: State;
let elapsedSeconds = 0;
async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    elapsedSeconds += 1;
    ctx.clock.advanceTo(startMs + elapsedSeconds * 1_000);
    ctx.realClock.advanceMs(1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
}

async function openOrder(): Promise<string> {
  const { terms } = (await world.services.contracts.catalogue.find("btc-usdt"))!;
  const placement = await people.data(
    getCall("/api/contract/contractPlaceOrder"),
    {
      contract_id: "btc-usdt",
      direction: "up",
      stake: "10",
      tier: 300,
      terms_hash: terms.termsHash,
    },
    person.token,
  );
  return placement.order_id ?? placement.order.order_id;
}

async function askWithdrawal(): Promise<string> {
  const receive = getCall("/api/user/getReceiveAddress");
  const { address } = await people.data(receive, { coin: "pUSDT" }, owner.token);
  const withdrawal = await people.data(
    getCall("/api/user/withdraw"),
    { coin: "pUSDT", address, amount: "100" },
    person.token,
  );
  return withdrawal.withdrawal_id ?? withdrawal.withdrawal.withdrawal_id;
}

/** Generates a value that matches a JSON schema; fields with a known meaning get existing ids. */
function generateValue(schema: Json, name = "", turn = 0): unknown {
  if (name in ids) return ids[name];
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[turn % schema.enum.length];
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return generateValue(choices[turn % choices.length]!, name, turn);
  switch (schema.type) {
    case "object": {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
      return Object.fromEntries(
        properties.map(([key, inner]) => [key, generateValue(inner, key, turn)]),
      );
    }
    case "array":
      return [generateValue((schema.items ?? {}) as Json, name, turn)];
    case "integer":
    case "number":
      return Math.max(Number(schema.minimum ?? 1), 1 + turn);
    case "boolean":
      return turn % 2 === 0;
    case "null":
      return null;
    default:
      return typeof schema.pattern === "string" && schema.pattern.includes("{64}")
        ? "ab".repeat(32)
        : "10";
  }
}
type Json = Record<string, unknown>;

/**
 * For a call about a publication: an existing one with its current content, so that the call gets
 * as far as possible.
 */
async function createPublicationInput({ path }: Call): Promise<Json> {
  const kind = /\/publishing\/(\w+)\//.exec(path)?.[1];
  if (kind === undefined) return {};
  const { rows } = await sql<{ id: string; revision: number; body: string | null }>`
    select p.id, p.revision, coalesce(p.draft, v.body) as body from publication p
    left join publication_version v on v.publication_id = p.id and v.version = p.version
    where p.kind = ${kind} order by p.withdrawn, p.seq limit 1`.execute(ctx.owner.db);
  const row = rows[0];
  if (!row) return { id: randomUUID(), revision: 0 };
  const body = row.body === null ? {} : { body: JSON.parse(row.body) as Json };
  return { id: row.id, revision: row.revision, ...body, at_ms: null };
}

/** For a call about a person: a code that they have just created, or the viewing it opened. */
async function createHelpInput({ path }: Call): Promise<Json> {
  if (path.endsWith("/class/announce")) return { id: randomUUID() };
  // people.test.ts tests that a withdrawal leaves early and in full; no withdrawal here has this
  // id.
  if (path.endsWith("/people/payNow")) return { withdrawal_id: randomUUID() };
  const about = /\/people\/(openViewing|findViewing|closeViewing|get\w+)$/.exec(path)?.[1];
  if (about === undefined) return {};
  const { code } = await world.services.people.viewings.makeCode(person.userId);
  if (about === "openViewing") return { code };
  ctx.realClock.advanceMs(60_000);
  const viewing = await people.data(
    getCall("/api/operator/people/openViewing"),
    { code },
    owner.token,
  );
  return { viewing_id: viewing.viewing_id };
}

function getInput(call: Call, round: number): Json {
  const schema = z.toJSONSchema(call.input, { io: "input", unrepresentable: "any" }) as Json;
  return generateValue(schema, "", round) as Json;
}

/**
 * Tables that an operator's work may change: the console's own, drafts and publications, and who is
 * signed in.
 */
const otherTables =
  /^(operator|publication|published|news|notice|link|person_audit_event|user_session|session_nonce|user_authorisation|instance_|account_|error_log|person_code|person_viewing|class_|invite_code|sign_up|contract_settings|world_pause)/;
/**
 * Tables to which publishing appends, but in which existing rows must not change: terms, their
 * leaves, products.
 */
const appendedTables =
  /^(log_leaf|log_|contract_terms|contract$|contract_exposure|contract_product|hosting_pool|hosting_terms|mining_machine|mining_terms|mining_offer|terms|user_account)/;

/**
 * A publisher decides whether something is sold to newcomers, and support decides whether someone
 * may open new positions and whom they ask for help; nothing already running depends on either. The
 * log grows with operators' actions, and records when a text is withdrawn.
 */
const sayable: Record<string, readonly string[]> = {
  log_head: ["next"],
  log_publication: ["withdrawn_leaf"],
  hosting_pool: ["suspended"],
  user_account: ["suspended_at_ms", "custom_service_url"],
};

/**
 * For tables that may grow, the hashes of their rows. For every other table, its row count and the
 * sum of the writing transactions' ids: it changes when any row is added, deleted or rewritten,
 * even with the same content.
 */
type State = Map<string, readonly string[]>;

async function snapshot(): Promise<State> {
  const { db } = ctx.owner;
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${ctx.database.schema}`.execute(db);
  const state: State = new Map();
  for (const { name } of tables) {
    if (otherTables.test(name)) continue;
    const row = sql`md5((to_jsonb(t) - ${[...(sayable[name] ?? [])]}::text[])::text)`;
    const hashes = appendedTables.test(name)
      ? sql<{ hash: string }>`select ${row} as hash from ${sql.table(name)} t`
      : sql<{ hash: string }>`
          select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as hash
          from ${sql.table(name)} t`;
    const { rows } = await hashes.execute(db);
    state.set(
      name,
      rows.map(({ hash }) => hash),
    );
  }
  return state;
}

/**
 * Tables in which an existing row is missing or changed, or to which a row was added without
 * permission.
 */
function listChangedTables(before: State, is: State): string[] {
  return [...before].flatMap(([name, rows]) => {
    const now = new Set(is.get(name));
    return rows.every((hash) => now.has(hash)) ? [] : [name];
  });
}

test("the world contains journals, an open order and a pending withdrawal", async () => {
  const state = await snapshot();
  const filledTables = [...state]
    .filter(([, [first = "0 "]]) => !first.startsWith("0 "))
    .map(([name]) => name);
  for (const name of ["journal", "entry", "account", "contract_order", "withdrawal"]) {
    expect(filledTables).toContain(name);
  }
  expect(operatorCalls.length).toBeGreaterThan(10);
});

test.each(
  operatorCalls.map((call) => [`${call.method} ${call.path}`, call] as const),
)("%s", async (_name, call) => {
  for (const round of [0, 1]) {
    ctx.realClock.advanceMs(1_000);
    await people.raise(owner);
    const payload = {
      ...getInput(call, round),
      ...(await createPublicationInput(call)),
      ...(await createHelpInput(call)),
    };
    const answer = await people.ask(call, payload, owner.token);
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const error = String((isJson && answer.json().error) || "done");
    expect(["server.failed", "operator.raise_required"], call.path).not.toContain(error);
    answersByCall.set(call.path, [...(answersByCall.get(call.path) ?? []), error]);
    // Publish everything that is due.
    await ctx.jobs.runNow("publishing.due");
  }
  // Read-only calls are checked with the next call that changes something.
  if (!changesSomething(call)) return;
  const now = await snapshot();
  expect(listChangedTables(before, now)).toEqual([]);
  before = now;
});

test("more than half of the operator calls succeeded", () => {
  const doneCalls = [...answersByCall]
    .filter(([, answers]) => answers.includes("done"))
    .map(([path]) => path);
  for (const verb of ["save", "publish", "withdraw"]) {
    expect(doneCalls).toContain(`/api/operator/publishing/contract_tiers/${verb}`);
  }
  expect(doneCalls).toContain("/api/operator/setRole");
  for (const name of ["getWallet", "getContractOrders", "setSuspended", "endSessions"]) {
    expect(doneCalls).toContain(`/api/operator/people/${name}`);
  }
  expect(doneCalls.length).toBeGreaterThan(operatorCalls.length / 2);
});

test("an affected person sees the operator, the action and the reason in their records", async () => {
  const { items } = await people.data(
    getCall("/api/user/getTransferRecord"),
    { page_size: "50" },
    target.token,
  );
  const acts = items.filter(({ act }: { act: unknown }) => act !== null);
  expect(acts.map(({ act }: { act: unknown }) => act)).toContainEqual({
    role: "Owner",
    what: "Console role changed",
    why: ids.why,
  });
});

test("the order keeps its price and terms, and the withdrawal is paid on time", async () => {
  // Their sessions were ended along the way, which must not keep anyone from signing in again.
  const signedIn = await people.signIn(person.key);
  const order = await people.data(
    getCall("/api/contract/findOrderStatus"),
    { order_id: ids.order_id },
    signedIn.token,
  );
  expect(JSON.stringify(order)).toContain(String(ids.order_id));
  ctx.realClock.advanceMs(dayMs);
  const newSession = await people.signIn(person.key);
  await ctx.jobs.runNow("withdraw.day");
  const list = await people.data(getCall("/api/user/getWithdrawList"), {}, newSession.token);
  expect(list.items[0]).toMatchObject({
    withdrawal_id: ids.withdrawal_id,
    state: "over",
    outcome: "left",
  });
});
