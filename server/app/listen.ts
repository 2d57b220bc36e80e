import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { type Config, isPrivateHost } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { readSocketsMax } from "#server/platform/http/limits/socketsMax.ts";
import { StartError } from "#server/platform/startError.ts";

/**
 * Connections that may wait to be accepted, such as those of a whole class after a restart. With
 * Node's default of 511 the system would drop further ones, and clients would retry a second later.
 * Linux caps it at its somaxconn.
 */
const backlog = 4_096;

/** Starts a plain Node server at the configured address. */
export async function listenHttp(server: Server, config: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portError(config, error)));
    server.listen({ port: config.port, host: config.host, backlog }, resolve);
  });
}

/** Starts an app at the configured address; returns its port. */
export async function listenAtPort(app: App, config: Config): Promise<number> {
  const connectionsMax = readSocketsMax();
  if (connectionsMax !== null) app.server.maxConnections = connectionsMax;
  await app.listen({ port: config.port, host: config.host, backlog }).catch((error) => {
    throw portError(config, error);
  });
  return (app.server.address() as AddressInfo).port;
}

/** Checks the port before the slow start-up steps, so that the error appears immediately. */
export async function requireFreePort(config: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(portError(config, error)));
    probe.listen({ port: config.port, host: config.host }, () => probe.close(() => resolve()));
  });
}

function portError({ port, host }: Config, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} is taken by another program: stop that one, or set PORT to another number.`,
      );
    case "EACCES":
      return new StartError(
        `Port ${port} needs rights that this user lacks: set PORT to a number above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`HOST is wrong: this machine has no address ${host}.`);
    default:
      return error;
  }
}

/** The URL to open. */
export function getAddress(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl.origin;
  const listensEverywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = listensEverywhere
    ? "localhost"
    : config.host.includes(":")
      ? `[${config.host}]`
      : config.host;
  return `${config.tls ? "https" : "http"}://${host}:${port}`;
}

/** URLs for phones on the local network, when it listens there. */
export function listNetworkAddresses(config: Config, port: number): string[] {
  if (config.publicUrl || (config.host !== "0.0.0.0" && config.host !== "::")) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === "IPv4" && !internal && isPrivateHost(address),
    )
    .map(({ address }) => `${config.tls ? "https" : "http"}://${address}:${port}`);
}
