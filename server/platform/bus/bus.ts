import { withPurpose } from "#server/platform/db/pools.ts";

/**
 * Events between parts of the server, published after a commit. Three adapters: within a process
 * (below), between the two processes of one program (linkedBus.ts), and between programs on one
 * database (sharedBus.ts). Delivery is at most once; consumers that must not miss events read the
 * database.
 *
 * Each event is declared next to its publisher: `declare module "#server/platform/bus/bus.ts" {
 * interface BusEvents { "second.closed": { … } } }`.
 */
export interface BusEvents {
  /**
   * This process was cut off from the others for a while: anything it caches on the assumption that
   * an event announces changes must be read again. Only for listeners in this process.
   */
  "bus.reconnected": Outage;
}

/** A time in which no events passed between this process and others. */
export interface Outage {
  /** Real milliseconds. */
  lastedMs: number;
  /** Events that did not arrive, as far as this process knows. */
  unsent: number;
}

export type BusTopic = keyof BusEvents;

export interface Bus {
  publish<Topic extends BusTopic>(topic: Topic, event: BusEvents[Topic]): void;
  /**
   * Returns a function that ends the subscription. A listener that throws is reported and does not
   * affect the others.
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
          // Listeners serve connected clients, in whichever process the event was published: pushes
          // must not use the feed's connections.
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
