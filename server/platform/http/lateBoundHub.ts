import type { StreamHub } from "#server/platform/http/stream.ts";

/**
 * A hub that can be used before the real one exists: domains are created before the web server, and
 * a process without `web` never has sockets. Forwards to the real hub once connected.
 */
export function createLateBoundHub(): { hub: StreamHub; connect: (real: StreamHub) => void } {
  let real: StreamHub | null = null;
  return {
    hub: {
      broadcast: (text) => real?.broadcast(text),
      toUser: (userId, message) => real?.toUser(userId, message),
      toWatchers: (topic, id, message) => real?.toWatchers(topic, id, message),
      watched: (topic) => real?.watched(topic) ?? [],
      hasUser: (userId) => real?.hasUser(userId) ?? false,
      size: () => real?.size() ?? 0,
      close: () => real?.close(),
    },
    connect: (streamHub) => {
      real = streamHub;
    },
  };
}
