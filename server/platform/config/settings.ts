import { isIP } from "node:net";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { findMarketPreset } from "#core/market/replay/presets.ts";

/** One environment variable: its syntax, its meaning and its default. */
export interface Setting<Value> {
  schema: z.ZodMiniType<Value>;
  /** One line, for `--help`. */
  about: string;
  /** Printed after "NAME is wrong: ". */
  form: string;
  fallback: Value;
  /** The default as shown in `--help`. */
  shown: string;
}

const setting = <Value>(value: Setting<Value>) => value;

/** Text that `read` can parse; `read` returns undefined for anything else. */
const textAs = <Value>(parse: (text: string) => Value | undefined) =>
  z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = parse(text.trim());
      if (value === undefined)
        context.issues.push({ code: "custom", message: "form", input: text });
      return value as Value;
    }),
  ) as unknown as z.ZodMiniType<Value>;

const text = (maximum: number) =>
  textAs((value) => (value.length > 0 && value.length <= maximum ? value : undefined));

const integer = (minimum: number, maximum: number) =>
  textAs((value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });

const url = (...protocols: string[]) =>
  textAs((value) => {
    if (!URL.canParse(value)) return undefined;
    return protocols.includes(new URL(value).protocol) ? new URL(value) : undefined;
  });

const databaseUrl = textAs((value) =>
  URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol) ? value : undefined,
);

const origin = textAs((value) => {
  if (!URL.canParse(value)) return undefined;
  const { protocol, pathname, search, hash, username } = new URL(value);
  if (!/^https?:$/.test(protocol) || pathname !== "/" || search || hash || username)
    return undefined;
  return new URL(value);
});

const host = textAs((value) =>
  isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252})$/i.test(value) ? value : undefined,
);

/** Addresses and CIDR ranges, separated by commas. */
const addresses = textAs((value) => {
  const items = value.split(",").map((item) => item.trim());
  const isRange = (item: string) => {
    const [address = "", bits, ...rest] = item.split("/");
    const width = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    if (width === 0 || rest.length > 0) return false;
    // A range of everything would let any client choose its own address.
    return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= width);
  };
  return items.every(isRange) ? items : undefined;
});

const contact = textAs((value) =>
  value.length <= 200 && (/^[^\s@]+@[^\s@]+$/.test(value) || /^https:\/\/\S+$/.test(value))
    ? value
    : undefined,
);

const dateTime = textAs((value) => {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(value)) return undefined;
  const atMs = Date.parse(value);
  if (Number.isNaN(atMs)) return undefined;
  // Date.parse rolls a day that its month lacks over into the next month.
  if (!new Date(atMs).toISOString().startsWith(value.slice(0, 10))) return undefined;
  // Four-digit years in which coins have traded or may trade; days and klines count from 1970.
  return atMs >= Date.UTC(2009, 0, 1) && atMs < Date.UTC(2100, 0, 1) ? atMs : undefined;
});

/** The parsed value of `MARKET`; see config.ts. */
type MarketSetting = { kind: "simulated" } | { kind: "live" } | { kind: "replay"; folder: string };

/** Where a preset is fetched to and replayed from. */
export const getPresetFolder = (name: string) => resolve("recordings", name);

const market = textAs((value): MarketSetting | undefined => {
  if (value === "simulated" || value === "live") return { kind: value };
  const preset = findMarketPreset(value);
  if (preset) return { kind: "replay", folder: getPresetFolder(preset.name) };
  const folder = /^replay:(.+)$/.exec(value)?.[1]?.trim();
  return folder ? { kind: "replay", folder: resolve(folder) } : undefined;
});

/** Three to eight different names of venues, as ccxt spells them. */
const venues = textAs((value) => {
  const items = value.split(",").map((item) => item.trim());
  const isNamed = items.every((item) => /^[a-z0-9]{2,30}$/.test(item));
  const isCounted = items.length >= 3 && items.length <= 8 && new Set(items).size === items.length;
  return isNamed && isCounted ? items : undefined;
});

/** The fake venues, which serve this machine alone. */
const fakeVenues = textAs((value) => {
  if (!URL.canParse(value)) return undefined;
  const { protocol, hostname, origin } = new URL(value);
  const isLoopback = /^(127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === "http:" && isLoopback ? origin : undefined;
});

/** Origins of relays, separated by commas. */
const relays = textAs((value) => {
  const items = value.split(",").map((item) => item.trim());
  const isOrigin = (item: string) =>
    URL.canParse(item) && /^https?:$/.test(new URL(item).protocol) && new URL(item).origin === item;
  return items.length <= 8 && items.every(isOrigin) ? items : undefined;
});

/** The value of `ASYNC_STANDBY`, which names the risk. */
export const asyncStandbyAccepted = "may-lose-what-was-confirmed";

const noDefault = null;
const optional = <Value>(schema: z.ZodMiniType<Value>) => schema as z.ZodMiniType<Value | null>;

/** Every setting, in the order of `--help`. */
export const settings = {
  PORT: setting({
    schema: integer(0, 65_535),
    about: "Port to listen on; 0 picks a free one.",
    form: "it is a number from 0 to 65535.",
    fallback: 8080,
    shown: "8080",
  }),
  HOST: setting({
    schema: host,
    about: "Address to listen on; 0.0.0.0 lets phones on your network in.",
    form: "it is an IP address or a host name, such as 127.0.0.1 or 0.0.0.0.",
    fallback: "127.0.0.1",
    shown: "127.0.0.1, this machine only",
  }),
  DRYDOCK_DATA: setting({
    schema: textAs((value) => (value ? resolve(value) : undefined)),
    about: "Directory that keeps the database and the log's key.",
    form: "it is a path.",
    fallback: resolve("data"),
    shown: "./data",
  }),
  DATABASE_URL: setting({
    schema: optional(databaseUrl),
    about: "PostgreSQL to use instead of the embedded one, as the application's role.",
    form: "it looks like postgres://user:password@host:5432/name.",
    fallback: noDefault,
    shown: "embedded",
  }),
  DATABASE_OWNER_URL: setting({
    schema: optional(databaseUrl),
    about: "The same database as another role, which owns the tables and runs the migrations.",
    form: "it looks like postgres://user:password@host:5432/name.",
    fallback: noDefault,
    shown: "embedded",
  }),
  WAL_ARCHIVE: setting({
    schema: optional(text(4096)),
    about:
      "Folder for the embedded database's write-ahead log since the last backup, to restore to any time.",
    form: "it is a path.",
    fallback: noDefault,
    shown: "none",
  }),
  WAL_ARCHIVE_GB: setting({
    schema: integer(1, 100_000),
    about: "Gigabytes of WAL_ARCHIVE at most; beyond that its oldest segments are removed.",
    form: "it is a whole number from 1 to 100000.",
    fallback: 20,
    shown: "20",
  }),
  ASYNC_STANDBY: setting({
    schema: textAs((value) => (value === asyncStandbyAccepted ? true : undefined)),
    about: `${asyncStandbyAccepted}: use a database with a standby that no commit waits for; if it takes over, confirmed orders are gone and the log has to begin a successor.`,
    form: `it is ${asyncStandbyAccepted}, or unset.`,
    fallback: false as boolean,
    shown: "unset, such a database is refused",
  }),
  WORLD: setting({
    schema: textAs((value) =>
      /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/.test(value) ? value : undefined,
    ),
    about: "Name of the world to serve; made when it does not exist.",
    form: "it is 1 to 32 lower-case letters, digits and hyphens, and starts with a letter.",
    fallback: "harbour",
    shown: "harbour",
  }),
  SLEEP_AFTER: setting({
    schema: integer(0, 10_080),
    about:
      "Minutes without anybody after which a world of the directory falls asleep; 0: none does.",
    form: "it is a number of minutes from 0 to 10080.",
    fallback: 15,
    shown: "15",
  }),
  WORLDS_AWAKE: setting({
    schema: integer(1, 60),
    about: "Worlds that may be awake at once, the main one included.",
    form: "it is a number from 1 to 60.",
    fallback: 60,
    shown: "60",
  }),
  WORLD_SPEED: setting({
    schema: optional(integer(1, 60)),
    about: "World seconds in a real second, 1 to 60; fixed when the world is made.",
    form: "it is a whole number from 1 to 60.",
    fallback: noDefault,
    shown: "as the world was made; 1 for a new one",
  }),
  WORLD_START: setting({
    schema: optional(dateTime),
    about: "World time at which a new world starts, in UTC.",
    form: "it is a date such as 2026-01-31 or a time such as 2026-01-31T09:00:00Z, in the years 2009 to 2099.",
    fallback: noDefault,
    shown: "as the world was made; for a new one now, or the first minute of its recording",
  }),
  WORLD_CLOCK: setting({
    schema: textAs((value) => (value === "running" || value === "driven" ? value : undefined)),
    about: "running, or driven over a local socket (worlds named test-… only).",
    form: "it is running or driven.",
    fallback: "running" as "running" | "driven",
    shown: "running",
  }),
  MARKET: setting({
    schema: optional(market),
    about:
      "Market source: simulated, live, or replay:<folder>, or preset:<name> (npm run recordings lists them); fixed when the world is made.",
    form: "it is simulated, live, or replay: and the folder of a recording, such as replay:../shared/data, or preset: and a name that npm run recordings lists.",
    fallback: noDefault as MarketSetting | null,
    shown: "as the world was made; simulated for a new one",
  }),
  LIVE_VENUES: setting({
    schema: optional(venues as z.ZodMiniType<readonly string[]>),
    about: "Venues of a live market, by their names in ccxt; fixed when the world is made.",
    form: "it is three to eight different names separated by commas, such as bitstamp,coinbase,kraken.",
    fallback: noDefault,
    shown: "as the world was made; bitstamp,coinbase,kraken for a new one",
  }),
  LIVE_FAKE_VENUES: setting({
    schema: optional(fakeVenues),
    about: "Address of fake venues, on this machine (worlds named test-… only).",
    form: "it is http:// and a loopback address with a port, such as http://127.0.0.1:9100.",
    fallback: noDefault,
    shown: "none",
  }),
  BEACON: setting({
    schema: optional(text(4096)),
    about:
      "Public random values for the seeds of a new simulated world (drand): quicknet, or a file; needs a network; fixed when the world is made.",
    form: "it is quicknet, or a file with the info of a drand network.",
    fallback: noDefault,
    shown: "as the world was made; none for a new one",
  }),
  BEACON_RELAYS: setting({
    schema: relays as z.ZodMiniType<readonly string[]>,
    about: "Where the values of BEACON are fetched.",
    form: "it is up to eight origins separated by commas, such as https://api.drand.sh.",
    fallback: ["https://api.drand.sh", "https://drand.cloudflare.com"] as readonly string[],
    shown: "https://api.drand.sh,https://drand.cloudflare.com",
  }),
  PUBLIC_URL: setting({
    schema: optional(origin),
    about: "Address that people open, when it is not the one listened on.",
    form: "it is an origin without a path, such as https://practice.example.org.",
    fallback: noDefault,
    shown: "none",
  }),
  WITNESS_POLICY: setting({
    schema: optional(text(4096)),
    about: "File that names the outside witnesses of the log (C2SP tlog-policy).",
    form: "it is a path.",
    fallback: noDefault,
    shown: "none",
  }),
  TRUST_PROXY: setting({
    schema: addresses as z.ZodMiniType<readonly string[]>,
    about: "Addresses of the proxies whose X-Forwarded-For and -Proto are believed.",
    form: "it is addresses or ranges separated by commas, such as 127.0.0.1,10.0.0.0/8.",
    fallback: [] as readonly string[],
    shown: "none",
  }),
  HSTS_SUBDOMAINS: setting({
    schema: textAs((value) => (value === "yes" || value === "no" ? value === "yes" : undefined)),
    about: "yes: browsers use https for every name below that of PUBLIC_URL too, for a year.",
    form: "it is yes or no.",
    fallback: false,
    shown: "no",
  }),
  SOCKET_URL: setting({
    schema: optional(url("ws:", "wss:")),
    about: "Address of the WebSocket stream, when it is on another host.",
    form: "it looks like wss://stream.example.org/ws.",
    fallback: noDefault,
    shown: "/ws on the same host",
  }),
  CHAT_LINK: setting({
    schema: optional(url("https:")),
    about: "Page that online support opens.",
    form: "it is an https address.",
    fallback: noDefault,
    shown: "none",
  }),
  OPERATOR_NAME: setting({
    schema: optional(text(120)),
    about: "Who runs this instance and is its data controller; required with a public PUBLIC_URL.",
    form: "it is 1 to 120 characters.",
    fallback: noDefault,
    shown: "none",
  }),
  OPERATOR_CONTACT: setting({
    schema: optional(contact),
    about: "How to reach them; required with a public PUBLIC_URL.",
    form: "it is an e-mail address or an https address.",
    fallback: noDefault,
    shown: "none",
  }),
  TLS_CERT: setting({
    schema: optional(text(4096)),
    about: "File with the certificate chain (PEM), to serve https.",
    form: "it is a path.",
    fallback: noDefault,
    shown: "none",
  }),
  TLS_KEY: setting({
    schema: optional(text(4096)),
    about: "File with the certificate's private key (PEM).",
    form: "it is a path.",
    fallback: noDefault,
    shown: "none",
  }),
  METRICS_PORT: setting({
    schema: optional(integer(0, 65_535)),
    about: "Port on which this process serves /metrics (OpenMetrics); 0 picks a free one.",
    form: "it is a number from 0 to 65535.",
    fallback: noDefault,
    shown: "none, no metrics",
  }),
  METRICS_HOST: setting({
    schema: host,
    about: "Address to serve /metrics on; another one than this machine's own needs METRICS_TOKEN.",
    form: "it is an IP address or a host name, such as 127.0.0.1 or 0.0.0.0.",
    fallback: "127.0.0.1",
    shown: "127.0.0.1, this machine only",
  }),
  METRICS_TOKEN: setting({
    schema: optional(textAs((value) => (/^[\w~+/.=-]{16,200}$/.test(value) ? value : undefined))),
    about: "Token that /metrics asks for (Authorization: Bearer <token>).",
    form: "it is 16 to 200 letters, digits and - . _ ~ + / =, such as openssl rand -hex 32 prints.",
    fallback: noDefault,
    shown: "none",
  }),
  LOG_LEVEL: setting({
    schema: textAs((value) =>
      ["debug", "info", "warn", "error", "silent"].includes(value) ? value : undefined,
    ),
    about: "Verbosity of the program's own log: debug, info, warn, error, silent.",
    form: "it is debug, info, warn, error or silent.",
    fallback: "info",
    shown: "info",
  }),
} as const;

export type SettingName = keyof typeof settings;
export type Settings = {
  [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};
