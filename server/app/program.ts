import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { openContext, type StopProgram } from "#server/app/context.ts";
import { createApp } from "#server/app/http.ts";
import { createWorld, type Services } from "#server/app/modules.ts";
import {
  type Recording,
  readRecording,
  requireStartInside,
} from "#server/market/replay/recording.ts";
import { type Config, isPrivateHost } from "#server/platform/config/config.ts";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { requireInstanceKey } from "#server/platform/crypto/instanceKey.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaOf } from "#server/platform/world.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";

export interface Program {
  /** The URL to open; null without the `web` service. */
  address: string | null;
  /** URLs for phones on the local network, when it listens there. */
  networkAddresses: string[];
  services: Services;
  /**
   * The one-time code that creates the first operator; null when there is one, or without the `web`
   * service.
   */
  firstCode: string | null;
  /** Stops everything in order: requests, loops, database. */
  stop(): Promise<void>;
  /** Resolves with a message when an essential part ends unexpectedly. */
  broken: Promise<string>;
}

/**
 * Starts one world: database, migrations, seed, market, jobs, web. When a part fails to start,
 * those before it are stopped again and a StartError says what to do. `web` returns the built
 * pages; it runs while the database starts.
 */
export async function startProgram(
  config: Config,
  web: () => Promise<string | null>,
): Promise<Program> {
  const stops: StopProgram[] = [];
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) await next();
  };
  try {
    return await start(config, web, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  config: Config,
  web: () => Promise<string | null>,
  stops: StopProgram[],
  stop: () => Promise<void>,
): Promise<Program> {
  const broken = Promise.withResolvers<string>();
  // Before anything is written: an unusable recording leaves no trace.
  const recording = await openRecording(config);
  const data = config.databaseUrl ? null : lockDataDirectory(config.dataDirectory);
  if (data) stops.push(() => data.release());
  if (config.services.includes("web")) await requireFreePort(config);
  const pages = config.services.includes("web") ? web() : Promise.resolve(null);
  pages.catch(() => {}); // awaited below
  const urls = await startDatabase(config, stops, broken.resolve);
  const schema = schemaOf(config.world);
  await migrate({
    ownerUrl: urls.owner,
    schema,
    appRole: decodeURIComponent(new URL(urls.app).username),
  });
  const { ctx, drivenSocket } = await openContext(config, urls, stops, recording);
  if (drivenSocket) stops.push(drivenSocket);
  const { fieldEncryption } = ctx;
  await requireInstanceKey({ ownerUrl: urls.owner, schema, fieldEncryption, config });
  const world = await createWorld(ctx, recording);
  const { services } = world;
  stops.push(() => world.stop());
  const isFeed = config.services.includes("feed");
  if (isFeed) await withPurpose("jobs", () => world.prepare());
  stops.push(() => ctx.jobs.stop());
  ctx.jobs.start(config.services);
  let address: string | null = null;
  let networkAddresses: string[] = [];
  let firstCode: string | null = null;
  if (config.services.includes("web")) {
    const app = await createApp(ctx, world, await pages);
    stops.push(() => app.close());
    await app.listen({ port: config.port, host: config.host }).catch((error) => {
      throw portError(config, error);
    });
    const { port } = app.server.address() as AddressInfo;
    address = addressOf(config, port);
    networkAddresses = networkAddressesOf(config, port);
    firstCode = await services.operator.firstCode();
  }
  return { address, networkAddresses, services, firstCode, stop, broken: broken.promise };
}

/**
 * Reads the configured recording in full and checks that the world's start lies inside it; null for
 * other markets.
 */
async function openRecording({ market, worldStartMs }: Config): Promise<Recording | null> {
  if (market?.kind !== "replay") return null;
  const recording = await readRecording(market.folder);
  if (worldStartMs !== null) requireStartInside(recording, worldStartMs);
  return recording;
}

async function startDatabase(
  config: Config,
  stops: StopProgram[],
  onBroken: (message: string) => void,
): Promise<{ owner: string; app: string }> {
  if (config.databaseUrl && config.databaseOwnerUrl) {
    const own = { owner: config.databaseOwnerUrl, app: config.databaseUrl };
    await requireExternalDatabase(own);
    return own;
  }
  const postgres = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory });
  let stopping = false;
  stops.push(() => {
    stopping = true;
    return postgres.stop();
  });
  void postgres.process.ended.then(() => {
    if (!stopping)
      onBroken(
        "PostgreSQL exited unexpectedly; see postgres/log in the data directory for the reason.",
      );
  });
  return { owner: postgres.ownerUrl, app: postgres.appUrl };
}

/** Checks the port before the slow start-up steps, so that the error appears at once. */
async function requireFreePort(config: Config): Promise<void> {
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

function addressOf(config: Config, port: number): string {
  if (config.publicUrl) return config.publicUrl.origin;
  const everywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = everywhere
    ? "localhost"
    : config.host.includes(":")
      ? `[${config.host}]`
      : config.host;
  return `${config.tls ? "https" : "http"}://${host}:${port}`;
}

function networkAddressesOf(config: Config, port: number): string[] {
  if (config.publicUrl || (config.host !== "0.0.0.0" && config.host !== "::")) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === "IPv4" && !internal && isPrivateHost(address),
    )
    .map(({ address }) => `${config.tls ? "https" : "http"}://${address}:${port}`);
}
