import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHttpWorld, fail, type HttpWorld, ownCall } from "#server/platform/http/testing.ts";
import { createTestApp } from "#server/testing/http.ts";

let world: HttpWorld;
let app: HttpWorld["app"];
let post: HttpWorld["post"];
beforeAll(async () => {
  world = await createHttpWorld();
  ({ app, post } = world);
});
afterAll(() => world.app.close());
beforeEach(() => world.clock.advanceMs(10_000));

describe("bodies", () => {
  test("a request has three minutes to arrive and its headers one", () => {
    expect(app.server.requestTimeout).toBe(180_000);
    expect(app.server.headersTimeout).toBeLessThanOrEqual(60_000);
  });

  test("JSON and form-encoded bodies are equivalent", async () => {
    const json = await post({ word: "tug", count: 2 });
    const formAnswer = await post("word=tug&count=2", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(json.json()).toMatchObject({ code: 1, data: { word: "tug", count: 2 } });
    expect(formAnswer.json()).toEqual(json.json());
  });

  test.each<[string, unknown, Record<string, string>, number, string, string | undefined]>([
    ["a missing field is reported", {}, {}, 400, "request.malformed", "word"],
    [
      "a malformed field is reported",
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
      "a lone surrogate is refused",
      '{"word":"\\ud800"}',
      { "content-type": "application/json" },
      400,
      "request.malformed",
      "word",
    ],
    [
      "a nested NUL is refused",
      { word: "tug", more: [{ deep: "\0" }] },
      {},
      400,
      "request.malformed",
      "more.0.deep",
    ],
    [
      "deep nesting is refused",
      `{"word":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      { "content-type": "application/json" },
      400,
      "request.malformed",
      undefined,
    ],
    [
      "an empty body is refused for its missing fields",
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

describe("errors", () => {
  test.each([
    ["a refusal has its status", "refusal", 503, "contracts.no_price"],
    ["an unknown error reveals nothing", "error", 500, "server.failed"],
    ["a lost database is unavailable", "ECONNREFUSED", 503, "server.unavailable"],
    ["a database that shuts down is unavailable", "57P01", 503, "server.unavailable"],
    ["a database without room is unavailable", "53100", 503, "server.unavailable"],
    ["a disk without room is unavailable", "ENOSPC", 503, "server.unavailable"],
  ])("%s", async (_title, mode, status, error) => {
    const answer = await app.inject({ url: `${fail.path}?how=${mode}` });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code: 0, error });
    expect(answer.body).not.toContain("secret detail");
    expect(answer.json().msg).not.toBe(error);
  });

  test("an unknown error carries its request id in body and header", async () => {
    const answer = await app.inject({ url: `${fail.path}?how=error` });
    expect(answer.json().data.request_id).toBe(answer.headers["x-request-id"]);
  });

  test("an unknown call is refused with the envelope", async () => {
    const answer = await app.inject({ url: "/api/none" });
    expect([answer.statusCode, answer.json().error]).toEqual([404, "request.not_found"]);
  });

  test.each([
    "/api/%zz",
    "/%zz",
  ])("%s is not a valid address and is refused with the envelope", async (url) => {
    const answer = await app.inject({ url, headers: { language: "de" } });
    expect([answer.statusCode, answer.json().error]).toEqual([404, "request.not_found"]);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("the error message is in the language of the request, by default English", async () => {
    const requestIn = async (language: string) =>
      (await app.inject({ url: "/api/none", headers: { language } })).json().msg;
    const english = await requestIn("en");
    expect(await requestIn("tlh")).toBe(english);
    const otherAnswers = await Promise.all(
      ["zh-TW", "cn", "fr", "ja", "it", "de", "sv"].map(requestIn),
    );
    expect(new Set([english, ...otherAnswers]).size).toBe(8);
  });
});

describe("sessions", () => {
  test.each<[string, Record<string, string>, number]>([
    ["none", {}, 401],
    ["an unknown token", { token: "bad" }, 401],
    ["the token header", { token: "good" }, 200],
    ["the cookie", { cookie: "w1Token=good" }, 200],
  ])("a user call with %s", async (_title, headers, status) => {
    const answer = await app.inject({ url: ownCall.path, headers });
    expect(answer.statusCode).toBe(status);
  });
});

describe("headers", () => {
  test("the policy lets a page load only from its own host", async () => {
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

  test("HSTS covers subdomains only if the operator enables it", async () => {
    const config = { ...world.ctx.config, hstsSubdomains: true };
    const all = await createTestApp({ ...world.ctx, config }, () => {});
    const getHsts = async (host: string) =>
      (await all.inject({ url: "/api/none", headers: { host } })).headers[
        "strict-transport-security"
      ];
    expect(await getHsts("practice.example.org")).toBe("max-age=31536000; includeSubDomains");
    for (const host of ["localhost", "127.0.0.1", "evil.example"])
      expect(await getHsts(host)).toBeUndefined();
    await all.close();
  });

  test("a handler can set cookies", async () => {
    const answer = await post({ word: "tug" });
    expect(answer.headers["set-cookie"]).toBe("w1Token=abc; Path=/; HttpOnly; SameSite=Lax");
  });
});
