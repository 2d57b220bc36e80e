import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { Config } from "#server/platform/config/config.ts";
import { tlsOptions } from "#server/platform/http/app.ts";
import { isOwnHost } from "#server/platform/http/hosts.ts";

/**
 * The server of a world that is asleep: a request wakes it and is then handed to it. Listens only
 * where the world has a port of its own.
 */
export function createWakeOnRequest(
  config: Pick<Config, "tls" | "publicUrl">,
  wake: () => Promise<Server>,
): Server {
  const server = config.tls ? createTlsServer({ ...config.tls, ...tlsOptions }) : createServer();
  /** A foreign host name wakes no world. */
  const isOurs = ({ headers, socket }: IncomingMessage) =>
    isOwnHost(headers.host ?? "", config.publicUrl, socket.localAddress);
  server.on("request", (request: IncomingMessage, reply: ServerResponse) => {
    const refuse = (status: number) => {
      reply.writeHead(status, { "content-length": 0, "retry-after": "10", connection: "close" });
      reply.end();
    };
    if (!isOurs(request)) return refuse(421);
    wake().then(
      (server) => server.emit("request", request, reply),
      () => refuse(503),
    );
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOurs(request)) return socket.destroy();
    wake().then(
      (server) => server.emit("upgrade", request, socket, head),
      () => socket.destroy(),
    );
    return undefined;
  });
  return server;
}
