import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { Config } from "#server/platform/config/config.ts";
import { tlsOptions } from "#server/platform/http/app.ts";
import { securityHeaders } from "#server/platform/http/headers.ts";
import { isOwnHost } from "#server/platform/http/hosts.ts";
import { getBrowserLanguage, type Messages } from "#server/platform/http/language.ts";
import { DirectoryError } from "#server/platform/worlds/directory.ts";
import { escapeHtml, plainPageHeaders, renderPlainPage } from "./plainPage.ts";

/**
 * The server of a world that is asleep: a request wakes it and is then handed to it; if it does not
 * open, a page says why. Listens only where the world has its own port.
 */
export function createWakeOnRequest(
  config: Pick<Config, "tls" | "publicUrl">,
  messages: Messages,
  wake: () => Promise<Server>,
): Server {
  const server = config.tls ? createTlsServer({ ...config.tls, ...tlsOptions }) : createServer();
  /** A foreign host name wakes no world. */
  const isOurs = ({ headers, socket }: IncomingMessage) =>
    isOwnHost(headers.host ?? "", config.publicUrl, socket.localAddress);
  server.on("request", (request: IncomingMessage, reply: ServerResponse) => {
    if (!isOurs(request)) {
      reply.writeHead(421, { "content-length": 0, connection: "close" }).end();
      return;
    }
    wake().then(
      (server) => server.emit("request", request, reply),
      (error) => refuse(request, reply, refusalPage(request, messages, error)),
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

/** Programs read the status alone; a browser that asks for a page shows it. */
function refuse({ method, headers }: IncomingMessage, reply: ServerResponse, page: string): void {
  reply.writeHead(503, {
    ...securityHeaders([]),
    ...plainPageHeaders,
    "retry-after": "10",
    connection: "close",
  });
  const isForPage = method === "GET" && (headers.accept ?? "").includes("text/html");
  reply.end(isForPage ? page : "");
}

function refusalPage(request: IncomingMessage, messages: Messages, error: unknown): string {
  const language = getBrowserLanguage(request.headers);
  const say = (key: string) => escapeHtml(messages.format(language, `world-finder.${key}`));
  const isFull = error instanceof DirectoryError && error.reason === "too_many_awake";
  const body = `<h1>${say("refused")}</h1>
<p role="alert">${say(isFull ? "refusedFull" : "refusedFailed")}</p>
<a class="go" href="">${say("again")}</a>`;
  return renderPlainPage({ language, title: say("refused"), body });
}
