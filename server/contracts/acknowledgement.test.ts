import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as api from "#api/contracts.ts";
import { hashBody } from "#core/ledger/ids.ts";
import { keptFormat, parseAcknowledgement } from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { contractsRoutes } from "#server/contracts/routes.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestContracts, type TestContracts } from "#server/testing/contracts.ts";
import { createTestApp } from "#server/testing/http.ts";
import type { Person } from "#server/testing/people.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";

let t: TestContracts;
let app: App;
let url: string;
let person: Person;
let input: Record<string, unknown>;
const folder = mkdtempSync(join(tmpdir(), "drydock-acknowledgement-"));

function start(): Promise<App> {
  return createTestApp(
    t.ctx,
    (app) => {
      contractsRoutes(app, t.contracts);
      logRoutes(app, t.ctx, t.transparencyLog);
    },
    async () => ({ ...person, sessionId: "s", expiresAtMs: Number.MAX_SAFE_INTEGER }),
  );
}

beforeAll(async () => {
  t = await createTestContracts();
  await t.tickTo(t.at(10));
  person = await t.openPerson();
  const { termsHash } = await t.params();
  input = { contract_id: "btc-usdt", direction: "up", stake: "100", tier: 300 };
  input.terms_hash = termsHash;
  app = await start();
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await t.destroy();
  rmSync(folder, { recursive: true, force: true });
});

let keys = 0;
const newKey = () => {
  keys += 1;
  return `0199aaaa-0000-7000-8000-${String(keys).padStart(12, "0")}`;
};

async function place(key: string, on = app, body = input) {
  const answer = await on.inject({
    method: "POST",
    url: api.placeOrder.path,
    headers: { host: "localhost", token: "mine", "idempotency-key": key },
    payload: body,
  });
  return answer.json();
}

/** Keeps an acknowledgement as a client does, and has the command line check it. */
async function getResult(key: string, acknowledgement: object, body = input) {
  const certificate = await (await fetch(`${url}/log/acknowledgement-key`)).text();
  const { path } = api.placeOrder;
  const file = join(folder, `${key}.json`);
  const keptFile = {
    format: keptFormat,
    practice: true,
    backing: "none",
    acknowledgement,
    certificate,
    sent: {
      call: path,
      key,
      body_hash: bytesToHex(hashBody(t.ctx.world.name, path, body as Record<string, string>)),
      at_ms: t.ctx.clock.nowMs(),
    },
  };
  writeFileSync(file, JSON.stringify(keptFile));
  const verify = join(import.meta.dirname, "../../verify/main.ts");
  const memory = join(folder, "memory.json");
  const args = [verify, "--json", "--url", url, "--memory", memory, "--ack", file];
  const { status, printed } = await new Promise<{ status: string; printed: string }>((resolve) =>
    execFile(process.execPath, args, (error, stdout) =>
      resolve({ status: String(error?.code ?? 0), printed: stdout }),
    ),
  );
  const [result] = JSON.parse(printed).reports;
  return `${status} ${result.difference?.name ?? result.steps.at(-1).step}`;
}

test("orders are refused without the acknowledgement key", async () => {
  const before = await t.ledger.balances(person.attemptId);
  expect(await place(newKey())).toMatchObject({ code: 0, error: "server.unavailable" });
  expect(await t.ledger.balances(person.attemptId)).toEqual(before);
  await t.transparencyLog.prepare();
});

test("an order's acknowledgement becomes verifiable", async () => {
  const key = newKey();
  const { data, acknowledgement } = await place(key);
  expect(parseAcknowledgement(acknowledgement.promise)).toMatchObject({
    ok: true,
    value: {
      id: data.order_id,
      hash: data.order_hash,
      accepted_at_ms: data.accepted_at_ms,
      due_at_ms: data.accepted_at_ms + 10_000,
      key,
      tree: { size: (await t.transparencyLog.checkpoint())!.size },
    },
  });
  expect(await getResult(key, acknowledgement)).toBe("0 open");
  await t.tickTo(t.ctx.clock.nowMs() + 2_000);
  expect(await getResult(key, acknowledgement)).toBe("0 bound");
});

test("a repeated call returns the same acknowledgement, even from another process", async () => {
  const key = newKey();
  const [first, second] = await Promise.all([place(key), place(key)]);
  await t.tickTo(t.ctx.clock.nowMs() + 3_000);
  const restarted = await start();
  const repeated = await place(key, restarted);
  await restarted.close();
  expect(first.acknowledgement.promise).toBeTruthy();
  expect([second, repeated].map(({ acknowledgement }) => acknowledgement.promise)).toEqual([
    first.acknowledgement.promise,
    first.acknowledgement.promise,
  ]);
  expect(await getResult(key, repeated.acknowledgement)).toBe("0 bound");
});

test("concurrent orders each get an acknowledgement that verifies", async () => {
  const keys = Array.from({ length: 5 }, newKey);
  const answers = await Promise.all(keys.map((key) => place(key)));
  await t.tickTo(t.ctx.clock.nowMs() + 2_000);
  for (const [index, { acknowledgement }] of answers.entries())
    expect(await getResult(keys[index]!, acknowledgement)).toBe("0 bound");
});

test("an altered order is provable from the server's own acknowledgement", async () => {
  const key = newKey();
  const { acknowledgement } = await place(key, app, { ...input, direction: "down" });
  expect(await getResult(key, acknowledgement)).toBe("1 acknowledged_otherwise");
});

test.each([
  [
    "drops an order",
    async (id: string) => {
      await t.ctx.owner.pool.query("delete from contract_order where id = $1", [id]);
    },
  ],
  [
    "redates or reverses an order",
    async (id: string) => {
      await t.ctx.owner.pool.query(
        "update contract_order set order_hash = sha256('another') where id = $1",
        [id],
      );
    },
  ],
])("a server that %s breaks its acknowledgement", async (_name, sabotage) => {
  const key = newKey();
  const { data, acknowledgement } = await place(key);
  await t.ctx.owner.pool.query("alter table contract_order disable trigger all");
  await sabotage(data.order_id);
  await t.tickTo(t.ctx.clock.nowMs() + 2_000);
  expect(await getResult(key, acknowledgement)).toBe("1 acknowledged_not_bound");
});

test("a second's order hashes become public only when its leaf is signed", async () => {
  const { data } = await place(newKey());
  t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + 1_000);
  t.ctx.realClock.advanceMs(1_000);
  await t.feed.tick();
  const leaf = (await t.transparencyLog.count()) - 1;
  const readOrders = async (leaf: number | string) => fetch(`${url}/log/orders/${leaf}`);
  expect((await readOrders(leaf)).status).toBe(404);
  await t.transparencyLog.integrate();
  const answer = await readOrders(leaf);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(bytesToHex(bytes)).toBe(data.order_hash);
  expect((await readOrders(0)).status).toBe(404);
  expect((await readOrders("x")).status).toBe(404);
});
