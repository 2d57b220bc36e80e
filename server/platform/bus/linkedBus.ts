import {
  type Bus,
  type BusEvents,
  type BusTopic,
  createLocalBus,
  type Outage,
} from "#server/platform/bus/bus.ts";

/** An IPC channel to another process: a forked child, or a child's own `process`. */
export interface Channel {
  readonly connected: boolean;
  send?(message: object, sent: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

export interface LinkedBus extends Bus {
  /**
   * Exchanges events with the bus at the other end of `channel`; returns a function that stops
   * this. There is one channel at a time: a later one leads to the successor of a process that
   * ended.
   */
  link(channel: Channel): () => void;
}

interface EventMessage {
  kind: "event";
  topic: BusTopic;
  event: unknown;
}

/** A channel of each world of a process, by the name of the world, over one channel. */
export type WorldChannels = (world: string) => Channel;

/**
 * Splits the channel between two processes into one for each world they serve. Messages sent over
 * one of them reach only that world at the other end.
 */
export function splitChannel(channel: Channel): WorldChannels {
  const listeners = new Map<string, Set<(message: unknown) => void>>();
  channel.on("message", (message) => {
    const { world } = (message ?? {}) as { world?: unknown };
    if (typeof world !== "string") return;
    for (const listener of listeners.get(world) ?? []) listener(message);
  });
  return (world) => ({
    get connected() {
      return channel.connected;
    },
    send: (message, callback) => channel.send?.({ ...message, world }, callback) ?? false,
    on: (_event, listener) => {
      const worldListeners = listeners.get(world) ?? new Set();
      listeners.set(world, worldListeners.add(listener));
    },
    off: (_event, listener) => listeners.get(world)?.delete(listener),
  });
}

/** Maximum unread events on their way to a process; further ones are dropped. */
const sendingMax = 10_000;

/** Real milliseconds at which events began to be lost, and how many were. */
interface Loss {
  beganMs: number;
  unsent: number;
}

function getOutage({ beganMs, unsent }: Loss): Outage {
  return { lastedMs: Math.round(performance.now() - beganMs), unsent };
}

/**
 * The bus of two processes that serve one world together, over the channel between them: faster
 * than the database, and independent of its load. A local bus until `link`.
 *
 * A process that may have missed events receives `bus.reconnected`: this process when it is linked
 * to the successor of one that died, which may have committed changes without sending their events;
 * the other process once it reads again after events were dropped. Each case is reported as one
 * error.
 */
export function createLinkedBus(onError: (error: unknown) => void): LinkedBus {
  const local = createLocalBus(onError);
  let sender: Sender | null = null;
  let unlinked: Loss | null = null;

  const recover = () => {
    if (!unlinked) return;
    const outage = getOutage(unlinked);
    unlinked = null;
    onError(
      new Error(`the bus was without its other process for ${outage.lastedMs} ms: read again`),
    );
    local.publish("bus.reconnected", outage);
  };

  return {
    publish: (topic, event) => {
      local.publish(topic, event);
      if (sender) sender.send({ kind: "event", topic, event });
      else if (unlinked) unlinked.unsent += 1;
    },
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    link: (channel) => {
      const receive = (message: unknown) => {
        if (!isEvent(message)) return;
        local.publish(message.topic, message.event as BusEvents[BusTopic]);
      };
      const ownSender = createSender(channel, onError);
      sender = ownSender;
      channel.on("message", receive);
      recover();
      return () => {
        channel.off("message", receive);
        if (sender !== ownSender) return;
        sender = null;
        unlinked = { beganMs: performance.now(), unsent: 0 };
      };
    },
  };
}

interface Sender {
  send(message: EventMessage): void;
}

/**
 * Sends to one process. If events were dropped, it makes that process refetch once it has read the
 * waiting ones.
 */
function createSender(channel: Channel, onError: (error: unknown) => void): Sender {
  let sending = 0;
  let pendingLoss: Loss | null = null;

  const pass = (message: EventMessage) => {
    if (!channel.connected) return;
    sending += 1;
    channel.send?.(message, () => {
      sending -= 1;
      if (sending === 0) reportDropped();
    });
  };
  const reportDropped = () => {
    if (!pendingLoss) return;
    const event = getOutage(pendingLoss);
    pendingLoss = null;
    pass({ kind: "event", topic: "bus.reconnected", event });
  };

  return {
    send: (message) => {
      if (sending < sendingMax && !pendingLoss) return pass(message);
      if (!pendingLoss) {
        pendingLoss = { beganMs: performance.now(), unsent: 0 };
        onError(new Error("the other process takes no events: they are dropped until it does"));
      }
      pendingLoss.unsent += 1;
    },
  };
}

/** A channel also carries the messages of its two programs, and of Node itself. */
function isEvent(message: unknown): message is EventMessage {
  return (message as { kind?: unknown } | null)?.kind === "event";
}
