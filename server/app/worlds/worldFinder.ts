import type { IncomingMessage, Server } from "node:http";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import type { Locale } from "#core/locales.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { securityHeaders } from "#server/platform/http/headers.ts";
import { isOwnHost } from "#server/platform/http/hosts.ts";
import { getBrowserLanguage, type Messages } from "#server/platform/http/language.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { normaliseCode, type WorldEntry } from "#server/platform/worlds/directory.ts";
import { escapeHtml, plainPageHeaders, renderPlainPage } from "./plainPage.ts";
import { getHostname, getNamedWorld, getWorldOrigin } from "./worldAddress.ts";

interface Options {
  config: Pick<Config, "publicUrl" | "tls" | "sessionCookie" | "trustProxy">;
  realClock: RealClock;
  messages: Messages;
  /** The directory as this process last read it. */
  entries: () => readonly WorldEntry[];
  /** The server of a world that is open here; null for the others, and for the main one. */
  serverOf: (world: string) => Server | null;
}

/** The finder's path at the main address, if there are several worlds. */
const path = "/worlds";

/** Wrong codes per network: a burst of this many, then one every ten seconds. */
const wrongCodes = { perSecond: 0.1, burst: 20 };

/**
 * Routes requests at an address with several worlds: returns the server that answers a request, or
 * null for the main world's. A request whose host names a world goes to that world. Other visitors
 * are asked for a code, so that the list of worlds stays private.
 */
export async function createWorldFinder(
  options: Options,
): Promise<(request: IncomingMessage) => Server | null> {
  const { config, entries, serverOf } = options;
  const finder = await createFinderServer(options);
  return (request) => {
    if (!entries().some(({ port }) => port !== null)) return null;
    const name = getNamedWorld(request, config);
    if (name !== null) {
      const entry = entries().find((worldEntry) => worldEntry.name === name);
      if (entry?.port === null) return null;
      return serverOf(name) ?? finder;
    }
    // The main world's server refuses requests for other hosts.
    const { host = "" } = request.headers;
    if (!isOwnHost(host, config.publicUrl, request.socket.localAddress)) return null;
    return isForFinder(request, config) ? finder : null;
  };
}

/**
 * Returns true if the world is unknown: it is for the main address, from a visitor without a
 * session.
 */
function isForFinder(
  { method, url = "", headers }: IncomingMessage,
  { sessionCookie }: Options["config"],
): boolean {
  const [requestPath] = url.split("?");
  if (requestPath === path) return true;
  const isSignedIn = headers.cookie?.includes(`${sessionCookie}=`) ?? false;
  return requestPath === "/" && (method === "GET" || method === "HEAD") && !isSignedIn;
}

/** Hands each request of `server` to the server that `choose` names, if it names one. */
export function interceptRequests(
  server: Server,
  choose: (request: IncomingMessage) => Server | null,
): void {
  for (const event of ["request", "upgrade"] as const) {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    server.on(event, (request: IncomingMessage, ...rest: unknown[]) => {
      const target = choose(request);
      if (target) target.emit(event, request, ...rest);
      else for (const listener of listeners) Reflect.apply(listener, server, [request, ...rest]);
    });
  }
}

/**
 * Never listens itself. It is a Fastify app like a world's, so that both identify the client by one
 * rule: the peer, or the client that a proxy in TRUST_PROXY names.
 */
async function createFinderServer(options: Options): Promise<Server> {
  const limit = createRateLimit(wrongCodes, options.realClock);
  const app = fastify({ trustProxy: [...options.config.trustProxy] });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, callback) => {
    body.resume();
    callback(null);
  });
  app.all("/*", (request, reply) => {
    answer(options, request, reply, (ip) => limit.take(toNetwork(ip)) === null);
  });
  await app.ready();
  app.server.on("upgrade", (_request, socket) => socket.destroy());
  return app.server;
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
  request: FastifyRequest,
  reply: FastifyReply,
  mayTryAgain: (ip: string) => boolean,
): void {
  const outcome = read(options, request, mayTryAgain);
  const language = getBrowserLanguage(request.raw.headers);
  const body = page(outcome, language, (key, values) =>
    options.messages.format(language, `world-finder.${key}`, values),
  );
  void reply
    .code(statusOf[outcome.what])
    .headers({
      ...securityHeaders([]),
      ...plainPageHeaders,
      ...(outcome.what === "too_many" ? { "retry-after": "10" } : {}),
    })
    .send(body);
}

function read(
  { config, entries }: Options,
  { raw: request, ip }: FastifyRequest,
  mayTryAgain: (ip: string) => boolean,
): Outcome {
  const searchParam = URL.parse(request.url ?? "", "http://finder.invalid")?.searchParams.get(
    "code",
  );
  if (searchParam === null || searchParam === undefined)
    return { what: getNamedWorld(request, config) === null ? "ask" : "no_such_name" };
  const code = normaliseCode(searchParam);
  const entry = entries().find((worldEntry) => worldEntry.code === code);
  if (!entry) return { what: mayTryAgain(ip) ? "wrong" : "too_many" };
  const { name: world, state } = entry;
  if (state === "archived") return { what: "archived", world };
  const { host } = request.headers;
  const origin =
    entry.port === null
      ? mainOrigin(config, host ?? "", getNamedWorld(request, config))
      : getWorldOrigin(config, entry, getHostname(host) ?? "localhost");
  return { what: "found", world, origin };
}

/** The main world's origin for a visitor of `host`, which may begin with a world's name. */
function mainOrigin(
  { publicUrl, tls }: Options["config"],
  host: string,
  mainUrl: string | null,
): string {
  if (publicUrl) return publicUrl.origin;
  return `${tls ? "https" : "http"}://${mainUrl === null ? host : host.slice(mainUrl.length + 1)}`;
}

type Say = (key: string, values?: Record<string, string>) => string;

function page(outcome: Outcome, language: Locale, plain: Say): string {
  const say: Say = (key, values) => escapeHtml(plain(key, values));
  const body = outcome.what === "found" ? found(outcome, say) : form(outcome, say);
  return renderPlainPage({ language, title: say("title"), body });
}

function found({ world, origin }: { world: string; origin: string }, say: Say): string {
  const address = escapeHtml(`${origin}/home`);
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
