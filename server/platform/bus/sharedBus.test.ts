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

let hereBus: SharedBus;
let thereBus: SharedBus;
let remoteBus: SharedBus;
const onError = (error: unknown) => {
  throw error;
};
beforeAll(async () => {
  const url = inject("postgres").appUrl;
  hereBus = await createSharedBus({ url, schema: "test_bus_one", onError });
  thereBus = await createSharedBus({ url, schema: "test_bus_one", onError });
  remoteBus = await createSharedBus({ url, schema: "test_bus_two", onError });
});
afterAll(() => Promise.all([hereBus.close(), thereBus.close(), remoteBus.close()]));

test("an event is delivered once here and in other processes, with bigints intact", async () => {
  const event: BusEvents["second.closed"] = {
    secondMs: 1000,
    leaf: 7,
    index: { "BTC/USDT": 9_007_199_254_740_993n, "ETH/USDT": null },
  };
  const received: unknown[] = [];
  const arrival = Promise.withResolvers<unknown>();
  hereBus.subscribe("second.closed", (item) => received.push(item));
  remoteBus.subscribe("second.closed", () => received.push("another world"));
  thereBus.subscribe("second.closed", arrival.resolve);
  hereBus.publish("second.closed", event);
  expect(received).toEqual([event]);
  expect(await arrival.promise).toEqual(event);
  // An answer proves that our own notification has come back, too.
  const answerSent = Promise.withResolvers<void>();
  hereBus.subscribe("log.appended", () => answerSent.resolve());
  thereBus.publish("log.appended", { next: 1 });
  await answerSent.promise;
  expect(received).toEqual([event]);
});

test("a long list of users is sent in parts", async () => {
  const userIds = Array.from({ length: 1000 }, (_, number) => `user-${number}`.padEnd(36, "x"));
  const received: string[] = [];
  const allArrived = Promise.withResolvers<void>();
  thereBus.subscribe("balance.changed", (event) => {
    received.push(...event.userIds);
    if (received.length === userIds.length) allArrived.resolve();
  });
  hereBus.publish("balance.changed", { userIds });
  await allArrived.promise;
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
  const arrival = Promise.withResolvers<number>();
  const leave = hereBus.subscribe("log.appended", ({ next }) => arrival.resolve(next));
  bus.publish("balance.changed", { userIds: ["long".repeat(2_000)] });
  bus.publish("log.appended", { next: 99 });
  expect(await arrival.promise).toBe(99);
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
  const arrival = Promise.withResolvers<number>();
  bus.subscribe("log.appended", ({ next }) => arrival.resolve(next));
  const stranger = new pg.Client({ connectionString: url });
  await stranger.connect();
  await stranger.query("select pg_notify($1, $2)", [`${schema}_bus`, payload]);
  await stranger.end();
  const sender = await createSharedBus({ url, schema, onError });
  sender.publish("log.appended", { next: 7 });
  expect(await arrival.promise).toBe(7);
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
  const pass = async (nearSocket: Socket) => {
    sockets.push(nearSocket.on("error", () => {}));
    if (sockets.length > 1) {
      second.resolve();
      await opened.promise;
    }
    const farSocket = connect(join(decodeURIComponent(hostname), name)).on("error", () => {});
    nearSocket.pipe(farSocket).pipe(nearSocket);
  };
  const server = createServer((nearSocket) => void pass(nearSocket));
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
  const cutBus = await createSharedBus({
    url,
    schema,
    onError: (error) => errors.push(error),
    onReconnect: (outage) => outages.push(outage),
  });
  const reconnected = Promise.withResolvers<Outage>();
  cutBus.subscribe("bus.reconnected", reconnected.resolve);
  const hereEvents: number[] = [];
  cutBus.subscribe("log.appended", ({ next }) => hereEvents.push(next));
  await cutOff(schema);
  const otherBus = await createSharedBus({ url, schema, onError });
  const thereEvents: number[] = [];
  const arrival = Promise.withResolvers<void>();
  otherBus.subscribe("bus.reconnected", () => thereEvents.push(-1));
  otherBus.subscribe("log.appended", ({ next }) => {
    thereEvents.push(next);
    if (next === 51) arrival.resolve();
  });

  for (let next = 1; next <= 50; next += 1) cutBus.publish("log.appended", { next });
  const outage = await reconnected.promise;
  cutBus.publish("log.appended", { next: 51 });
  await arrival.promise;

  expect(errors).toHaveLength(1);
  expect(outages).toEqual([outage]);
  expect(outage.unsent).toBe(50);
  expect(thereEvents).toEqual([51]);
  expect(hereEvents).toHaveLength(51);
  await cutBus.close();
  await otherBus.close();
});

test("worlds that share a connection receive only their own events, even after an outage", async () => {
  const url = inject("postgres").appUrl;
  const [schema, second] = ["test_bus_first", "test_bus_second"];
  const connection = await openBusConnection({ url, onError: () => {} });
  const buses = [await connection.open(schema), await connection.open(second)];
  const otherBuses = await Promise.all(
    [schema, second].map((text) => createSharedBus({ url, schema: text, onError })),
  );
  const received: string[] = [];
  const arrivals = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  for (const [index, bus] of buses.entries())
    bus.subscribe("log.appended", ({ next }) => {
      received.push(`${index} ${next}`);
      arrivals[next - 1]!.resolve();
    });
  const notifyFrom = async (next: number, busIndex: number) => {
    otherBuses[busIndex]!.publish("log.appended", { next });
    await arrivals[next - 1]!.promise;
  };
  await notifyFrom(1, 0);
  await notifyFrom(2, 1);
  const reconnections = buses.map((bus) => {
    const reconnected = Promise.withResolvers<unknown>();
    bus.subscribe("bus.reconnected", reconnected.resolve);
    return reconnected.promise;
  });
  await cutOff(second);
  await Promise.all(reconnections);
  await notifyFrom(3, 0);
  await notifyFrom(4, 1);
  expect(received).toEqual(["0 1", "1 2", "0 3", "1 4"]);
  await connection.close();
  await Promise.all(otherBuses.map((bus) => bus.close()));
});
