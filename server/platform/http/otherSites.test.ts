import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHttpWorld, type HttpWorld, ownCall } from "#server/platform/http/testing.ts";

let world: HttpWorld;
let app: HttpWorld["app"];
let post: HttpWorld["post"];
let manyRequests: HttpWorld["many"];
beforeAll(async () => {
  world = await createHttpWorld();
  ({ app, post, many: manyRequests } = world);
});
afterAll(() => world.app.close());
beforeEach(() => world.clock.advanceMs(10_000));

describe("cross-site requests", () => {
  test.each<[string, Record<string, string>, number]>([
    ["a program without an origin", {}, 200],
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
    ["a malformed host", { host: "a b" }, 403],
    ["a host with a path", { host: "127.0.0.1/evil" }, 403],
  ])("a POST from %s is checked by its origin", async (_title, headers, status) => {
    const answer = await post({ word: "tug" }, headers);
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json().error).toBe("request.wrong_host");
  });

  test.each<[string, string | null, number]>([
    ["a link on another site", "cross-site", 403],
    ["our own page", "same-origin", 404],
    ["a typed address", "none", 404],
    ["a program", null, 404],
  ])("an operator's GET by %s is checked by its site", async (_title, site, status) => {
    const headers = site ? { "sec-fetch-site": site } : {};
    const answer = await app.inject({ url: "/api/operator/nothing", headers });
    expect(answer.statusCode).toBe(status);
  });
});

describe("percent-encoded addresses", () => {
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

  test.each(encoded)("%s is answered with no-store", async (url) => {
    const answer = await app.inject({ method: "POST", url, payload: { word: "tug" } });
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  });

  test("/%61pi/test/mine identifies the session", async () => {
    const answer = await app.inject({ url: "/%61pi/test/mine", headers: { token: "good" } });
    expect(answer.statusCode).toBe(200);
  });

  test("an encoded address counts towards the same limit", async () => {
    const remoteAddress = "192.0.2.9";
    await manyRequests(1500, { url: ownCall.path, remoteAddress });
    for (const url of ["/%61pi/test/mine", "/%61pi/none", "/%61pi/operator/nothing"]) {
      expect((await app.inject({ url, remoteAddress })).statusCode).toBe(429);
    }
  });

  test("an operator's GET from another site is refused", async () => {
    const headers = { "sec-fetch-site": "cross-site" };
    const answer = await app.inject({ url: "/%61pi/operator/nothing", headers });
    expect(answer.statusCode).toBe(403);
  });
});
