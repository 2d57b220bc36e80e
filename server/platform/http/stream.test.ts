import { type AddressInfo, createConnection } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import type { Session } from "#server/platform/http/session.ts";
import { createStream, type StreamHub } from "#server/platform/http/stream.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const sessions: Record<string, Session> = {
  "token-a": { sessionId: "s-a", userId: "user-a", attemptId: "1", expiresAtMs: testStartMs + 1e6 },
  // Ends in a test, and stays over like any session.
  "token-c": { sessionId: "s-c", userId: "user-c", attemptId: "1", expiresAtMs: testStartMs + 1e6 },
  "token-b": { sessionId: "s-b", userId: "user-b", attemptId: "1", expiresAtMs: testStartMs + 1e6 },
};
const bus = createLocalBus((error) => {
  throw error;
});
const readSession = async (token: string) => sessions[token] ?? null;
/** Sessions whose sockets the hub has seen alive. */
const used: string[] = [];
/** The logged security events. */
const events: { cause: string; userId: string | null }[] = [];
/** How sessions are looked up; a test may slow it down. */
let resolve = readSession;
let app: App;
let hub: StreamHub;
let address: string;
beforeAll(async () => {
  const ctx = {
    config: readConfig({}),
    realClock: createSettableClock(testStartMs),
    logger: createLogger("silent"),
    messages: createMessages(),
    securityLog: {
      note: (event: (typeof events)[number]) => void events.push(event),
      writeDue() {},
      flush() {},
    },
  };
  const mount = async (app: App) => {
    hub = await createStream(app, bus, (ids) => void used.push(...ids));
  };
  app = await createTestApp(ctx, mount, (token) => resolve(token));
  address = (await app.listen({ port: 0, host: "127.0.0.1" })).replace("http", "ws");
});
afterAll(() => app.close());

/** A client whose messages are read one by one. */
async function connect(headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${address}/ws`, { headers });
  const inbox: Record<string, unknown>[] = [];
  const readers: ((message: Record<string, unknown>) => void)[] = [];
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString());
    const reader = readers.shift();
    if (reader) reader(message);
    else inbox.push(message);
  });
  const closed = new Promise<number>((resolve) => socket.on("close", (code) => resolve(code)));
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  return {
    socket,
    closed,
    hello: (message: object) => socket.send(JSON.stringify({ op: "hello", ...message })),
    next: () =>
      new Promise<Record<string, unknown>>((resolve) => {
        const message = inbox.shift();
        if (message) resolve(message);
        else readers.push(resolve);
      }),
  };
}

test("every socket receives prices, and a new one gets the latest immediately", async () => {
  const item = await connect();
  hub.broadcast('{"topic":"prices","leaf":7}');
  expect(await item.next()).toEqual({ topic: "prices", leaf: 7 });
  const lateClient = await connect();
  expect(await lateClient.next()).toEqual({ topic: "prices", leaf: 7 });
  item.socket.close();
  lateClient.socket.close();
});

test("a user's message goes to that user's sockets only, by token or cookie", async () => {
  const byToken = await connect();
  await byToken.next();
  byToken.hello({ token: "token-a" });
  expect(await byToken.next()).toEqual({ topic: "session", signed_in: true });
  const byCookie = await connect({ cookie: "w1Token=token-b" });
  await byCookie.next();
  byCookie.hello({});
  expect(await byCookie.next()).toEqual({ topic: "session", signed_in: true });
  hub.toUser("user-b", { topic: "balances", items: [] });
  hub.toUser("user-a", { topic: "session", signed_in: true });
  expect(await byCookie.next()).toEqual({ topic: "balances", items: [] });
  expect(await byToken.next()).toEqual({ topic: "session", signed_in: true });
  byToken.socket.close();
  byCookie.socket.close();
});

test("an ended session is notified and only its socket closed", async () => {
  const ending = await connect();
  const otherClient = await connect();
  for (const [client, token] of [
    [ending, "token-a"],
    [otherClient, "token-b"],
  ] as const) {
    await client.next();
    client.hello({ token });
    await client.next();
  }
  bus.publish("session.ended", { userId: "user-a", sessionId: "s-a" });
  expect(await ending.next()).toEqual({ topic: "session", signed_in: false });
  expect(await ending.closed).toBe(4401);
  hub.broadcast('{"topic":"prices","leaf":8}');
  expect(await otherClient.next()).toEqual({ topic: "prices", leaf: 8 });
  otherClient.socket.close();
});

test("a session that ends during its look-up is not attached to the socket", async () => {
  const requested = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let open = true;
  resolve = async () => {
    const session = open ? sessions["token-c"]! : null;
    requested.resolve();
    await answer.promise;
    return session;
  };
  const client = await connect();
  await client.next();
  client.hello({ token: "token-c" });
  await requested.promise;
  open = false;
  bus.publish("session.ended", { userId: "user-c", sessionId: "s-c" });
  answer.resolve();
  expect(await client.next()).toEqual({ topic: "session", signed_in: false });
  expect(hub.hasUser("user-c")).toBe(false);
  resolve = readSession;
  client.socket.close();
});

test("the later of two hellos wins, even if the first takes longer", async () => {
  const slow = Promise.withResolvers<void>();
  resolve = async (token) => {
    if (token === "token-a") await slow.promise;
    return sessions[token] ?? null;
  };
  const client = await connect();
  await client.next();
  client.hello({ token: "token-a" });
  client.hello({ token: "token-b" });
  client.hello({ klines: ["btc-usdt"] });
  expect(await client.next()).toEqual({ topic: "session", signed_in: true });
  slow.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([hub.hasUser("user-a"), hub.hasUser("user-b")]).toEqual([false, true]);
  resolve = readSession;
  client.socket.close();
});

test("a socket that does not read skips prices past 1 MB and closes past 4 MB", async () => {
  const client = await connect();
  await client.next();
  client.hello({ token: "token-a" });
  await client.next();
  const [large, sentCount] = [64 * 1024, 600];
  const text = JSON.stringify({ topic: "prices", filler: "x".repeat(large) });
  let received = 0;
  client.socket.on("message", (data: Buffer) => {
    if (data.length > large) received += 1;
  });
  client.socket.pause();
  // Far more than the system's buffers hold; yielding in between lets the socket drain.
  for (let number = 0; number < sentCount; number += 1) {
    hub.broadcast(text);
    if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  client.socket.resume();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await vi.waitFor(() => expect(received).toBeGreaterThan(16));
  expect(received).toBeLessThan(sentCount);
  expect(client.socket.readyState).toBe(WebSocket.OPEN);
  client.socket.pause();
  // Messages for the user are never skipped: they fill the socket up until it is closed.
  const filler = { topic: "balances", items: ["x".repeat(large)] } as never;
  for (let number = 0; number < 200; number += 1) hub.toUser("user-a", filler);
  client.socket.resume();
  expect(await client.closed).toBe(1013);
  hub.broadcast('{"topic":"prices","leaf":9}');
});

test("klines go only to sockets that watch them", async () => {
  const watcher = await connect();
  await watcher.next();
  watcher.hello({ klines: ["btc-usdt"], token: "none" });
  expect(await watcher.next()).toEqual({ topic: "session", signed_in: false });
  expect(hub.watched("klines")).toEqual(["btc-usdt"]);
  const kline = {
    topic: "kline" as const,
    contract_id: "btc-usdt",
    kline: [0, "1", "1", "1", "1", "0"] as never,
  };
  hub.toWatchers("klines", "eth-usdt", kline);
  hub.toWatchers("klines", "btc-usdt", kline);
  expect(await watcher.next()).toMatchObject({ contract_id: "btc-usdt" });
  watcher.socket.close();
});

test("hosting runs go only to sockets that watch them", async () => {
  const watcher = await connect();
  await watcher.next();
  watcher.hello({ runs: ["cross-btc"], token: "none" });
  expect(await watcher.next()).toEqual({ topic: "session", signed_in: false });
  expect(hub.watched("runs")).toEqual(["cross-btc"]);
  hub.toWatchers("runs", "hold-btc", '{"topic":"run","run":{"product_id":"hold-btc"}}');
  hub.toWatchers("runs", "cross-btc", '{"topic":"run","run":{"product_id":"cross-btc"}}');
  expect(await watcher.next()).toMatchObject({ topic: "run", run: { product_id: "cross-btc" } });
  watcher.socket.close();
});

test.each([
  ["no JSON", "hello", 1008],
  ["another message", '{"op":"subscribe"}', 1008],
  ["over 4096 bytes", JSON.stringify({ op: "hello", token: "x".repeat(5000) }), 1009],
])("a socket that sends %s is closed", async (_title, text, code) => {
  const client = await connect();
  client.socket.send(text);
  expect(await client.closed).toBe(code);
});

test("a socket that sends too many messages is closed", async () => {
  const client = await connect();
  for (let number = 0; number < 21; number += 1) client.hello({});
  expect(await client.closed).toBe(1008);
});

test("a page of another site cannot open a socket", async () => {
  await expect(connect({ origin: "https://evil.example" })).rejects.toThrow(/403/);
});

test("every socket is closed after an outage of the bus, so that clients refetch", async () => {
  const sockets = await Promise.all(Array.from({ length: 60 }, () => connect()));
  bus.publish("bus.reconnected", { lastedMs: 3_000, unsent: 1 });
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(Array(60).fill(1012));
});

test("sockets are limited to twenty per person and two hundred per network", async () => {
  hub.broadcast('{"topic":"prices","leaf":10}');
  const person = [];
  for (let number = 0; number < 20; number += 1) {
    const client = await connect();
    await client.next();
    client.hello({ token: "token-b" });
    expect(await client.next()).toEqual({ topic: "session", signed_in: true });
    person.push(client);
  }
  const anotherClient = await connect();
  await anotherClient.next();
  anotherClient.hello({ token: "token-b" });
  expect(await anotherClient.closed).toBe(1013);
  expect(events.at(-1)).toMatchObject({ cause: "person_sockets", userId: "user-b" });
  const crowd = [];
  while (hub.size() < 200) crowd.push(await connect());
  const lateClient = await connect();
  expect(await lateClient.closed).toBe(1013);
  expect(events.at(-1)).toMatchObject({ cause: "network_sockets", userId: null });
  for (const { socket } of [...person, ...crowd]) socket.terminate();
  await vi.waitFor(() => expect(hub.size()).toBe(0));
});

test("a refused upgrade closes its connection", async () => {
  const { port } = app.server.address() as AddressInfo;
  const socket = createConnection({ port, host: "127.0.0.1", allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.on("end", resolve));
  socket.resume();
  socket.write(
    "GET /ws HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await closed;
  socket.destroy();
});

test("token look-ups count towards the network's calls", async () => {
  hub.broadcast('{"topic":"prices","leaf":11}');
  const clients = [await connect()];
  // Each look-up of an unknown token costs eleven calls, so that the network has none left soon.
  for (let number = 0; number < 30; number += 1) {
    const client = clients.at(-1)!;
    await client.next();
    for (let count = 0; count < 10; count += 1) {
      client.hello({ token: `junk-${number}-${count}` });
      await Promise.race([client.next(), client.closed]);
    }
    const next = await connect().catch((error: Error) => error);
    if (next instanceof Error) {
      expect(next.message).toContain("429");
      break;
    }
    clients.push(next);
  }
  expect(clients.length).toBeLessThan(20);
  clients[0]!.hello({ token: "junk" });
  expect(await clients[0]!.closed).toBe(1013);
  expect(events.at(-1)).toMatchObject({ cause: "network_calls" });
  for (const { socket } of clients) socket.terminate();
});
