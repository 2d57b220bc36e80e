import { withPurpose } from "#server/platform/db/pools.ts";

/**
 * What parts of the server tell each other after a commit. One in-process adapter now; the
 * interface leaves room for NATS when there is more than one machine. Delivery is at most once:
 * whoever must not miss anything reads the database.
 *
 * Each event is declared beside what publishes it: `declare module "#server/platform/bus/bus.ts" {
 * interface BusEvents { "second.closed": { … } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: domains add their events to it
export interface BusEvents {}

export type BusTopic = keyof BusEvents;

export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /**
   * Returns the function that ends the subscription. A listener that throws is reported, and stops
   * nobody else.
   */
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
          // What follows serves who is connected, whoever published: the feed's connections are not
          // for pushes.
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
