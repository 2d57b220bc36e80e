import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Locale } from "#core/locales.ts";
import { localeTags, matchLocale } from "#i18n/locales.ts";
import { getHostname, namedWorld, worldOrigin } from "#server/app/worldAddress.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { securityHeaders } from "#server/platform/http/headers.ts";
import { hostIsOurs } from "#server/platform/http/hosts.ts";
import type { Messages } from "#server/platform/http/language.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { normalCode, type WorldEntry } from "#server/platform/worlds/directory.ts";

interface Options {
  config: Pick<Config, "publicUrl" | "tls" | "sessionCookie">;
  realClock: RealClock;
  messages: Messages;
  /** The directory, as far as this process knows it. */
  entries: () => readonly WorldEntry[];
  /** The server of a world that is open here; null for the others, and for the main one. */
  serverOf: (world: string) => Server | null;
}

/** Its own path at the main address, where several worlds are. */
const path = "/worlds";

/** Wrong codes of one network: this many at once, then one in ten seconds. */
const wrongCodes = { perSecond: 0.1, burst: 20 };

/**
 * Finds the world that somebody means at an address with several: returns the server that answers a
 * request instead of the main world's, or null for that one. A request whose host names a world goes
 * to that world. Whoever comes without a name is asked for a code: which worlds there are is nobody
 * else's business.
 */
export function createWorldFinder(options: Options): (request: IncomingMessage) => Server | null {
  const { config, entries, serverOf } = options;
  const finder = createFinderServer(options);
  return (request) => {
    if (!entries().some(({ port }) => port !== null)) return null;
    const name = namedWorld(request, config);
    if (name !== null) {
      const entry = entries().find((one) => one.name === name);
      if (entry?.port === null) return null;
      return serverOf(name) ?? finder;
    }
    // The main world's server refuses what is for somebody else.
    const { host = "" } = request.headers;
    if (!hostIsOurs(host, config.publicUrl, request.socket.localAddress)) return null;
    return isForFinder(request, config) ? finder : null;
  };
}

/**
 * Returns true if nobody knows yet which world is meant: they come to the address itself, and are
 * new here.
 */
function isForFinder(
  { method, url = "", headers }: IncomingMessage,
  { sessionCookie }: Options["config"],
): boolean {
  const [asked] = url.split("?");
  if (asked === path) return true;
  const isSignedIn = headers.cookie?.includes(`${sessionCookie}=`) ?? false;
  return asked === "/" && (method === "GET" || method === "HEAD") && !isSignedIn;
}

/** Hands each request of `server` to the server that `choose` names, if it names one. */
export function putBefore(
  server: Server,
  choose: (request: IncomingMessage) => Server | null,
): void {
  for (const event of ["request", "upgrade"] as const) {
    const own = server.listeners(event);
    server.removeAllListeners(event);
    server.on(event, (request: IncomingMessage, ...rest: unknown[]) => {
      const chosen = choose(request);
      if (chosen) chosen.emit(event, request, ...rest);
      else for (const listener of own) Reflect.apply(listener, server, [request, ...rest]);
    });
  }
}

/** Never listens by itself. */
function createFinderServer(options: Options): Server {
  const limit = createRateLimit(wrongCodes, options.realClock);
  const server = createServer((request, reply) => {
    request.resume();
    answer(options, request, reply, (ip) => limit.take(toNetwork(ip)) === null);
  });
  server.on("upgrade", (_request, socket) => socket.destroy());
  return server;
}

type Outcome =
  | { what: "ask" | "wrong" | "too_many" | "no_such_name" }
  | { what: "archived"; world: string }
  | { what: "found"; world: string; origin: string };

const statusOf: Readonly<Record<Outcome["what"], number>> = {
  ask: 200,
  found: 200,
  archived: 410,
  wrong: 404,
  no_such_name: 404,
  too_many: 429,
};

function answer(
  options: Options,
  request: IncomingMessage,
  reply: ServerResponse,
  mayTryAgain: (ip: string) => boolean,
): void {
  const outcome = read(options, request, mayTryAgain);
  const language = getLanguage(request);
  const body = page(outcome, language, (key, values) =>
    options.messages.format(language, `world-finder.${key}`, values),
  );
  reply.writeHead(statusOf[outcome.what], {
    ...securityHeaders([]),
    "content-security-policy": policy,
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    vary: "accept-language",
    ...(outcome.what === "too_many" ? { "retry-after": "10" } : {}),
  });
  reply.end(request.method === "HEAD" ? undefined : body);
}

function read(
  { config, entries }: Options,
  request: IncomingMessage,
  mayTryAgain: (ip: string) => boolean,
): Outcome {
  const typed = URL.parse(request.url ?? "", "http://finder.invalid")?.searchParams.get("code");
  if (typed === null || typed === undefined)
    return { what: namedWorld(request, config) === null ? "ask" : "no_such_name" };
  const code = normalCode(typed);
  const entry = entries().find((one) => one.code === code);
  if (!entry)
    return { what: mayTryAgain(request.socket.remoteAddress ?? "") ? "wrong" : "too_many" };
  const { name: world, state } = entry;
  if (state === "archived") return { what: "archived", world };
  const { host } = request.headers;
  const origin =
    entry.port === null
      ? mainOrigin(config, host ?? "", namedWorld(request, config))
      : worldOrigin(config, entry, getHostname(host) ?? "localhost");
  return { what: "found", world, origin };
}

/** That of the main world, for somebody who came to `host`, which may begin with a world's name. */
function mainOrigin(
  { publicUrl, tls }: Options["config"],
  host: string,
  named: string | null,
): string {
  if (publicUrl) return publicUrl.origin;
  return `${tls ? "https" : "http"}://${named === null ? host : host.slice(named.length + 1)}`;
}

function getLanguage({ headers }: IncomingMessage): Locale {
  const wished = (headers["accept-language"] ?? "")
    .slice(0, 200)
    .split(",")
    .map((one) => one.split(";")[0]!.trim());
  return matchLocale(wished) ?? "en";
}

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;padding:1.5rem;display:grid;justify-content:center;background:Canvas;color:CanvasText}
main{width:min(26rem,100vw - 3rem);padding-top:10vh}
h1{font-size:1.5rem;line-height:1.25;text-wrap:balance;word-break:auto-phrase}
label{display:block;font-weight:600}
input,button,a.go{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;border-radius:.5rem}
input{padding:0 .75rem;border:1px solid GrayText;background:Field;color:FieldText;text-transform:uppercase}
button,a.go{display:grid;place-content:center;margin-top:.75rem;border:0;font-weight:600;text-decoration:none;background:#0b5c74;color:#fff}
p.error{color:light-dark(#a3160c,#ff9a90)}
a:focus-visible,input:focus-visible,button:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

/** Its own: it loads nothing, runs nothing and sends its one field to itself. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

type Say = (key: string, values?: Record<string, string>) => string;

function page(outcome: Outcome, language: Locale, plain: Say): string {
  const say: Say = (key, values) => escaped(plain(key, values));
  return `<!doctype html>
<html lang="${localeTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${say("title")} · Drydock</title>
<style>${style}</style>
</head>
<body><main>${outcome.what === "found" ? found(outcome, say) : form(outcome, say)}</main></body>
</html>
`;
}

function found({ world, origin }: { world: string; origin: string }, say: Say): string {
  const address = escaped(`${origin}/home`);
  return `<h1>${say("found")}</h1>
<p>${say("foundText")}</p>
<a class="go" href="${address}">${say("open", { world })}</a>`;
}

function form(outcome: Exclude<Outcome, { what: "found" }>, say: Say): string {
  const errors = {
    ask: null,
    wrong: "wrong",
    too_many: "tooMany",
    no_such_name: "noSuchName",
    archived: "archived",
  } as const;
  const error = errors[outcome.what];
  const values = outcome.what === "archived" ? { world: outcome.world } : undefined;
  const described = error === null ? "" : ' aria-invalid="true" aria-describedby="error"';
  return `<h1>${say("title")}</h1>
<p>${say("text")}</p>
<form action="${path}" method="get">
${error === null ? "" : `<p class="error" id="error" role="alert">${say(error, values)}</p>`}
<label for="code">${say("code")}</label>
<input id="code" name="code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false"${described}>
<button>${say("find")}</button>
</form>
${outcome.what === "no_such_name" ? "" : `<p><a href="/home">${say("without")}</a></p>`}`;
}

function escaped(text: string): string {
  const of: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (letter) => of[letter]!);
}
