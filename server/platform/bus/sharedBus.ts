import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import {
  type Bus,
  type BusEvents,
  type BusTopic,
  createLocalBus,
  type Outage,
} from "#server/platform/bus/bus.ts";
import { busName } from "#server/platform/bus/programs.ts";
import { clientWithin } from "#server/platform/db/database.ts";
import { answerMs, connectionConfig } from "#server/platform/db/pools.ts";

export interface SharedBus extends Bus {
  close(): Promise<void>;
}

/** PostgreSQL refuses a notification of this many bytes. */
const payloadBytes = 8_000;

/** Lists of ids are sent in chunks of this size, each within that limit. */
const idsPerMessage = 100;

/**
 * Most events that wait for a server that does not answer; further ones are dropped and counted.
 */
const waitingMax = 10_000;

const LimitedClient = clientWithin(answerMs);

interface ConnectionOptions {
  url: string;
  onError: (error: unknown) => void;
  onReconnect?: (outage: Outage) => void;
  /** Name of the connection; `busName` by default. */
  name?: string;
}

/** The one connection over which the worlds of a process exchange events with other processes. */
export interface BusConnection {
  /** The bus of a world; closing it leaves the connection open. */
  open(schema: string): Promise<SharedBus>;
  close(): Promise<void>;
}

/** A world's bus on its own connection, for a process with a single world. */
export async function createSharedBus(
  options: ConnectionOptions & { schema: string },
): Promise<SharedBus> {
  const connection = await openBusConnection(options);
  const bus = await connection.open(options.schema);
  return { ...bus, close: () => connection.close() };
}

/**
 * Buses for several processes on one database: events reach local listeners at once and other
 * processes through LISTEN and NOTIFY. Delivery is at most once, as on the local bus: events
 * published while a connection is down are lost elsewhere, so consumers that must not miss events
 * read the database, and `bus.reconnected` marks the end of an outage. An outage is reported once,
 * when it begins. NOTIFY needs no extra service; at a few hundred events a second another adapter
 * (such as NATS) is the next step.
 */
export async function openBusConnection({
  url,
  onError,
  onReconnect = () => {},
  name = busName,
}: ConnectionOptions): Promise<BusConnection> {
  const self = randomUUID();
  /** By channel. */
  const buses = new Map<string, Bus>();
  const stopping = new AbortController();
  let outage: { beganMs: number; unsent: number } | null = null;
  let waitingCount = 0;
  let client = await listen();
  let reconnecting: Promise<void> = Promise.resolve();
  // One at a time: a connection runs one query at a time, and events keep their order.
  let sending: Promise<unknown> = Promise.resolve();

  function fail(error: unknown): void {
    if (stopping.signal.aborted || outage) return;
    outage = { beganMs: performance.now(), unsent: 0 };
    onError(error);
  }

  function recover(): void {
    if (!outage) return;
    const { beganMs, unsent } = outage;
    const endedOutage = { lastedMs: Math.round(performance.now() - beganMs), unsent };
    outage = null;
    onReconnect(endedOutage);
    for (const bus of buses.values()) bus.publish("bus.reconnected", endedOutage);
  }

  async function listen(): Promise<pg.Client> {
    const client = new LimitedClient(connectionConfig({ url, name }));
    client.on("error", fail);
    client.on("notification", ({ channel, payload }) => receive(channel, payload ?? ""));
    try {
      await client.connect();
      for (const channel of buses.keys()) await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    client.once("end", () => {
      if (stopping.signal.aborted) return;
      fail(new Error("the connection of the bus ended"));
      reconnecting = reconnect();
    });
    return client;
  }

  async function reconnect(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(1000, undefined, { signal: stopping.signal }).catch(() => {});
      try {
        if (stopping.signal.aborted) return;
        client = await listen();
        return recover();
      } catch (error) {
        fail(error);
      }
    }
  }

  function receive(channel: string, payload: string): void {
    const envelope = decode(payload);
    if (!envelope) {
      onError(new Error(`a notification on ${channel} that none of ours sent was ignored`));
      return;
    }
    const { from, topic, event } = envelope;
    if (from !== self) buses.get(channel)?.publish(topic, event as never);
  }

  async function send(channel: string, payload: string): Promise<void> {
    const usedClient = client;
    try {
      await usedClient.query("select pg_notify($1, $2)", [channel, payload]);
      // Without a new connection nothing else was missed, but a caller may wait for this.
      if (usedClient === client) recover();
    } catch (error) {
      fail(error);
      if (outage) outage.unsent += 1;
    }
  }

  function publish<Topic extends BusTopic>(
    channel: string,
    topic: Topic,
    event: BusEvents[Topic],
  ): void {
    for (const part of toParts(topic, event)) {
      const payload = encode({ from: self, topic, event: part });
      const bytes = Buffer.byteLength(payload);
      if (bytes >= payloadBytes) {
        // Not an outage: this event would be refused again, while others would not.
        onError(new Error(`an event ${topic} of ${bytes} bytes reaches no other process`));
        continue;
      }
      if (waitingCount >= waitingMax) {
        fail(new Error("the server of the bus does not answer"));
        if (outage) outage.unsent += 1;
        continue;
      }
      waitingCount += 1;
      sending = sending
        .then(() => send(channel, payload))
        .finally(() => {
          waitingCount -= 1;
        });
    }
  }

  /** A listener that reconnects after an outage subscribes to every channel known by then. */
  async function follow(statement: "listen" | "unlisten", channel: string): Promise<void> {
    await client.query(`${statement} ${channel}`).catch((error) => {
      if (!outage) throw error;
    });
  }

  return {
    open: async (schema) => {
      const channel = `${schema}_bus`;
      const local = createLocalBus(onError);
      buses.set(channel, local);
      await follow("listen", channel);
      return {
        publish: (topic, event) => {
          local.publish(topic, event);
          publish(channel, topic, event);
        },
        subscribe: (topic, listener) => local.subscribe(topic, listener),
        close: async () => {
          buses.delete(channel);
          await sending;
          await follow("unlisten", channel);
        },
      };
    },
    close: async () => {
      stopping.abort();
      await sending;
      // It may be reconnecting at this moment: the new connection is the one to end.
      await reconnecting;
      await client.end();
    },
  };
}

interface Envelope {
  from: string;
  topic: BusTopic;
  event: unknown;
}

/** JSON in which `{"$int": "5"}` is the bigint 5. */
function encode(envelope: Envelope): string {
  return JSON.stringify(envelope, (_key, value) =>
    typeof value === "bigint" ? { $int: value.toString() } : value,
  );
}

/** Null if it is no envelope: any role of the database may notify any channel. */
function decode(text: string): Envelope | null {
  try {
    const envelope: Partial<Envelope> | null = JSON.parse(text, (_key, value) =>
      typeof value?.$int === "string" ? BigInt(value.$int) : value,
    );
    const { from, topic, event } = envelope ?? {};
    return typeof from === "string" && typeof topic === "string" ? { from, topic, event } : null;
  } catch {
    return null;
  }
}

/** The list field of a topic, which grows with the number of changes. */
const listOf: Partial<Record<BusTopic, string>> = {
  "order.changed": "orderIds",
  "lease.changed": "leaseIds",
  "balance.changed": "userIds",
};

function toParts<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): unknown[] {
  const list = listOf[topic];
  if (!list) return [event];
  const ids = (event as unknown as Record<string, string[]>)[list]!;
  const parts: unknown[] = [];
  for (let from = 0; from < ids.length; from += idsPerMessage) {
    parts.push({ ...event, [list]: ids.slice(from, from + idsPerMessage) });
  }
  return parts;
}
