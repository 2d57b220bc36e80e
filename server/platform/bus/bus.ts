import { withPurpose } from "#server/platform/db/pools.ts";

/**
 * What parts of the server tell each other after a commit. One in-process adapter now; the interface leaves room for
 * NATS when there is more than one machine. Delivery is at most once: whoever must not miss anything reads the database.
 */
export interface BusEvents {
  /** A world second was closed: its leaf is stored and its index values stand. */
  "second.closed": {
    secondMs: number;
    leaf: number;
    /** Integer index at the symbol's scale, null in a gap. */
    index: Readonly<Record<string, bigint | null>>;
  };
  /** An order of a user was accepted, bound, given its entry price or settled. */
  "order.changed": { userId: string; orderIds: string[] };
  /** A lease of a user began, was paid or was ended. */
  "lease.changed": { userId: string; leaseIds: string[] };
  /** A user started over: this is the current attempt from now on. */
  "attempt.opened": { userId: string; attemptId: string };
  /** Postings touched balances of these users. */
  "balance.changed": { userIds: string[] };
  /** What a hosting pool's strategy saw in the last closed second: the JSON of a `run` (api/hosting.ts). */
  "hosting.run": { poolId: string; text: string };
  /** A session ended, by itself or by hand. */
  "session.ended": { userId: string; sessionId: string };
  /** Somebody began or ended looking at a person's pages with their code: until when one still does (real time), null: nobody. */
  "viewing.changed": { userId: string; untilMs: number | null };
  /** An operator did something to a person, and it stands in that person's records. */
  "person.touched": { userId: string };
  /** A person's account was deleted and their key destroyed: whatever is kept of them in memory is dropped. */
  "person.forgotten": { userId: string };
  /** Leaves were added to the log table and wait for the tree. */
  "log.appended": { next: number };
}

export type BusTopic = keyof BusEvents;

export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /** Returns the function that ends the subscription. A listener that throws is reported, and stops nobody else. */
  subscribe<Topic extends BusTopic>(
    topic: Topic,
    listener: (event: BusEvents[Topic]) => void,
  ): () => void;
}

export function createLocalBus(onError: (error: unknown) => void): Bus {
  const listeners = new Map<BusTopic, Set<(event: never) => void>>();
  return {
    publish: (topic, event) => {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          // What follows serves who is connected, whoever published: the feed's connections are not for pushes.
          withPurpose("requests", () => listener(event as never));
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe: (topic, listener) => {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set);
      set.add(listener as (event: never) => void);
      return () => set.delete(listener as (event: never) => void);
    },
  };
}
