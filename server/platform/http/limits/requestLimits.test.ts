import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createNetworkLimits,
  createRequestLimits,
} from "#server/platform/http/limits/requestLimits.ts";
import { createHttpWorld, fail, type HttpWorld, ownCall } from "#server/platform/http/testing.ts";

let world: HttpWorld;
let app: HttpWorld["app"];
let clock: HttpWorld["clock"];
let events: HttpWorld["events"];
let lookedUp: HttpWorld["lookedUp"];
let manyRequests: HttpWorld["many"];
beforeAll(async () => {
  world = await createHttpWorld();
  ({ app, clock, events, lookedUp, many: manyRequests } = world);
});
afterAll(() => world.app.close());
beforeEach(() => world.clock.advanceMs(10_000));

describe("limits", () => {
  test("a person has a burst of 60 calls and 30 a second across all sessions", async () => {
    const call = (token: string) => app.inject({ url: ownCall.path, headers: { token } });
    for (let number = 1; number <= 30; number += 1) {
      expect((await call("good")).statusCode).toBe(200);
      expect((await call("also good")).statusCode).toBe(200);
    }
    const refusal = await call("also good");
    expect([refusal.statusCode, refusal.json().error]).toEqual([429, "request.too_many"]);
    expect(refusal.json().data.limit).toBe("person_calls");
    expect(refusal.headers["retry-after"]).toBe("1");
    const anotherAnswer = await app.inject({ url: `${fail.path}?how=refusal` });
    expect(anotherAnswer.statusCode).toBe(503);
    clock.advanceMs(1000);
    expect(await manyRequests(40, { url: ownCall.path, headers: { token: "good" } })).toBe(30);
  });

  test("a network has a burst of 1 500 calls and 150 a second across all people", async () => {
    const remoteAddress = "192.0.2.1";
    expect(await manyRequests(1600, { url: "/api/none", remoteAddress })).toBe(1500);
    const signedIn = { url: ownCall.path, headers: { token: "good" }, remoteAddress };
    const refusal = await app.inject(signedIn);
    expect(refusal.json().data).toEqual({ limit: "network_calls", retry_after_seconds: 1 });
    for (const url of ["/log/checkpoint", "/%6cog/checkpoint", "/ws", "/api/health"]) {
      expect((await app.inject({ url, remoteAddress })).statusCode, url).toBe(429);
    }
    // Files are counted separately, and so are other networks.
    expect((await app.inject({ url: "/home", remoteAddress })).statusCode).toBe(404);
    expect((await app.inject({ ...signedIn, remoteAddress: "192.0.2.2" })).statusCode).toBe(200);
    clock.advanceMs(1000);
    expect(await manyRequests(160, { url: "/api/none", remoteAddress })).toBe(150);
  });

  test("worlds of one program share the limits of a network", () => {
    const networks = createNetworkLimits(clock);
    const [first, second] = [1, 2].map(() =>
      createRequestLimits(async () => null, clock, networks),
    );
    const ip = "192.0.2.9";
    for (let number = 0; number < 750; number += 1)
      for (const world of [first, second]) world!.admit(ip, true);
    expect(() => second!.admit(ip, true)).toThrow("request.too_many");
    expect(() => second!.admit("192.0.2.10", true)).not.toThrow();
  });

  test("a network has a burst of 18 000 requests and 300 a second, including files", async () => {
    const remoteAddress = "192.0.2.3";
    for (let number = 0; number < 17_950; number += 1)
      app.platform.limits.admit(remoteAddress, false);
    expect(await manyRequests(100, { url: "/assets/a.js", remoteAddress })).toBe(50);
    const refusal = await app.inject({ url: "/home", remoteAddress });
    expect(refusal.json().data).toEqual({ limit: "network_requests", retry_after_seconds: 1 });
    expect(events.at(-1)).toMatchObject({
      event: "limit.reached",
      cause: "network_requests",
      ip: remoteAddress,
    });
    clock.advanceMs(1000);
    expect(await manyRequests(310, { url: "/home", remoteAddress })).toBe(300);
  });

  test("an IPv6 network is a /64, and its /48 has four times as much", async () => {
    const from = (end: string) => ({ url: "/api/none", remoteAddress: `2001:db8:7:${end}` });
    expect(await manyRequests(750, from("1::1"))).toBe(750);
    expect(await manyRequests(800, from("1:2:3:4:5"))).toBe(750);
    for (const subnet of ["2", "3", "4"])
      expect(await manyRequests(1510, from(`${subnet}::1`))).toBe(1500);
    // The refused calls did not count against the site.
    expect(await manyRequests(5, from("5::1"))).toBe(0);
    expect(await manyRequests(5, { url: "/api/none", remoteAddress: "2001:db8:8::1" })).toBe(5);
  });

  test("an unknown token is looked up once and costs its network ten more calls", async () => {
    const remoteAddress = "192.0.2.4";
    const toRequest = (token: string) => ({ url: ownCall.path, headers: { token }, remoteAddress });
    lookedUp.length = 0;
    for (let number = 0; number < 150; number += 1) await app.inject(toRequest(`junk ${number}`));
    const answer = await app.inject(toRequest("junk 0"));
    expect(answer.statusCode).toBe(429);
    expect(lookedUp.length).toBe(Math.ceil(1500 / 11));
    clock.advanceMs(10_000);
    lookedUp.length = 0;
    expect(await manyRequests(50, toRequest("junk 0"))).toBe(50);
    expect(lookedUp).toEqual([]);
  });

  test("a local health check is never refused, and a forwarded one is", async () => {
    expect(await manyRequests(1600, { url: "/api/none", remoteAddress: "127.0.0.1" })).toBe(1500);
    const check = { url: "/api/health", remoteAddress: "127.0.0.1" };
    expect((await app.inject(check)).statusCode).toBe(404);
    const passedOn = { ...check, headers: { "x-forwarded-for": "203.0.113.9" } };
    expect((await app.inject(passedOn)).statusCode).toBe(429);
  });
});

describe("a proxy", () => {
  const toRequest = (remoteAddress: string, headers: Record<string, string>) =>
    app.inject({ url: "/api/none", remoteAddress, headers });

  test("only a proxy in TRUST_PROXY can name the client", async () => {
    const forwardedHeaders = { "x-forwarded-for": "203.0.113.1" };
    for (const remoteAddress of ["10.1.2.3", "fd00::1"]) {
      expect(
        await manyRequests(760, { url: "/api/none", remoteAddress, headers: forwardedHeaders }),
      ).toBe(remoteAddress === "10.1.2.3" ? 760 : 740);
    }
    expect((await toRequest("10.1.2.3", { "x-forwarded-for": "203.0.113.2" })).statusCode).toBe(
      404,
    );
    let number = 0;
    const forgeHeader = () => ({ "x-forwarded-for": `203.0.113.${number++ % 250}` });
    let answeredCount = 0;
    for (let count = 0; count < 1600; count += 1) {
      if ((await toRequest("192.168.1.7", forgeHeader())).statusCode !== 429) answeredCount += 1;
    }
    expect(answeredCount).toBe(1500);
    expect(events).toContainEqual(
      expect.objectContaining({ event: "proxy.not_trusted", ip: "192.168.1.7" }),
    );
  });

  test("X-Forwarded-Host is ignored from anyone", async () => {
    for (const remoteAddress of ["10.1.2.3", "192.168.1.7"]) {
      const headers = { host: "practice.example.org", "x-forwarded-host": "evil.example" };
      const answer = await toRequest(remoteAddress, headers);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["content-security-policy"]).toContain("wss://practice.example.org");
      const hidden = { host: "evil.example", "x-forwarded-host": "practice.example.org" };
      expect((await toRequest(remoteAddress, hidden)).json().error).toBe("request.wrong_host");
    }
  });
});
