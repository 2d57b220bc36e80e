import {
  type Bus,
  type BusEvents,
  type BusTopic,
  createLocalBus,
} from "#server/platform/bus/bus.ts";

/** An IPC channel to another process: a forked child, or a child's own `process`. */
export interface Channel {
  readonly connected: boolean;
  send?(message: object, sent: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

export interface LinkedBus extends Bus {
  /** Exchanges events with the bus at the other end of `channel`; returns how to stop that. */
  link(channel: Channel): () => void;
}

interface EventMessage {
  kind: "event";
  topic: BusTopic;
  event: unknown;
}

/**
 * Events on their way to a process that does not take them; more are dropped, as delivery is at
 * most once anyway.
 */
const sendingMax = 10_000;

/**
 * The bus of two processes that serve one world together, over the channel between them: faster
 * than the database, and independent of its load. A local bus until `link`.
 */
export function createLinkedBus(onError: (error: unknown) => void): LinkedBus {
  const local = createLocalBus(onError);
  const channels = new Set<Channel>();
  let sending = 0;
  const send = (channel: Channel, message: EventMessage) => {
    if (!channel.connected || sending >= sendingMax) return;
    sending += 1;
    channel.send?.(message, () => {
      sending -= 1;
    });
  };
  return {
    publish: (topic, event) => {
      local.publish(topic, event);
      for (const channel of channels) send(channel, { kind: "event", topic, event });
    },
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    link: (channel) => {
      const receive = (message: unknown) => {
        if (!isEvent(message)) return;
        local.publish(message.topic, message.event as BusEvents[BusTopic]);
      };
      channels.add(channel);
      channel.on("message", receive);
      return () => {
        channels.delete(channel);
        channel.off("message", receive);
      };
    },
  };
}

/** A channel also carries the messages of its two programs, and of Node itself. */
function isEvent(message: unknown): message is EventMessage {
  return (message as { kind?: unknown } | null)?.kind === "event";
}
