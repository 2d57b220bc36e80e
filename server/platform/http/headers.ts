import type { FastifyReply, FastifyRequest } from "fastify";
import { type Config, isPrivateHost } from "#server/platform/config/config.ts";
import { getHost, getScheme } from "#server/platform/http/hosts.ts";

/**
 * The sources that our pages may load from and connect to: this host, the stream's host, and
 * nothing else.
 */
function contentSecurityPolicy(sockets: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...sockets].join(" ")}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types drydock",
  ].join("; ");
}

/** Absolute URL of the stream for a client that reached us at `host`. */
export function getSocketUrl(
  request: { host: string; protocol: string },
  config: Pick<Config, "socketUrl" | "publicUrl">,
): string {
  if (config.socketUrl) return config.socketUrl.href;
  const scheme = getScheme(request, config.publicUrl);
  return `${scheme === "https" ? "wss" : "ws"}://${request.host}/ws`;
}

/** Sets the headers of every response. The `Host` header is echoed only if `hostIsOurs`. */
export function setSecurityHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  hostIsOurs: boolean,
): void {
  // Some browsers do not count a WebSocket on the same host as 'self'.
  const host = getHost(request);
  const requestOrigin = { host, protocol: request.protocol };
  const socket = hostIsOurs ? new URL(getSocketUrl(requestOrigin, config)) : null;
  reply.headers(securityHeaders(socket ? [`${socket.protocol}//${socket.host}`] : []));
  reply.header("x-request-id", request.id);
  if (hostIsOurs) reply.headers(strictTransportHeader(config, new URL(`https://${host}`).hostname));
}

/** The security headers that are the same for every setting and request. */
export function securityHeaders(sockets: readonly string[]): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(sockets),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // Search engines should index no part of an instance, least of all a shared receipt.
    "x-robots-tag": "noindex, nofollow",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "camera=(self), clipboard-write=(self), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=()",
  };
}

/** HSTS for one of our host names; empty unless this instance is served over https. */
export function strictTransportHeader(
  config: Pick<Config, "tls" | "publicUrl" | "hstsSubdomains">,
  hostname: string,
): Record<string, string> {
  const https = config.tls !== null || config.publicUrl?.protocol === "https:";
  // A name like localhost is shared with other programs on this machine, which may only speak HTTP.
  // Names below ours may belong to other programs too, so those are included on request only.
  if (!https || isPrivateHost(hostname)) return {};
  const subdomains = config.hstsSubdomains ? "; includeSubDomains" : "";
  return { "strict-transport-security": `max-age=31536000${subdomains}` };
}
