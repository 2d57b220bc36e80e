import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  type Bus,
  type BusEvents,
  type BusTopic,
  createLocalBus,
  type Outage,
} from "#server/platform/bus/bus.ts";
import { connectionConfig } from "#server/platform/db/pools.ts";

export interface SharedBus extends Bus {
  close(): Promise<void>;
}

/** PostgreSQL refuses a notification of this many bytes. */
const payloadBytes = 8_000;

/** Lists of ids are sent in chunks of this size, each within that limit. */
const idsPerMessage = 100;

/** Events that wait for a server that does not answer; what is more is dropped and counted. */
const waitingMax = 10_000;

/**
 * A bus for several processes of one world on one database: events reach local listeners at once
 * and other processes through LISTEN and NOTIFY. Delivery is at most once, as on the local bus:
 * events published while a connection is down are lost elsewhere, so consumers that must not miss
 * events read the database, and `bus.reconnected` says when. An outage is reported once, when it
 * begins. NOTIFY needs no extra service; at a few hundred events a second another
 * adapter (such as NATS) is the next step.
 */
export async function createSharedBus(options: {
  url: string;
  schema: string;
  onError: (error: unknown) => void;
  onReconnect?: (outage: Outage) => void;
}): Promise<SharedBus> {
  const { url, schema, onError, onReconnect = () => {} } = options;
  const local = createLocalBus(onError);
  const self = randomUUID();
  const channel = `${schema}_bus`;
  const stopping = new AbortController();
  let outage: { beganMs: number; unsent: number } | null = null;
  let waiting = 0;
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
    const over = { lastedMs: Math.round(performance.now() - beganMs), unsent };
    outage = null;
    onReconnect(over);
    local.publish("bus.reconnected", over);
  }

  async function listen(): Promise<pg.Client> {
    const made = new pg.Client(connectionConfig({ url, name: "drydock-bus" }));
    made.on("error", fail);
    made.on("notification", ({ payload }) => receive(payload ?? ""));
    try {
      await made.connect();
      await made.query(`listen ${channel}`);
    } catch (error) {
      await made.end().catch(() => {});
      throw error;
    }
    made.once("end", () => {
      if (stopping.signal.aborted) return;
      fail(new Error("the connection of the bus ended"));
      reconnecting = reconnect();
    });
    return made;
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

  function receive(payload: string): void {
    const { from, topic, event } = decode(payload);
    if (from !== self) local.publish(topic, event as never);
  }

  async function send(payload: string): Promise<void> {
    const by = client;
    try {
      await by.query("select pg_notify($1, $2)", [channel, payload]);
      // Without a new connection nothing else was missed, but somebody may wait for this.
      if (by === client) recover();
    } catch (error) {
      fail(error);
      if (outage) outage.unsent += 1;
    }
  }

  return {
    publish: (topic, event) => {
      local.publish(topic, event);
      for (const part of partsOf(topic, event)) {
        const payload = encode({ from: self, topic, event: part });
        const bytes = Buffer.byteLength(payload);
        if (bytes >= payloadBytes) {
          // No outage: it would be refused again, and others are not.
          onError(new Error(`an event ${topic} of ${bytes} bytes reaches no other process`));
          continue;
        }
        if (waiting >= waitingMax) {
          fail(new Error("the server of the bus does not answer"));
          if (outage) outage.unsent += 1;
          continue;
        }
        waiting += 1;
        sending = sending
          .then(() => send(payload))
          .finally(() => {
            waiting -= 1;
          });
      }
    },
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    close: async () => {
      stopping.abort();
      await sending;
      // It may be listening again at this moment: that connection is the one to end.
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

function decode(text: string): Envelope {
  return JSON.parse(text, (_key, value) =>
    typeof value?.$int === "string" ? BigInt(value.$int) : value,
  );
}

/** The list field of a topic, which grows with the number of changes. */
const listOf: Partial<Record<BusTopic, string>> = {
  "order.changed": "orderIds",
  "lease.changed": "leaseIds",
  "balance.changed": "userIds",
};

function partsOf<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): unknown[] {
  const list = listOf[topic];
  if (!list) return [event];
  const ids = (event as unknown as Record<string, string[]>)[list]!;
  const parts: unknown[] = [];
  for (let from = 0; from < ids.length; from += idsPerMessage) {
    parts.push({ ...event, [list]: ids.slice(from, from + idsPerMessage) });
  }
  return parts;
}
