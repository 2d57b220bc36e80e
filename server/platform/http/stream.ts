import websocket, { type WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { hello, type StreamMessage } from "#api/stream.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Bus } from "#server/platform/bus/bus.ts";
import { getToken, requireSameOrigin } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { limits } from "#server/platform/http/limits/requestLimits.ts";
import type { Session } from "#server/platform/http/session.ts";

/**
 * The lists of ids that a socket subscribes to in its hello (api/stream.ts): messages for an id go
 * only to its watchers.
 */
type WatchTopic = Exclude<keyof z.output<typeof hello>, "op" | "token">;

/** Sockets of the stream at `/ws` (api/stream.ts), by user and by subscription. */
export interface StreamHub {
  /** Sends one text, encoded once, to every socket; a new socket gets the latest one first. */
  broadcast(text: string): void;
  toUser(userId: string, message: StreamMessage): void;
  /** Sends a message to the watchers of this id of a topic; a text is already JSON. */
  toWatchers(topic: WatchTopic, id: string, message: StreamMessage | string): void;
  /** The ids of a topic that a client watches. */
  watched(topic: WatchTopic): string[];
  /** Returns true if this user has a socket here. */
  hasUser(userId: string): boolean;
  size(): number;
  close(): void;
}

const streamLimits = {
  /** Buffered bytes above which a socket skips prices and klines. */
  skipBytes: 1 << 20,
  /** Buffered bytes above which it is closed. */
  closeBytes: 4 << 20,
  messageBytes: 4096,
  messagesPerSecond: 5,
  heartbeatMs: 30_000,
  /** After a gap sockets are closed in portions, so that they do not all reconnect together. */
  reopenedAtOnce: 50,
  reopenEveryMs: 100,
};

interface Client {
  socket: WebSocket;
  ip: string;
  session: Session | null;
  watches: Partial<Record<WatchTopic, readonly string[]>>;
  alive: boolean;
  /** Session lookups started so far, so that an older result never overwrites a newer one. */
  lookups: number;
}

/**
 * Mounts `/ws` on the app and returns the hub. Signs sockets out when their session ends. An open
 * socket is a use of its session, reported to `recordUse`.
 */
export async function createStream(
  app: App,
  bus: Bus,
  recordUse: (sessionIds: readonly string[]) => void = () => {},
): Promise<StreamHub> {
  const { ctx } = app.platform;
  const clients = new Map<WebSocket, Client>();
  /** Number of sessions that have ended so far. */
  let endings = 0;
  let latest: string | null = null;
  const messageLimit = createRateLimit(
    { perSecond: streamLimits.messagesPerSecond, burst: streamLimits.messagesPerSecond * 4 },
    ctx.realClock,
  );
  await app.register(websocket, {
    options: { maxPayload: streamLimits.messageBytes },
    // A socket that never sends a close frame must not delay shutdown.
    preClose: (callback) => {
      hub.close();
      callback();
    },
  });
  const hub = createHub(clients, (text) => {
    latest = text;
  });
  app.get(
    "/ws",
    {
      websocket: true,
      preValidation: async (request) => requireSameOrigin(request, ctx.config.publicUrl),
    },
    (socket, request) => {
      const client: Client = {
        socket,
        ip: request.ip,
        session: null,
        watches: {},
        alive: true,
        lookups: 0,
      };
      const network = toNetwork(client.ip);
      const networkCount = countMatching(clients, ({ ip }) => toNetwork(ip) === network);
      if (networkCount >= limits.socketsOfNetwork) return refuse(app, client, "network_sockets");
      clients.set(socket, client);
      let number = 0;
      socket.on("close", () => clients.delete(socket));
      socket.on("error", () => socket.terminate());
      socket.on("pong", () => {
        client.alive = true;
      });
      socket.on("message", (data: Buffer) => {
        number += 1;
        if (messageLimit.take(`${request.id}`) !== null)
          return socket.close(1008, "too many messages");
        const first = number === 1 ? request : null;
        void listen(app, { client, clients, data, first, endings: () => endings });
      });
      if (latest !== null) socket.send(latest);
    },
  );
  const heartbeat = setInterval(() => {
    const aliveSessions = beat(clients, ctx.realClock.nowMs());
    if (aliveSessions.length > 0) recordUse(aliveSessions);
  }, streamLimits.heartbeatMs);
  heartbeat.unref();
  const forget = bus.subscribe("session.ended", ({ sessionId }) => {
    endings += 1;
    for (const client of clients.values())
      if (client.session?.sessionId === sessionId) signOut(client);
  });
  // Messages to sockets may have been lost, the end of their session among them: clients that
  // connect again sign in and ask again.
  let next: NodeJS.Timeout | undefined;
  const forgetGap = bus.subscribe("bus.reconnected", () => {
    const remaining = [...clients.keys()];
    const reopen = () => {
      for (const socket of remaining.splice(0, streamLimits.reopenedAtOnce))
        socket.close(1012, "gap");
      if (remaining.length > 0) next = setTimeout(reopen, streamLimits.reopenEveryMs);
    };
    clearTimeout(next);
    reopen();
  });
  app.addHook("onClose", async () => {
    clearInterval(heartbeat);
    clearTimeout(next);
    forget();
    forgetGap();
  });
  return hub;
}

function countMatching(
  clients: ReadonlyMap<WebSocket, Client>,
  counts: (client: Client) => boolean,
): number {
  let count = 0;
  for (const client of clients.values()) if (counts(client)) count += 1;
  return count;
}

/** Closes a socket that is one too many, in a way that has its client come back later. */
function refuse(app: App, { socket, session, ip }: Client, cause: string): void {
  const userId = session?.userId ?? null;
  app.platform.ctx.securityLog.note({ event: "limit.reached", cause, userId, ip });
  socket.close(1013, "too many sockets");
}

interface ReceivedMessage {
  client: Client;
  clients: ReadonlyMap<WebSocket, Client>;
  data: Buffer;
  /** The upgrade request, whose cookie is used if the first hello carries no token. */
  first: FastifyRequest | null;
  endings: () => number;
}

async function listen(
  app: App,
  { client, clients, data, first, endings }: ReceivedMessage,
): Promise<void> {
  const { socket } = client;
  try {
    const message = hello.safeParse(JSON.parse(data.toString()));
    if (!message.success) return socket.close(1008, "malformed");
    const { op: _op, token: sessionToken, ...watches } = message.data;
    client.watches = watches;
    const token = sessionToken ?? (first ? getToken(first) : null);
    if (token === null) return;
    // A look-up costs as much as a call.
    if (first === null) app.platform.limits.admit(client.ip, true);
    client.lookups += 1;
    const lookup = client.lookups;
    let [session, before] = [null as Session | null, -1];
    // A session that ends during its lookup is announced before it is on this socket, and would
    // then stay on it for a day.
    while (before !== endings()) {
      before = endings();
      session = await app.platform.limits.sessionOf(token, client.ip);
    }
    if (lookup !== client.lookups) return;
    client.session = session;
    const isMine = (client: Client) =>
      client.session !== null && client.session.userId === session?.userId;
    if (countMatching(clients, isMine) > limits.socketsOfPerson)
      return refuse(app, client, "person_sockets");
    send(client, JSON.stringify({ topic: "session", signed_in: client.session !== null }));
  } catch (error) {
    if (error instanceof SyntaxError) return socket.close(1008, "malformed");
    if (error instanceof ApiError) return refuse(app, client, String(error.data?.limit));
    app.platform.ctx.logger.error({ err: error }, "hello failed");
    socket.close(1011, "failed");
  }
}

function createHub(
  clients: ReadonlyMap<WebSocket, Client>,
  keep: (text: string) => void,
): StreamHub {
  return {
    broadcast: (text) => {
      keep(text);
      const bytes = Buffer.from(text);
      for (const client of clients.values()) sendSkippable(client, bytes);
    },
    toUser: (userId, message) => {
      let text: string | null = null;
      for (const client of clients.values()) {
        if (client.session?.userId !== userId) continue;
        text ??= JSON.stringify(message);
        send(client, text);
      }
    },
    toWatchers: (topic, id, message) => {
      let bytes: Buffer | null = null;
      for (const client of clients.values()) {
        if (!client.watches[topic]?.includes(id)) continue;
        bytes ??= Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
        sendSkippable(client, bytes);
      }
    },
    watched: (topic) => [
      ...new Set([...clients.values()].flatMap(({ watches }) => watches[topic] ?? [])),
    ],
    hasUser: (userId) => clients.values().some(({ session }) => session?.userId === userId),
    size: () => clients.size,
    close: () => {
      for (const { socket } of clients.values()) socket.close(1001, "stopping");
    },
  };
}

function send({ socket }: Client, text: string): void {
  if (socket.readyState !== 1) return;
  if (socket.bufferedAmount > streamLimits.closeBytes) socket.close(1013, "too slow");
  else socket.send(text);
}

/** For messages that the next one supersedes. Sent as text although it is a buffer. */
function sendSkippable({ socket }: Client, bytes: Buffer): void {
  if (socket.readyState !== 1) return;
  if (socket.bufferedAmount > streamLimits.closeBytes) socket.close(1013, "too slow");
  else if (socket.bufferedAmount <= streamLimits.skipBytes) socket.send(bytes, { binary: false });
}

function signOut(client: Client): void {
  send(client, JSON.stringify({ topic: "session", signed_in: false }));
  client.session = null;
  client.socket.close(4401, "session ended");
}

/** Returns the sessions whose sockets have answered since the last beat. */
function beat(clients: ReadonlyMap<WebSocket, Client>, nowMs: number): string[] {
  const sessions = new Set<string>();
  for (const client of clients.values()) {
    if (!client.alive) {
      client.socket.terminate();
      continue;
    }
    client.alive = false;
    client.socket.ping();
    if (client.session && client.session.expiresAtMs <= nowMs) signOut(client);
    else if (client.session) sessions.add(client.session.sessionId);
  }
  return [...sessions];
}
