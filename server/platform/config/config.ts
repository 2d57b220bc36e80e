import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type BeaconChain, readBeacon } from "#server/platform/config/beacon.ts";
import { type SettingName, type Settings, settings } from "#server/platform/config/settings.ts";
import { isLoopbackAddress, unmapAddress } from "#server/platform/http/limits/network.ts";
import { sessionCookieName } from "#server/platform/http/session.ts";
import { StartError } from "#server/platform/startError.ts";

export const serviceNames = ["web", "feed", "worker"] as const;
/** `web` answers requests, `feed` runs the market, `worker` runs jobs and settlement. */
export type ServiceName = (typeof serviceNames)[number];

/** The source of prices. `folder` is absolute. */
type MarketChoice = { kind: "simulated" } | { kind: "live" } | { kind: "replay"; folder: string };

/** The configuration of this process, read once at startup. Nothing else reads the environment. */
export interface Config {
  port: number;
  host: string;
  dataDirectory: string;
  /** Null: use the embedded PostgreSQL. */
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  /** Where the embedded database's write-ahead log is kept, and how much of it; null: nowhere. */
  walArchive: { folder: string; maxBytes: number } | null;
  /** True if a standby that no commit waits for is accepted, with the possible loss of commits. */
  asyncStandby: boolean;
  /** Name of the world; null settings default to how the world was created. */
  world: string;
  /** True if the worlds of the directory are served besides it: no setting names one alone. */
  servesDirectory: boolean;
  /** Real time without a visitor after which a world of the directory falls asleep; null: never. */
  sleepAfterMs: number | null;
  /** Maximum number of worlds awake at the same time, including the main one. */
  awakeMax: number;
  worldSpeed: number | null;
  worldStartMs: number | null;
  worldClock: "running" | "driven";
  market: MarketChoice | null;
  /** ccxt's names of a live market's venues; null: as the world was made, or the default three. */
  liveVenues: readonly string[] | null;
  /** Where fake venues listen, on this machine; null: the venues themselves. */
  liveFakeVenues: string | null;
  /** The public beacon of a new simulated world; null: as the world was made, or none. */
  beacon: BeaconChain | null;
  /** Where its rounds are fetched. */
  beaconRelays: readonly string[];
  /** An origin; null: the address listened on. */
  publicUrl: URL | null;
  /** Name of the cookie with a session's token. */
  sessionCookie: string;
  /** File that names the log's outside witnesses; null: none. */
  witnessPolicy: string | null;
  /** Addresses and CIDR ranges of proxies. */
  trustProxy: readonly string[];
  hstsSubdomains: boolean;
  socketUrl: URL | null;
  chatLink: string | null;
  operator: { name: string | null; contact: string | null };
  tls: { cert: string; key: string } | null;
  /** Where metrics are served; null: nowhere. */
  metrics: { port: number; host: string; token: string | null } | null;
  logLevel: string;
  services: readonly ServiceName[];
}

/**
 * Reads the settings from environment variables and `--services=…` from the arguments. An empty
 * variable counts as unset. Throws a StartError that names the setting and its expected form.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): Config {
  const settings = readSettings(env);
  const config: Config = {
    port: settings.PORT,
    host: settings.HOST,
    dataDirectory: settings.DRYDOCK_DATA,
    databaseUrl: settings.DATABASE_URL,
    databaseOwnerUrl: settings.DATABASE_OWNER_URL,
    walArchive:
      settings.WAL_ARCHIVE === null
        ? null
        : { folder: settings.WAL_ARCHIVE, maxBytes: settings.WAL_ARCHIVE_GB * 1e9 },
    asyncStandby: settings.ASYNC_STANDBY,
    world: settings.WORLD,
    sleepAfterMs: settings.SLEEP_AFTER === 0 ? null : settings.SLEEP_AFTER * 60_000,
    awakeMax: settings.WORLDS_AWAKE,
    servesDirectory: (env.WORLD ?? "").trim() === "",
    worldSpeed: settings.WORLD_SPEED,
    worldStartMs: settings.WORLD_START,
    worldClock: settings.WORLD_CLOCK,
    market: settings.MARKET,
    liveVenues: settings.LIVE_VENUES,
    liveFakeVenues: settings.LIVE_FAKE_VENUES,
    beacon: readBeacon(settings.BEACON),
    beaconRelays: settings.BEACON_RELAYS,
    publicUrl: settings.PUBLIC_URL,
    sessionCookie: sessionCookieName(null),
    witnessPolicy: settings.WITNESS_POLICY,
    trustProxy: settings.TRUST_PROXY,
    hstsSubdomains: settings.HSTS_SUBDOMAINS,
    socketUrl: settings.SOCKET_URL,
    chatLink: settings.CHAT_LINK?.href ?? null,
    operator: { name: settings.OPERATOR_NAME, contact: settings.OPERATOR_CONTACT },
    tls: readTls(settings.TLS_CERT, settings.TLS_KEY),
    metrics:
      settings.METRICS_PORT === null
        ? null
        : {
            port: settings.METRICS_PORT,
            host: settings.METRICS_HOST,
            token: settings.METRICS_TOKEN,
          },
    logLevel: settings.LOG_LEVEL,
    services: readServices(args),
  };
  requireCompatible(config);
  return config;
}

function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, { schema, form, fallback }] of Object.entries(settings)) {
    const text = env[name];
    if (text === undefined || text.trim() === "") {
      values[name as SettingName] = fallback;
      continue;
    }
    const result = schema.safeParse(text);
    if (!result.success) throw new StartError(`${name} is wrong: ${form}`);
    values[name as SettingName] = result.data;
  }
  return values as Settings;
}

function readServices(args: readonly string[]): ServiceName[] {
  let services: readonly string[] = serviceNames;
  for (const arg of args) {
    const list = /^--services=(.*)$/.exec(arg)?.[1];
    if (list === undefined)
      throw new StartError(`${arg} is not an option; npm start -- --help lists the options.`);
    services = list.split(",");
  }
  const requestedServices = serviceNames.filter((name) => services.includes(name));
  if (requestedServices.length !== new Set(services).size) {
    throw new StartError(
      `--services is wrong: it is a comma-separated list of ${serviceNames.join(", ")}.`,
    );
  }
  return requestedServices;
}

function readTls(cert: string | null, key: string | null): Config["tls"] {
  if (!cert && !key) return null;
  if (!cert || !key) throw new StartError("TLS_CERT and TLS_KEY go together: set both or neither.");
  const readPem = (name: string, path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      throw new StartError(`${name} is wrong: the file ${path} cannot be read.`);
    }
  };
  const pair = { cert: readPem("TLS_CERT", cert), key: readPem("TLS_KEY", key) };
  requireMatchingPair(pair, cert, key);
  return pair;
}

/**
 * Checked before anything is written or started: otherwise the web server would be the last to find
 * out, with an OpenSSL error.
 */
function requireMatchingPair(
  pair: { cert: string; key: string },
  certPath: string,
  keyPath: string,
) {
  const readAs = <Value>(
    name: string,
    description: string,
    path: string,
    parse: () => Value,
  ): Value => {
    try {
      return parse();
    } catch {
      throw new StartError(`${name} is wrong: the file ${path} contains no ${description} (PEM).`);
    }
  };
  const certificate = readAs(
    "TLS_CERT",
    "certificate",
    certPath,
    () => new X509Certificate(pair.cert),
  );
  const privateKey = readAs("TLS_KEY", "private key without a passphrase", keyPath, () =>
    createPrivateKey(pair.key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartError(
      `TLS_KEY is wrong: the private key in ${keyPath} is not that of the certificate in ${certPath}.`,
    );
  }
}

/**
 * Passwords and personal data on the way to another machine: only where TLS names that machine
 * (`sslmode=verify-full`). A socket and this machine's own addresses need none.
 */
function requireEncryptedDatabase(name: string, address: string | null): void {
  if (address === null) return;
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const isLocal =
    host === "" || host.startsWith("/") || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
  if (isLocal || searchParams.get("sslmode") === "verify-full") return;
  throw new StartError(
    `${name} names another machine (${host}) without sslmode=verify-full: passwords and what people wrote would be readable on the way. Add ?sslmode=verify-full, and sslrootcert=<file> if the server's certificate is from an authority of your own.`,
  );
}

/** The metrics are not personal, but still not for the public. */
function requireMetricsToken({ metrics }: Config): void {
  if (metrics === null || metrics.token !== null) return;
  if (metrics.host === "localhost" || isLoopbackAddress(metrics.host)) return;
  throw new StartError(
    `METRICS_HOST (${metrics.host}) is an address that others reach: set METRICS_TOKEN to a secret that whoever reads the metrics has to send.`,
  );
}

function requireCompatible(config: Config): void {
  requireMetricsToken(config);
  if (config.walArchive !== null && config.databaseUrl !== null) {
    throw new StartError(
      "WAL_ARCHIVE is for the embedded database: archive the log of your own server with its own tools (archive_command, pgBackRest).",
    );
  }
  if ((config.databaseUrl === null) !== (config.databaseOwnerUrl === null)) {
    throw new StartError(
      "DATABASE_URL and DATABASE_OWNER_URL go together: the role of the first must not own the tables, so that it cannot change history.",
    );
  }
  if (config.databaseUrl && config.databaseOwnerUrl) {
    if (new URL(config.databaseUrl).username === new URL(config.databaseOwnerUrl).username) {
      throw new StartError(
        "DATABASE_URL and DATABASE_OWNER_URL name the same role: give the application a role of its own, so that it cannot change history.",
      );
    }
  }
  requireEncryptedDatabase("DATABASE_URL", config.databaseUrl);
  requireEncryptedDatabase("DATABASE_OWNER_URL", config.databaseOwnerUrl);
  if (config.worldClock === "driven" && !config.world.startsWith("test-")) {
    throw new StartError("WORLD_CLOCK=driven is for worlds whose name starts with test- only.");
  }
  requireLiveSettings(config);
  if (config.beacon && config.market && config.market.kind !== "simulated")
    throw new StartError("BEACON is for simulated markets: the others have no seeds.");
  if (config.beacon && config.worldClock === "driven")
    throw new StartError(
      "BEACON needs a running clock: rounds are published in real time, and a driven world has none.",
    );
  if (config.publicUrl && !isPrivateHost(config.publicUrl.hostname)) {
    if (config.publicUrl.protocol !== "https:") {
      throw new StartError(
        "PUBLIC_URL is public, so it must begin with https: set TLS_CERT and TLS_KEY, or let a proxy speak https. Everybody on the way could read sessions otherwise.",
      );
    }
    if (!config.operator.name || !config.operator.contact) {
      throw new StartError(
        "PUBLIC_URL is public, so OPERATOR_NAME and OPERATOR_CONTACT must say who runs this instance and how to reach them.",
      );
    }
  }
}

/**
 * Checks that a live world has neither a speed nor a start time, because real prices arrive in real
 * time.
 */
function requireLiveSettings(config: Config): void {
  const { market, worldSpeed, worldStartMs, worldClock, liveFakeVenues, world } = config;
  if (liveFakeVenues !== null && !world.startsWith("test-")) {
    throw new StartError("LIVE_FAKE_VENUES is for worlds whose name starts with test- only.");
  }
  if (market?.kind !== "live") return;
  if (worldSpeed !== null && worldSpeed !== 1) {
    throw new StartError("WORLD_SPEED is wrong: a live market runs at speed 1.");
  }
  if (worldStartMs !== null) {
    throw new StartError("WORLD_START is wrong: a live market starts now.");
  }
  if (worldClock === "driven") {
    throw new StartError("WORLD_CLOCK=driven is not for a live market, whose time is real.");
  }
}

/** Returns true if a host name is reachable only from this machine or a local network. */
export function isPrivateHost(hostname: string): boolean {
  const host = unmapAddress(hostname.replace(/^\[|\]$/g, "").toLowerCase());
  if (isIP(host) === 4) {
    return /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host);
  }
  if (isIP(host) === 6) return /^(::1$|f[cd]|fe[89ab])/.test(host);
  return (
    host === "localhost" ||
    !host.includes(".") ||
    /\.(local|localhost|lan|home\.arpa|internal|test)$/.test(host)
  );
}

/** The output of `npm start -- --help`. */
export function formatHelp(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).map(
    ([name, { about, shown }]) =>
      `  ${name.padEnd(width)}  ${about}\n  ${" ".repeat(width)}  (default: ${shown})`,
  );
  return [
    "Drydock: a practice platform for crypto products. No real money, ever.",
    "",
    "  npm start                                  starts everything",
    `  npm start -- --services=${serviceNames.join(",")}    starts some services; several processes can share one database`,
    "  npm start -- --help                        shows this",
    "",
    "Settings are environment variables:",
    "",
    ...lines,
    "",
  ].join("\n");
}
