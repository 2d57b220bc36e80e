import { randomUUID } from "node:crypto";
import { constants as zlib } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import fastify, { type FastifyRequest } from "fastify";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App, HttpPlatform } from "#server/platform/http/context.ts";
import { sendApiError, toApiError } from "#server/platform/http/errors.ts";
import { setSecurityHeaders } from "#server/platform/http/headers.ts";
import { hostIsOurs, originIsOurs } from "#server/platform/http/hosts.ts";
import { readLanguage } from "#server/platform/http/language.ts";
import { type Pages, servePages } from "#server/platform/http/pages.ts";
import { createRateLimit } from "#server/platform/http/rateLimit.ts";
import { type SessionResolver, sessionCookie } from "#server/platform/http/session.ts";

/** Largest body of a call that is not an upload. */
const bodyLimit = 64 * 1024;

/**
 * How long a whole request may take to arrive; Fastify's default lets a body trickle in for ever.
 * Six megabytes from a slow phone (300 kbit/s) take nearly three minutes.
 */
const requestTimeoutMs = 180_000;

/**
 * The web server without routes: bodies, cookies, languages, sessions, limits, headers and errors.
 * Domains mount their calls on it with `route`. `pages` is the built web app, if it is served.
 */
export async function createHttpApp(
  ctx: Pick<AppContext, "config" | "realClock" | "logger" | "messages">,
  resolveSession: SessionResolver,
  pages: Pages | null = null,
): Promise<App> {
  const { config, logger } = ctx;
  const app = fastify({
    ...(config.tls ? { https: config.tls } : {}),
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    // Only a proxy on this machine or its private network may set the client address.
    trustProxy: config.publicUrl ? ["loopback", "uniquelocal"] : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // A malformed URL never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      request.language = readLanguage(request.headers.language);
      setSecurityHeaders(request, reply, config, false);
      void sendApiError(platform, request, reply, toApiError(error, request.id));
    },
  }) as unknown as App;
  const platform: HttpPlatform = {
    ctx,
    messages: ctx.messages,
    resolveSession,
    operators: null,
    sessionLimit: createRateLimit({ perSecond: 30, burst: 30 }, ctx.realClock),
    // A class that opens the page together shares one address.
    addressLimit: createRateLimit({ perSecond: 30, burst: 120 }, ctx.realClock),
  };
  app.decorate("platform", platform);
  app.decorateRequest("language", "en");
  app.decorateRequest("session", undefined);
  await app.register(cookie);
  await app.register(formbody, { bodyLimit });
  await app.register(compress, {
    threshold: 1024,
    encodings: ["br", "gzip"],
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  });
  acceptEmptyJson(app);
  addHooks(app);
  app.setErrorHandler((error: Error, request, reply) => {
    const apiError = toApiError(error, request.id);
    if (apiError.error.startsWith("server.")) {
      logger.error(
        { err: error, requestId: request.id, route: request.routeOptions.url },
        "request failed",
      );
    }
    return sendApiError(platform, request, reply, apiError);
  });
  if (pages !== null) await servePages(app, pages);
  else {
    app.setNotFoundHandler((request, reply) =>
      sendApiError(platform, request, reply, new ApiError("request.not_found")),
    );
  }
  return app;
}

/** A POST without parameters may have the JSON content type and no body. */
function acceptEmptyJson(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") return done(null, {});
    return parse(request, body as string, done);
  });
}

function addHooks(app: App): void {
  const { ctx, resolveSession, sessionLimit, addressLimit } = app.platform;
  const { config, logger } = ctx;
  app.addHook("onRequest", async (request, reply) => {
    request.language = readLanguage(request.headers.language);
    const ours = hostIsOurs(request.host, config.publicUrl, request.socket.localAddress);
    setSecurityHeaders(request, reply, config, ours);
    if (!ours) throw new ApiError("request.wrong_host");
    const called = calledPath(request);
    if (called === null) return;
    void reply.header("cache-control", "no-store");
    const reads = request.method === "GET" || request.method === "HEAD";
    // An operator's reads are recorded in the audit and in people's records: a link on another site
    // must not be able to trigger that.
    if (!reads || called.startsWith("/api/operator/")) requireSameOrigin(request, config.publicUrl);
    const token = tokenOf(request);
    request.session = token ? await resolveSession(token) : null;
    const waitSeconds = request.session
      ? sessionLimit.take(request.session.sessionId)
      : addressLimit.take(request.ip);
    if (waitSeconds !== null)
      throw new ApiError("request.too_many", { retry_after_seconds: waitSeconds });
  });
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, not the URL: a query may contain personal data.
    const route = request.routeOptions.url ?? "unknown";
    const entry = {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500) logger.warn(entry, "request");
    else logger.debug(entry, "request");
  });
}

/**
 * The path of the call that is requested; null if it is not a call. The router decodes a URL before
 * matching it, so an encoded one (`/%61pi/…`) reaches a call as well: the matched route decides,
 * and if none matched, the decoded URL.
 */
function calledPath({ routeOptions, url }: FastifyRequest): string | null {
  const matched = routeOptions.url ?? "";
  if (matched.startsWith("/api/")) return matched;
  const path = decodedPath(url);
  return path.startsWith("/api/") ? path : null;
}

function decodedPath(url: string): string {
  const path = url.split("?")[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The token from a browser's cookie, or from the header that other clients send; null without one.
 */
export function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.token;
  if (typeof header === "string" && header !== "") return header.slice(0, 200);
  return request.cookies[sessionCookie]?.slice(0, 200) ?? null;
}

/** Throws `request.wrong_host` if the request was sent by a page that is not ours. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: URL | null): void {
  const fetchSite = request.headers["sec-fetch-site"];
  const ours = originIsOurs(
    {
      host: request.host,
      origin: request.headers.origin,
      fetchSite: typeof fetchSite === "string" ? fetchSite : undefined,
    },
    publicUrl,
  );
  if (!ours) throw new ApiError("request.wrong_host");
}
