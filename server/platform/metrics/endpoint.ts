import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "#server/platform/config/config.ts";
import { isLoopbackAddress } from "#server/platform/http/limits/network.ts";
import { StartError } from "#server/platform/startError.ts";
import { formatOpenMetrics, openMetricsType, type ProcessMetrics } from "./registry.ts";

/** The setting `METRICS_PORT` with what belongs to it. */
export type MetricsConfig = NonNullable<Config["metrics"]>;

export interface MetricsEndpoint {
  /** The URL to read them from. */
  address: string;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` on a separate port, so that it answers while the web server is full, and in
 * processes without a web server. A request needs the token if one is set; otherwise only requests
 * to a name of this machine are answered, which a web page cannot make. Throws a StartError if the
 * port is taken.
 */
export async function serveMetrics(
  config: MetricsConfig,
  readMetrics: () => Promise<readonly ProcessMetrics[]>,
): Promise<MetricsEndpoint> {
  // Concurrent requests share one read of the database.
  let reading: Promise<string> | null = null;
  const text = () => {
    reading ??= readMetrics()
      .then(formatOpenMetrics)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const server = createServer(
    { requestTimeout: 10_000, maxHeaderSize: 8_192 },
    (request, reply) => {
      void answer(config, request, reply, text);
    },
  );
  server.maxConnections = 32;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(config, error)));
    server.listen({ port: config.port, host: config.host }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return {
    address: `http://${host}:${port}/metrics`,
    stop: async () => {
      const closing = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closing;
    },
  };
}

async function answer(
  { token }: MetricsConfig,
  { url, method, headers }: IncomingMessage,
  reply: ServerResponse,
  text: () => Promise<string>,
): Promise<void> {
  const refuse = (status: number, headers: Record<string, string> = {}) =>
    reply.writeHead(status, { "content-length": 0, ...headers }).end();
  if (token === null && !namesThisMachine(headers.host)) return void refuse(403);
  if (token !== null && !hasToken(headers.authorization, token))
    return void refuse(401, { "www-authenticate": "Bearer" });
  if (url?.split("?")[0] !== "/metrics") return void refuse(404);
  if (method !== "GET") return void refuse(405, { allow: "GET" });
  try {
    const body = await text();
    reply
      .writeHead(200, { "content-type": openMetricsType, "cache-control": "no-store" })
      .end(body);
  } catch {
    refuse(500);
  }
}

function namesThisMachine(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

/** Compares in constant time. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));
}

function listenError({ port, host }: MetricsConfig, error: NodeJS.ErrnoException): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} is taken by another program: set METRICS_PORT to another number, a different one for each process.`,
      );
    case "EACCES":
      return new StartError(
        `Port ${port} needs rights that this user lacks: set METRICS_PORT to a number above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`METRICS_HOST is wrong: this machine has no address ${host}.`);
    default:
      return error;
  }
}
