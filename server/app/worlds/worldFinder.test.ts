import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createMessages } from "#server/platform/http/language.ts";
import type { WorldEntry } from "#server/platform/worlds/directory.ts";
import { createWorldFinder, interceptRequests } from "./worldFinder.ts";

const entry: WorldEntry = {
  name: "class-7b",
  code: "ABCDEFGH",
  state: "awake",
  port: 8081,
  settings: {},
  madeAtMs: 0,
  sleptAtMs: null,
  removalAsked: false,
  removeAfterMs: null,
};

/** As many concurrent requests as a network may send wrong codes. */
const burst = 20;
const servers: Server[] = [];

/** Starts a world finder in front of a main world that answers nothing; returns its port. */
async function listen(settings: Record<string, string>): Promise<number> {
  const server = createServer((_request, reply) => reply.end("main"));
  const choose = await createWorldFinder({
    config: readConfig(settings),
    realClock: { ...realClock, nowMs: () => 0 },
    messages: createMessages(),
    entries: () => [entry],
    serverOf: () => null,
  });
  interceptRequests(server, choose);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function ask(
  port: number,
  { code, method = "GET", ...headers }: { code: string; method?: string } & Record<string, string>,
): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const to = { host: "127.0.0.1", port, path: `/worlds?code=${code}`, method, headers };
    const httpRequest = request({ ...to, agent: false }, (answer) => {
      let length = 0;
      answer.on("data", (part: Buffer) => {
        length += part.length;
      });
      answer.on("end", () => resolve({ status: answer.statusCode!, length }));
    });
    httpRequest.on("error", reject).end(method === "POST" ? "code=ABCDEFGH" : undefined);
  });
}

/**
 * Sends wrong codes, each with the client that a proxy names, and counts those that are answered.
 */
async function countAnswered(port: number, count: number, client: (n: number) => string) {
  let sum = 0;
  for (let n = 0; n < count; n += 1) {
    const { status } = await ask(port, { code: "AAAAAAAA", "x-forwarded-for": client(n) });
    if (status === 404) sum += 1;
    else expect(status).toBe(429);
  }
  return sum;
}

let direct: number;
let proxied: number;
beforeAll(async () => {
  direct = await listen({});
  proxied = await listen({ TRUST_PROXY: "127.0.0.1" });
});
afterAll(() => {
  for (const server of servers) server.close();
});

test("behind a trusted proxy, wrong codes are limited per network", async () => {
  expect(await countAnswered(proxied, burst + 5, () => "203.0.113.1")).toBe(burst);
  expect(await countAnswered(proxied, 1, () => "203.0.113.2")).toBe(1);
});

test("without a trusted proxy, forwarded client addresses do not extend the limit", async () => {
  expect(await countAnswered(direct, burst + 5, (n) => `203.0.113.${n}`)).toBe(burst);
});

test("every method is answered, and HEAD without a body", async () => {
  expect((await ask(proxied, { code: "ABCD-EFGH" })).status).toBe(200);
  const head = await ask(proxied, { code: "ABCD-EFGH", method: "HEAD" });
  expect(head).toEqual({ status: 200, length: 0 });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect((await ask(proxied, { code: "abcdefgh", method: "POST", ...form })).status).toBe(200);
});
