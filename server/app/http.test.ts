import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requiresIdempotencyKey } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { locales } from "#core/locales.ts";
import { dayMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { getTimeLimit } from "#server/platform/http/limits/timeLimits.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
const mounted: string[] = [];
/** Milliseconds by method and path; null where the route has the default limit of a call. */
const limitOf = new Map<string, number | null>();
beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp({
    context: {
      config: { operator: { name: "Harbour club", contact: "desk@example.org" } },
    },
    onRoute: (method, path, limitMs) => {
      mounted.push(`${method} ${path}`);
      limitOf.set(`${method} ${path}`, limitMs);
    },
  }));
});
afterAll(() => close());

describe("the wire", () => {
  test("every call of api/ is mounted, and nothing else under /api", () => {
    const describedCalls = calls.map(({ method, path }) => `${method} ${path}`);
    const apiPaths = mounted.filter(
      (entry) => / \/api\//.test(entry) && !entry.startsWith("HEAD "),
    );
    expect(apiPaths.toSorted()).toEqual([...describedCalls, "GET /api/openapi.json"].toSorted());
    expect(describedCalls.length).toBeGreaterThan(20);
  });

  test.each(
    calls.map((call) => [call.path, call] as const),
  )("%s has the time limit of its kind of call", (_path, call) => {
    expect(limitOf.get(`${call.method} ${call.path}`)).toBe(getTimeLimit(call));
  });

  test("OpenAPI describes every call with its access, errors and idempotency key", async () => {
    const { paths } = (await app.inject({ url: "/api/openapi.json" })).json();
    for (const call of calls) {
      const operation = paths[call.path]?.[call.method.toLowerCase()];
      expect(operation?.summary, call.path).toBe(call.summary);
      expect(operation.security.length > 0).toBe(call.access !== "public");
      const describedResponses = JSON.stringify(operation.responses);
      for (const error of call.errors) expect(describedResponses).toContain(`"${error}"`);
      const names = operation.parameters.map(({ name }: { name: string }) => name);
      expect(names.includes("Idempotency-Key")).toBe(requiresIdempotencyKey(call));
    }
  });

  test.each(
    calls.filter(({ access }) => access !== "public").map((call) => [call.path, call] as const),
  )("%s requires a session", async (_path, { method, path }) => {
    ctx.realClock.advanceMs(1000);
    const answer = await app.inject({
      method,
      url: path,
      ...(method === "POST" ? { payload: {} } : {}),
    });
    expect([answer.statusCode, answer.json().error]).toEqual([401, "session.required"]);
  });
});

describe("configuration and health", () => {
  test("the configuration carries the practice labels, the world and the market", async () => {
    const { data } = (await app.inject({ method: "POST", url: "/api/index/config" })).json();
    expect(data).toMatchObject({
      practice: true,
      backing: "none",
      world: { name: "test-world", market: { kind: "simulated", speed: 1 }, now_ms: testStartMs },
      operator: { name: "Harbour club", contact: "desk@example.org" },
      contracts_on: true,
      home: { pool: { hosted_total: null, orders_settled: 0, orders_lost: 0 } },
    });
    expect(data.log.vkey.startsWith(`${data.log.origin}+`)).toBe(true);
    for (const { code } of data.coins) expect(code).toMatch(/^p/);
  });

  test.each(
    locales,
  )("the practice terms in %s are complete and name the operator", async (language) => {
    const { data } = (
      await app.inject({ url: "/api/index/getTerms", headers: { language } })
    ).json();
    const text = [data.title, ...data.paragraphs].join("\n");
    expect(data.paragraphs.length).toBe(11);
    expect(text).toContain("Harbour club");
    expect(text).toContain("desk@example.org");
    expect(text).not.toMatch(/terms\.\w+|[{}]/);
  });

  test("health is ready once the market runs and no component is behind", async () => {
    const earlyHealth = await app.inject({ url: "/api/health" });
    expect([earlyHealth.statusCode, earlyHealth.json().data.feed]).toEqual([503, "has not begun"]);
    ctx.clock.advanceTo(testStartMs + 2000);
    ctx.realClock.advanceMs(2000);
    await world.services.market.feed.tick();
    await world.services.transparencyLog.integrate();
    const ready = await app.inject({ url: "/api/health" });
    expect(ready.json()).toMatchObject({ code: 1, data: { ready: true } });
    ctx.clock.advanceTo(testStartMs + 60_000);
    const laggingHealth = await app.inject({ url: "/api/health" });
    expect([laggingHealth.statusCode, laggingHealth.json().data.feed]).toEqual([503, "is behind"]);
  });
});

describe("error reports", () => {
  const report = (
    message: string,
    page_url = "https://practice.example.org/wallet?order=1#x",
    remoteAddress = "127.0.0.1",
  ) =>
    app.inject({
      remoteAddress,
      method: "POST",
      url: "/api/index/reportError",
      payload: { type: "script", code: "TypeError", message, page_url },
    });
  const readStored = async () =>
    (await ctx.database.pool.query("select message, page_url from error_log order by id")).rows;

  test("a stored report contains no address, key, mail address or query", async () => {
    const address = `0x${"ab".repeat(20)}`;
    const answer = await report(
      `no balance of ${address} for desk@example.org at https://a.example/x?invite=abc`,
    );
    expect(answer.statusCode).toBe(200);
    expect(await readStored()).toEqual([
      {
        message: "no balance of 0x… for …@… at https://a.example/x",
        page_url: "https://practice.example.org/wallet",
      },
    ]);
  });

  test("one network may send a hundred reports an hour", async () => {
    for (let number = 0; number < 99; number += 1) {
      expect((await report("again")).statusCode).toBe(200);
    }
    const refusal = await report("again");
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "36"]);
    expect(refusal.json().data.limit).toBe("network_reports");
  });

  test("a flood from one network leaves every other network five reports an hour", async () => {
    await ctx.owner.pool.query(
      `insert into error_log (at_ms, type, code, message, page_url, version)
       select $1, 'script', 'TypeError', 'flood', '/home', '0' from generate_series(1, 1000)`,
      [ctx.realClock.nowMs()],
    );
    for (let number = 0; number < 7; number += 1) {
      await report(`mine ${number}`, "https://practice.example.org/home", "192.0.2.1");
    }
    const ownErrors = (await readStored()).filter(({ message }) => message.startsWith("mine"));
    expect(ownErrors.map(({ message }) => message)).toEqual(
      [0, 1, 2, 3, 4].map((nth) => `mine ${nth}`),
    );
  });

  test("a report that is too long is refused", async () => {
    const answer = await report("x".repeat(2001));
    expect(answer.json()).toMatchObject({ error: "request.malformed", data: { field: "message" } });
  });

  test("reports are purged after 30 days", async () => {
    ctx.realClock.advanceMs(30 * dayMs + 1);
    await ctx.jobs.runNow("meta.purge_errors");
    expect(await readStored()).toEqual([]);
  });
});
