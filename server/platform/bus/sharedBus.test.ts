import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { BusEvents, Outage } from "#server/platform/bus/bus.ts";
import {
  createSharedBus,
  openBusConnection,
  type SharedBus,
} from "#server/platform/bus/sharedBus.ts";
import "#server/testing/postgres.ts";

let here: SharedBus;
let there: SharedBus;
let elsewhere: SharedBus;
const onError = (error: unknown) => {
  throw error;
};
beforeAll(async () => {
  const url = inject("postgres").appUrl;
  here = await createSharedBus({ url, schema: "test_bus_one", onError });
  there = await createSharedBus({ url, schema: "test_bus_one", onError });
  elsewhere = await createSharedBus({ url, schema: "test_bus_two", onError });
});
afterAll(() => Promise.all([here.close(), there.close(), elsewhere.close()]));

test("an event is delivered once here and in other processes, with bigints intact", async () => {
  const event: BusEvents["second.closed"] = {
    secondMs: 1000,
    leaf: 7,
    index: { "BTC/USDT": 9_007_199_254_740_993n, "ETH/USDT": null },
  };
  const received: unknown[] = [];
  const arrived = Promise.withResolvers<unknown>();
  here.subscribe("second.closed", (item) => received.push(item));
  elsewhere.subscribe("second.closed", () => received.push("another world"));
  there.subscribe("second.closed", arrived.resolve);
  here.publish("second.closed", event);
  expect(received).toEqual([event]);
  expect(await arrived.promise).toEqual(event);
  // An answer proves that our own notification has come back, too.
  const answerSent = Promise.withResolvers<void>();
  here.subscribe("log.appended", () => answerSent.resolve());
  there.publish("log.appended", { next: 1 });
  await answerSent.promise;
  expect(received).toEqual([event]);
});

test("a long list of users is sent in parts", async () => {
  const userIds = Array.from({ length: 1000 }, (_, number) => `user-${number}`.padEnd(36, "x"));
  const received: string[] = [];
  const all = Promise.withResolvers<void>();
  there.subscribe("balance.changed", (event) => {
    received.push(...event.userIds);
    if (received.length === userIds.length) all.resolve();
  });
  here.publish("balance.changed", { userIds });
  await all.promise;
  expect(received).toEqual(userIds);
});

/** Ends the connection of the only bus that listens in `schema`. */
async function cutOff(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgres").appUrl });
  await client.connect();
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'drydock-bus' and query = $1`,
    [`listen ${schema}_bus`],
  );
  expect(rows).toHaveLength(1);
  await client.end();
}

test("an event too long for a notification is reported without an outage", async () => {
  const errors: unknown[] = [];
  const outages: Outage[] = [];
  const bus = await createSharedBus({
    url: inject("postgres").appUrl,
    schema: "test_bus_one",
    onError: (error) => errors.push(error),
    onReconnect: (outage) => outages.push(outage),
  });
  const arrived = Promise.withResolvers<number>();
  const leave = here.subscribe("log.appended", ({ next }) => arrived.resolve(next));
  bus.publish("balance.changed", { userIds: ["long".repeat(2_000)] });
  bus.publish("log.appended", { next: 99 });
  expect(await arrived.promise).toBe(99);
  leave();
  await bus.close();
  expect(errors.map(String)).toEqual([expect.stringMatching(/balance\.changed of 8\d\d\d bytes/)]);
  expect(outages).toEqual([]);
});

test.each([
  "no JSON",
  "null",
  "5",
  '{"from":"x"}',
])("a foreign notification, %j, is reported and ignored", async (payload) => {
  const url = inject("postgres").appUrl;
  const errors: unknown[] = [];
  const schema = "test_bus_strange";
  const bus = await createSharedBus({ url, schema, onError: (error) => errors.push(error) });
  const arrived = Promise.withResolvers<number>();
  bus.subscribe("log.appended", ({ next }) => arrived.resolve(next));
  const stranger = new pg.Client({ connectionString: url });
  await stranger.connect();
  await stranger.query("select pg_notify($1, $2)", [`${schema}_bus`, payload]);
  await stranger.end();
  const sender = await createSharedBus({ url, schema, onError });
  sender.publish("log.appended", { next: 7 });
  expect(await arrived.promise).toBe(7);
  expect(errors.map(String)).toEqual([expect.stringMatching(/none of ours sent was ignored/)]);
  await bus.close();
  await sender.close();
});

/** Passes connections on to the database; from the second on only once `open` is called. */
async function createRelay() {
  const { appUrl } = inject("postgres");
  const { hostname } = new URL(appUrl);
  const directory = mkdtempSync(join(tmpdir(), "drydock-relay-"));
  const name = ".s.PGSQL.5432";
  const opened = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const pass = async (near: Socket) => {
    sockets.push(near.on("error", () => {}));
    if (sockets.length > 1) {
      second.resolve();
      await opened.promise;
    }
    const far = connect(join(decodeURIComponent(hostname), name)).on("error", () => {});
    near.pipe(far).pipe(near);
  };
  const server = createServer((near) => void pass(near));
  server.listen(join(directory, name));
  await once(server, "listening");
  return {
    url: appUrl.replace(hostname, encodeURIComponent(directory)),
    second: second.promise,
    open: opened.resolve,
    isUsed: () => sockets.some((socket) => !socket.destroyed),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

test("a bus closed while it reconnects leaves no connection", async () => {
  const relay = await createRelay();
  const schema = "test_bus_relay";
  const bus = await createSharedBus({ url: relay.url, schema, onError: () => {} });
  await cutOff(schema);
  await relay.second;
  const closing = bus.close();
  relay.open();
  await closing;
  await vi.waitFor(() => expect(relay.isUsed()).toBe(false));
  await relay.close();
});

test("an outage is reported once, and bus.reconnected marks its end", async () => {
  const url = inject("postgres").appUrl;
  const schema = "test_bus_cut";
  const errors: unknown[] = [];
  const outages: Outage[] = [];
  const cut = await createSharedBus({
    url,
    schema,
    onError: (error) => errors.push(error),
    onReconnect: (outage) => outages.push(outage),
  });
  const over = Promise.withResolvers<Outage>();
  cut.subscribe("bus.reconnected", over.resolve);
  const here: number[] = [];
  cut.subscribe("log.appended", ({ next }) => here.push(next));
  await cutOff(schema);
  const other = await createSharedBus({ url, schema, onError });
  const there: number[] = [];
  const arrived = Promise.withResolvers<void>();
  other.subscribe("bus.reconnected", () => there.push(-1));
  other.subscribe("log.appended", ({ next }) => {
    there.push(next);
    if (next === 51) arrived.resolve();
  });

  for (let next = 1; next <= 50; next += 1) cut.publish("log.appended", { next });
  const outage = await over.promise;
  cut.publish("log.appended", { next: 51 });
  await arrived.promise;

  expect(errors).toHaveLength(1);
  expect(outages).toEqual([outage]);
  expect(outage.unsent).toBe(50);
  expect(there).toEqual([51]);
  expect(here).toHaveLength(51);
  await cut.close();
  await other.close();
});

test("worlds that share a connection hear their own events, after an outage too", async () => {
  const url = inject("postgres").appUrl;
  const [schema, second] = ["test_bus_first", "test_bus_second"];
  const connection = await openBusConnection({ url, onError: () => {} });
  const buses = [await connection.open(schema), await connection.open(second)];
  const others = await Promise.all(
    [schema, second].map((text) => createSharedBus({ url, schema: text, onError })),
  );
  const heard: string[] = [];
  const arrived = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  for (const [index, bus] of buses.entries())
    bus.subscribe("log.appended", ({ next }) => {
      heard.push(`${index} ${next}`);
      arrived[next - 1]!.resolve();
    });
  const say = async (next: number, busIndex: number) => {
    others[busIndex]!.publish("log.appended", { next });
    await arrived[next - 1]!.promise;
  };
  await say(1, 0);
  await say(2, 1);
  const over = buses.map((bus) => {
    const again = Promise.withResolvers<unknown>();
    bus.subscribe("bus.reconnected", again.resolve);
    return again.promise;
  });
  await cutOff(second);
  await Promise.all(over);
  await say(3, 0);
  await say(4, 1);
  expect(heard).toEqual(["0 1", "1 2", "0 3", "1 4"]);
  await connection.close();
  await Promise.all(others.map((other) => other.close()));
});
