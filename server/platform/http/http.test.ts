import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { route } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";
import { createLogger } from "#server/platform/logger.ts";
import type { SecurityEvent } from "#server/platform/securityLog.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/parts.ts";

const echo = defineCall({
  method: "POST",
  path: "/api/test/echo",
  summary: "Says back what it got",
  access: "public",
  input: z.object({
    word: z.string().check(z.maxLength(8)),
    count: z._default(z.coerce.number().check(z.int()), 1),
  }),
  answer: z.object({ word: z.string(), count: z.int() }),
  errors: [],
});
const mine = defineCall({
  method: "GET",
  path: "/api/test/mine",
  summary: "Whose session this is",
  access: "user",
  input: z.object({}),
  answer: z.object({ user_id: z.string() }),
  errors: ["session.required"],
});
const fail = defineCall({
  method: "GET",
  path: "/api/test/fail",
  summary: "Fails in the way it is asked to",
  access: "public",
  input: z.object({ how: z.string() }),
  answer: z.object({}),
  errors: [],
});

const alice: Session = {
  sessionId: "s1",
  userId: "u1",
  attemptId: "a1",
  expiresAtMs: testStartMs + 1,
};
const clock = createSettableClock(testStartMs);
const config = readConfig({
  PUBLIC_URL: "https://practice.example.org",
  OPERATOR_NAME: "Harbour club",
  OPERATOR_CONTACT: "desk@example.org",
  TRUST_PROXY: "10.0.0.0/8, fd00::1",
});
let app: App;
/** Tokens that were looked up. */
const lookedUp: string[] = [];
const events: SecurityEvent[] = [];
beforeAll(async () => {
  const ctx = {
    config,
    realClock: clock,
    logger: createLogger("silent"),
    securityLog: {
      note: (event: SecurityEvent) => void events.push(event),
      writeDue() {},
      flush() {},
    },
    messages: createMessages(),
  };
  const mount = (made: App) => {
    route(made, echo, ({ word, count }, context) => {
      context.setCookie("w1Token", "abc", { path: "/", httpOnly: true, sameSite: "lax" });
      context.message("request.not_found");
      return { word, count };
    });
    route(made, mine, (_input, { session }) => ({ user_id: session.userId }));
    route(made, fail, ({ how }) => {
      if (how === "refusal") throw new ApiError("contracts.no_price");
      throw Object.assign(new Error("secret detail"), how === "error" ? {} : { code: how });
    });
  };
  app = await createTestApp(ctx, mount, async (token) => {
    lookedUp.push(token);
    if (token === "good") return alice;
    return token === "also good" ? { ...alice, sessionId: "s2" } : null;
  });
});
afterAll(() => app.close());
beforeEach(() => clock.advanceMs(10_000));

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({ method: "POST", url: echo.path, payload: payload as object, headers });

describe("bodies", () => {
  test("have three minutes to arrive, their headers one: Node ends the connection then", () => {
    expect(app.server.requestTimeout).toBe(180_000);
    expect(app.server.headersTimeout).toBeLessThanOrEqual(60_000);
  });

  test("JSON and form-encoded bodies mean the same", async () => {
    const json = await post({ word: "tug", count: 2 });
    const form = await post("word=tug&count=2", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(json.json()).toMatchObject({ code: 1, data: { word: "tug", count: 2 } });
    expect(form.json()).toEqual(json.json());
  });

  test.each<[string, unknown, Record<string, string>, number, string, string | undefined]>([
    ["a missing field is named", {}, {}, 400, "request.malformed", "word"],
    [
      "a field of the wrong form is named",
      { word: "tug", count: "x" },
      {},
      400,
      "request.malformed",
      "count",
    ],
    [
      "broken JSON is refused",
      "{",
      { "content-type": "application/json" },
      400,
      "request.malformed",
      "body",
    ],
    [
      "__proto__ is refused",
      '{"__proto__":{}}',
      { "content-type": "application/json" },
      400,
      "request.malformed",
      "body",
    ],
    [
      "another content type is refused",
      "<a/>",
      { "content-type": "text/xml" },
      400,
      "request.malformed",
      "body",
    ],
    ["a NUL is refused", { word: "t\0g" }, {}, 400, "request.malformed", "word"],
    [
      "half a character is refused",
      '{"word":"\\ud800"}',
      { "content-type": "application/json" },
      400,
      "request.malformed",
      "word",
    ],
    [
      "a NUL deep inside is refused",
      { word: "tug", more: [{ deep: "\0" }] },
      {},
      400,
      "request.malformed",
      "more.0.deep",
    ],
    [
      "endless nesting is refused",
      `{"word":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      { "content-type": "application/json" },
      400,
      "request.malformed",
      undefined,
    ],
    [
      "no body at all lacks its fields",
      "",
      { "content-type": "application/json" },
      400,
      "request.malformed",
      "word",
    ],
    [
      "a large body is refused",
      { word: "x".repeat(70_000) },
      {},
      413,
      "request.too_large",
      undefined,
    ],
  ])("%s", async (_title, payload, headers, status, error, field) => {
    const answer = await post(payload, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code: 0, error, ...(field ? { data: { field } } : {}) });
  });
});

describe("refusals", () => {
  test.each([
    ["a refusal has its status", "refusal", 503, "contracts.no_price"],
    ["an unknown error says nothing of itself", "error", 500, "server.failed"],
    ["a lost database is unavailable", "ECONNREFUSED", 503, "server.unavailable"],
    ["a database that shuts down is unavailable", "57P01", 503, "server.unavailable"],
  ])("%s", async (_title, how, status, error) => {
    const answer = await app.inject({ url: `${fail.path}?how=${how}` });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code: 0, error });
    expect(answer.body).not.toContain("secret detail");
    expect(answer.json().msg).not.toBe(error);
  });

  test("an unknown error carries its request id, as the header does", async () => {
    const answer = await app.inject({ url: `${fail.path}?how=error` });
    expect(answer.json().data.request_id).toBe(answer.headers["x-request-id"]);
  });

  test("an unknown call is refused in the envelope", async () => {
    const answer = await app.inject({ url: "/api/none" });
    expect([answer.statusCode, answer.json().error]).toEqual([404, "request.not_found"]);
  });

  test.each([
    "/api/%zz",
    "/%zz",
  ])("%s, which is no address, is refused in the envelope", async (url) => {
    const answer = await app.inject({ url, headers: { language: "de" } });
    expect([answer.statusCode, answer.json().error]).toEqual([404, "request.not_found"]);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("the sentence is in the language of the request, and English for an unknown one", async () => {
    const say = async (language: string) =>
      (await app.inject({ url: "/api/none", headers: { language } })).json().msg;
    const english = await say("en");
    expect(await say("tlh")).toBe(english);
    const others = await Promise.all(["zh-TW", "cn", "fr", "ja", "it", "de", "sv"].map(say));
    expect(new Set([english, ...others]).size).toBe(8);
  });
});

describe("sessions", () => {
  test.each<[string, Record<string, string>, number]>([
    ["none", {}, 401],
    ["an unknown token", { token: "bad" }, 401],
    ["the token header", { token: "good" }, 200],
    ["the cookie", { cookie: "w1Token=good" }, 200],
  ])("a user call with %s", async (_title, headers, status) => {
    const answer = await app.inject({ url: mine.path, headers });
    expect(answer.statusCode).toBe(status);
  });
});

describe("other sites", () => {
  test.each<[string, Record<string, string>, number]>([
    ["no origin, as from a program", {}, 200],
    [
      "our own origin",
      { host: "practice.example.org", origin: "https://practice.example.org" },
      200,
    ],
    [
      "the address of this machine",
      { host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080" },
      200,
    ],
    ["another site", { host: "practice.example.org", origin: "https://evil.example" }, 403],
    ["a sandboxed page", { host: "practice.example.org", origin: "null" }, 403],
    ["another site that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["another port of this host", { host: "localhost:8080", origin: "http://localhost:9090" }, 403],
    ["a foreign name pointed at us", { host: "evil.example", origin: "http://evil.example" }, 403],
    ["a page elsewhere that passes requests on", { host: "203.0.113.6" }, 403],
    ["a host that is none", { host: "a b" }, 403],
    ["a host with a path", { host: "127.0.0.1/evil" }, 403],
  ])("a POST from %s", async (_title, headers, status) => {
    const answer = await post({ word: "tug" }, headers);
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json().error).toBe("request.wrong_host");
  });

  test.each<[string, string | null, number]>([
    ["a link on another site", "cross-site", 403],
    ["our own page", "same-origin", 404],
    ["a typed address", "none", 404],
    ["a program", null, 404],
  ])("an operator's reading by %s", async (_title, site, status) => {
    const headers = site ? { "sec-fetch-site": site } : {};
    const answer = await app.inject({ url: "/api/operator/nothing", headers });
    expect(answer.statusCode).toBe(status);
  });
});

/** So many requests from one address; returns how many of them were answered. */
async function many(count: number, request: Record<string, unknown>): Promise<number> {
  let answered = 0;
  for (let number = 0; number < count; number += 1) {
    if ((await app.inject(request)).statusCode !== 429) answered += 1;
  }
  return answered;
}

describe("limits", () => {
  test("60 calls at once and 30 a second of one person, in all sessions together", async () => {
    const call = (token: string) => app.inject({ url: mine.path, headers: { token } });
    for (let number = 1; number <= 30; number += 1) {
      expect((await call("good")).statusCode).toBe(200);
      expect((await call("also good")).statusCode).toBe(200);
    }
    const refused = await call("also good");
    expect([refused.statusCode, refused.json().error]).toEqual([429, "request.too_many"]);
    expect(refused.json().data.limit).toBe("person_calls");
    expect(refused.headers["retry-after"]).toBe("1");
    const another = await app.inject({ url: `${fail.path}?how=refusal` });
    expect(another.statusCode).toBe(503);
    clock.advanceMs(1000);
    expect(await many(40, { url: mine.path, headers: { token: "good" } })).toBe(30);
  });

  test("1 500 calls at once and 150 a second of one network, whoever makes them", async () => {
    const remoteAddress = "192.0.2.1";
    expect(await many(1600, { url: "/api/none", remoteAddress })).toBe(1500);
    const signedIn = { url: mine.path, headers: { token: "good" }, remoteAddress };
    const refused = await app.inject(signedIn);
    expect(refused.json().data).toEqual({ limit: "network_calls", retry_after_seconds: 1 });
    for (const url of ["/log/checkpoint", "/%6cog/checkpoint", "/ws", "/api/health"]) {
      expect((await app.inject({ url, remoteAddress })).statusCode, url).toBe(429);
    }
    // Files are counted apart, and so are others.
    expect((await app.inject({ url: "/home", remoteAddress })).statusCode).toBe(404);
    expect((await app.inject({ ...signedIn, remoteAddress: "192.0.2.2" })).statusCode).toBe(200);
    clock.advanceMs(1000);
    expect(await many(160, { url: "/api/none", remoteAddress })).toBe(150);
  });

  test("18 000 requests at once and 300 a second of one network, pages and files among them", async () => {
    const remoteAddress = "192.0.2.3";
    for (let number = 0; number < 17_950; number += 1)
      app.platform.limits.admit(remoteAddress, false);
    expect(await many(100, { url: "/assets/a.js", remoteAddress })).toBe(50);
    const refused = await app.inject({ url: "/home", remoteAddress });
    expect(refused.json().data).toEqual({ limit: "network_requests", retry_after_seconds: 1 });
    expect(events.at(-1)).toMatchObject({
      event: "limit.reached",
      cause: "network_requests",
      ip: remoteAddress,
    });
    clock.advanceMs(1000);
    expect(await many(310, { url: "/home", remoteAddress })).toBe(300);
  });

  test("an IPv6 network is a /64, and a /48 has four times as much", async () => {
    const from = (end: string) => ({ url: "/api/none", remoteAddress: `2001:db8:7:${end}` });
    expect(await many(750, from("1::1"))).toBe(750);
    expect(await many(800, from("1:2:3:4:5"))).toBe(750);
    for (const subnet of ["2", "3", "4"]) expect(await many(1510, from(`${subnet}::1`))).toBe(1500);
    // What they were refused did not count against the site.
    expect(await many(5, from("5::1"))).toBe(0);
    expect(await many(5, { url: "/api/none", remoteAddress: "2001:db8:8::1" })).toBe(5);
  });

  test("an unknown token is looked up once, and costs its network ten calls more", async () => {
    const remoteAddress = "192.0.2.4";
    const ask = (token: string) => ({ url: mine.path, headers: { token }, remoteAddress });
    lookedUp.length = 0;
    for (let number = 0; number < 150; number += 1) await app.inject(ask(`junk ${number}`));
    const answer = await app.inject(ask("junk 0"));
    expect(answer.statusCode).toBe(429);
    expect(lookedUp.length).toBe(Math.ceil(1500 / 11));
    clock.advanceMs(10_000);
    lookedUp.length = 0;
    expect(await many(50, ask("junk 0"))).toBe(50);
    expect(lookedUp).toEqual([]);
  });

  test("a health check of this machine itself is never refused, one passed on is", async () => {
    expect(await many(1600, { url: "/api/none", remoteAddress: "127.0.0.1" })).toBe(1500);
    const check = { url: "/api/health", remoteAddress: "127.0.0.1" };
    expect((await app.inject(check)).statusCode).toBe(404);
    const passedOn = { ...check, headers: { "x-forwarded-for": "203.0.113.9" } };
    expect((await app.inject(passedOn)).statusCode).toBe(429);
  });
});

describe("a proxy", () => {
  const ask = (remoteAddress: string, headers: Record<string, string>) =>
    app.inject({ url: "/api/none", remoteAddress, headers });

  test("that TRUST_PROXY names says who asks; anybody else's word counts for nothing", async () => {
    const named = { "x-forwarded-for": "203.0.113.1" };
    for (const remoteAddress of ["10.1.2.3", "fd00::1"]) {
      expect(await many(760, { url: "/api/none", remoteAddress, headers: named })).toBe(
        remoteAddress === "10.1.2.3" ? 760 : 740,
      );
    }
    expect((await ask("10.1.2.3", { "x-forwarded-for": "203.0.113.2" })).statusCode).toBe(404);
    let number = 0;
    const lie = () => ({ "x-forwarded-for": `203.0.113.${number++ % 250}` });
    let answered = 0;
    for (let asked = 0; asked < 1600; asked += 1) {
      if ((await ask("192.168.1.7", lie())).statusCode !== 429) answered += 1;
    }
    expect(answered).toBe(1500);
    expect(events).toContainEqual(
      expect.objectContaining({ event: "proxy.not_trusted", ip: "192.168.1.7" }),
    );
  });

  test("cannot give us another name: X-Forwarded-Host is ignored, whoever sends it", async () => {
    for (const remoteAddress of ["10.1.2.3", "192.168.1.7"]) {
      const headers = { host: "practice.example.org", "x-forwarded-host": "evil.example" };
      const answer = await ask(remoteAddress, headers);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["content-security-policy"]).toContain("wss://practice.example.org");
      const hidden = { host: "evil.example", "x-forwarded-host": "practice.example.org" };
      expect((await ask(remoteAddress, hidden)).json().error).toBe("request.wrong_host");
    }
  });
});

describe("an encoded address is the call that it names", () => {
  const encoded = [
    "/%61pi/test/echo",
    "/a%70i/test/echo",
    "/api/t%65st/echo",
    "/%61%70%69/test/echo",
  ];

  test.each(encoded)("%s from another site is refused", async (url) => {
    const headers = { host: "practice.example.org", origin: "https://evil.example" };
    const answer = await app.inject({ method: "POST", url, payload: { word: "tug" }, headers });
    expect([answer.statusCode, answer.json().error]).toEqual([403, "request.wrong_host"]);
  });

  test.each(encoded)("%s is not kept by anybody on the way", async (url) => {
    const answer = await app.inject({ method: "POST", url, payload: { word: "tug" } });
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  });

  test("/%61pi/test/mine knows whose session it is", async () => {
    const answer = await app.inject({ url: "/%61pi/test/mine", headers: { token: "good" } });
    expect(answer.statusCode).toBe(200);
  });

  test("it counts against the same limit", async () => {
    const remoteAddress = "192.0.2.9";
    await many(1500, { url: mine.path, remoteAddress });
    for (const url of ["/%61pi/test/mine", "/%61pi/none", "/%61pi/operator/nothing"]) {
      expect((await app.inject({ url, remoteAddress })).statusCode).toBe(429);
    }
  });

  test("an operator's reading by a link on another site is refused", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await app.inject({ url: "/%61pi/operator/nothing", headers });
    expect(answer.statusCode).toBe(403);
  });
});

describe("headers", () => {
  test("the policy lets a page load from this host only, and nothing unsafe", async () => {
    const { headers } = await app.inject({
      url: "/api/none",
      headers: { host: "practice.example.org" },
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe|\*|http:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' wss://practice.example.org;");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test("https for names below ours is asked for only where the operator says so", async () => {
    const ctx = {
      config: { ...config, hstsSubdomains: true },
      realClock: clock,
      logger: createLogger("silent"),
      messages: createMessages(),
    };
    const all = await createTestApp(ctx, () => {});
    const hstsOf = async (host: string) =>
      (await all.inject({ url: "/api/none", headers: { host } })).headers[
        "strict-transport-security"
      ];
    expect(await hstsOf("practice.example.org")).toBe("max-age=31536000; includeSubDomains");
    for (const host of ["localhost", "127.0.0.1", "evil.example"])
      expect(await hstsOf(host)).toBeUndefined();
    await all.close();
  });

  test("a handler sets cookies", async () => {
    const answer = await post({ word: "tug" });
    expect(answer.headers["set-cookie"]).toBe("w1Token=abc; Path=/; HttpOnly; SameSite=Lax");
  });
});
