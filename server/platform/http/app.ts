import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { constants as zlib } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import fastify, { type FastifyRequest } from "fastify";
import { ApiError } from "#server/platform/apiError.ts";
import { type Config, isPrivateHost } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App, HttpPlatform } from "#server/platform/http/context.ts";
import { sendApiError, toApiError } from "#server/platform/http/errors.ts";
import { setSecurityHeaders } from "#server/platform/http/headers.ts";
import { getHost, isOwnHost, isOwnOrigin } from "#server/platform/http/hosts.ts";
import { getRequestLanguage } from "#server/platform/http/language.ts";
import {
  admissionLimits,
  createAdmission,
  type ReleaseAdmission,
} from "#server/platform/http/limits/admission.ts";
import { isLoopbackAddress, toNetwork } from "#server/platform/http/limits/network.ts";
import { recordRefusal } from "#server/platform/http/limits/refusalEvents.ts";
import { createRequestLimits } from "#server/platform/http/limits/requestLimits.ts";
import { timeLimits } from "#server/platform/http/limits/timeLimits.ts";
import { type Pages, servePages } from "#server/platform/http/pages.ts";
import { isServicePath } from "#server/platform/http/paths.ts";
import type { SessionResolver } from "#server/platform/http/session.ts";
import { answerUnreadable } from "#server/platform/http/unreadable.ts";

/** Largest body of a call that is not an upload. */
const bodyLimit = 64 * 1024;

/**
 * How long a whole request may take to arrive; Fastify's default lets a body trickle in forever.
 * Six megabytes from a slow phone (300 kbit/s) take nearly three minutes.
 */
const requestTimeoutMs = 180_000;

/** Forward secrecy and authenticated encryption only: what browsers of the last ten years offer. */
export const tlsOptions = {
  minVersion: "TLSv1.2",
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
} as const;

/**
 * The web server without routes: bodies, cookies, languages, sessions, limits, headers and errors.
 * Domains mount their calls on it with `route`. `pages` is the built web app, if it is served.
 */
export async function createHttpApp(
  ctx: Pick<
    AppContext,
    "config" | "realClock" | "logger" | "securityLog" | "messages" | "networkLimits"
  >,
  resolveSession: SessionResolver,
  pages: Pages | null = null,
): Promise<App> {
  const { config, logger } = ctx;
  const app = fastify({
    ...(config.tls ? { https: { ...config.tls, ...tlsOptions } } : {}),
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: timeLimits.call,
    trustProxy: [...config.trustProxy],
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket as Socket, { config, messages: ctx.messages }),
    // A malformed URL never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      request.language = getRequestLanguage(request.headers);
      setSecurityHeaders(request, reply, config, isForUs(request, config));
      void sendApiError(platform, request, reply, toApiError(error, request.id));
    },
  }) as unknown as App;
  const platform: HttpPlatform = {
    ctx,
    messages: ctx.messages,
    limits: createRequestLimits(resolveSession, ctx.realClock, ctx.networkLimits),
    operators: null,
    acknowledger: null,
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
    recordRefusal(ctx.securityLog, request, apiError);
    // A refusal on purpose needs no stack: a flood gets thousands of them.
    if (!(error instanceof ApiError) && apiError.error.startsWith("server.")) {
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
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, callback) => {
    if (body === "") return callback(null, {});
    return parse(request, body as string, callback);
  });
}

function addHooks(app: App): void {
  const { ctx, limits } = app.platform;
  const { config, logger } = ctx;
  const admission = createAdmission();
  const places = new WeakMap<FastifyRequest, ReleaseAdmission>();
  /** Requests that got no place: they are counted in the security log, and not written one by one. */
  const turnedAway = new WeakSet<FastifyRequest>();
  const enter = async (request: FastifyRequest) => {
    const leave = await admission.enter(toNetwork(request.ip), () => request.raw.destroyed);
    if (!leave) {
      turnedAway.add(request);
      throw new ApiError("server.unavailable", {
        limit: "admission",
        retry_after_seconds: admissionLimits.waitMs / 1_000,
      });
    }
    // A socket stays open for hours after its upgrade.
    if (request.headers.upgrade === undefined) places.set(request, leave);
    else leave();
  };
  app.addHook("onRequest", async (request, reply) => {
    request.language = getRequestLanguage(request.headers);
    const isOurs = isForUs(request, config);
    setSecurityHeaders(request, reply, config, isOurs);
    warnOfUnknownProxy(app, request);
    const path = requestedPath(request);
    // Before anything is looked up.
    if (!isOwnHealthCheck(request, path)) {
      limits.admit(request.ip, isServicePath(path));
      await enter(request);
    }
    if (!isOurs) throw new ApiError("request.wrong_host");
    if (!path.startsWith("/api/")) return;
    void reply.header("cache-control", "no-store");
    const isRead = request.method === "GET" || request.method === "HEAD";
    // An operator's reads are recorded in the audit and in people's records: a link on another site
    // must not be able to trigger that.
    if (!isRead || path.startsWith("/api/operator/")) requireSameOrigin(request, config.publicUrl);
    const token = getToken(request);
    request.session = token === null ? null : await limits.sessionOf(token, request.ip);
    if (request.session) limits.admitPerson(request.session.userId);
  });
  app.addHook("onResponse", async (request, reply) => {
    places.get(request)?.();
    // Node hands over the socket of an upgrade. Refused before the stream saw it, no handler would
    // ever close it.
    if (request.headers.upgrade !== undefined && reply.statusCode >= 400)
      request.raw.socket.destroySoon();
    // The route's pattern, not the URL: a query may contain personal data.
    const route = request.routeOptions.url ?? "unknown";
    const entry = {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500 && !turnedAway.has(request)) logger.warn(entry, "request");
    else logger.debug(entry, "request");
  });
}

/**
 * Returns true if the request names this instance, once: of two hosts a server in front might have
 * read the other.
 */
function isForUs(request: FastifyRequest, { publicUrl }: Pick<Config, "publicUrl">): boolean {
  const { rawHeaders } = request.raw;
  const headers = rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === "host",
  );
  return (
    headers.length === 1 && isOwnHost(getHost(request), publicUrl, request.socket.localAddress)
  );
}

/**
 * The path that is requested. The router decodes a URL before matching it, so an encoded one
 * (`/%61pi/…`) reaches a call as well: the matched route decides, and if none matched, the decoded
 * URL.
 */
function requestedPath({ routeOptions, url }: FastifyRequest): string {
  const matched = routeOptions.url ?? "";
  return isServicePath(matched) ? matched : decodedPath(url);
}

/**
 * A monitor on this machine is never refused; requests forwarded by a local proxy are not its own.
 */
function isOwnHealthCheck({ ip, socket, headers }: FastifyRequest, path: string): boolean {
  return (
    path === "/api/health" &&
    isLoopbackAddress(ip) &&
    isLoopbackAddress(socket.remoteAddress ?? "") &&
    headers["x-forwarded-for"] === undefined
  );
}

/**
 * A proxy that TRUST_PROXY does not name makes everyone share its address, and its limits. Only an
 * address of this machine or network can be one; others send the header to try their luck.
 */
function warnOfUnknownProxy({ platform }: App, { ip, socket, headers }: FastifyRequest): void {
  const from = socket.remoteAddress ?? "";
  if (headers["x-forwarded-for"] === undefined || ip !== from || !isPrivateHost(from)) return;
  const cause = "x-forwarded-for";
  platform.ctx.securityLog.note({ event: "proxy.not_trusted", cause, userId: null, ip: from });
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
export function getToken(request: FastifyRequest): string | null {
  const header = request.headers.token;
  if (typeof header === "string" && header !== "") return header.slice(0, 200);
  const { sessionCookie } = request.server.platform.ctx.config;
  return request.cookies[sessionCookie]?.slice(0, 200) ?? null;
}

/** Throws `request.wrong_host` if the request was sent by a page that is not ours. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: URL | null): void {
  const fetchSite = request.headers["sec-fetch-site"];
  const isOurs = isOwnOrigin(
    {
      host: getHost(request),
      protocol: request.protocol,
      origin: request.headers.origin,
      fetchSite: typeof fetchSite === "string" ? fetchSite : undefined,
    },
    publicUrl,
  );
  if (!isOurs) throw new ApiError("request.wrong_host");
}
