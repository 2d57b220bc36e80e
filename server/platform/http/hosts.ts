import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { isPrivateHost } from "#server/platform/config/config.ts";
import { isLoopbackAddress, unmapAddress } from "#server/platform/http/limits/network.ts";

/**
 * Returns true if a `Host` header names this instance. Any other name means that a third party
 * pointed its own name at us (DNS rebinding). An IP address must be the one this connection came in
 * on: otherwise a page at another address that proxies requests to us could have people sign in to
 * us through it, with its own address as the domain they sign. The same holds for private names,
 * which any machine on a network can be given: they are ours only where no public name is.
 */
export function isOwnHost(
  host: string,
  publicUrl: URL | null,
  localAddress: string | undefined,
): boolean {
  if (publicUrl && host.toLowerCase() === publicUrl.host) return true;
  const hostname = getHostname(host);
  if (hostname === null) return false;
  if (isIP(hostname) === 0) {
    // Browsers resolve localhost themselves; any other private name can be given to a relay.
    if (hostname.toLowerCase() === "localhost") return true;
    return isPrivateHost(hostname) && (publicUrl === null || isPrivateHost(publicUrl.hostname));
  }
  return (
    isLoopbackAddress(hostname) ||
    (localAddress !== undefined && hostname === unmapAddress(localAddress))
  );
}

/**
 * The name in a `Host` header, an IPv6 address without its brackets; null if it contains anything
 * but name and port.
 */
function getHostname(host: string): string | null {
  const url = URL.parse(`http://${host}`);
  if (url === null || !/^[a-z0-9.\-_[\]:]+$/i.test(host)) return null;
  return url.hostname.replace(/^\[|\]$/g, "");
}

/**
 * Returns true if a request that changes something, or opens a socket, comes from one of our pages
 * or from no page at all. Browsers send its origin in `Origin` and `Sec-Fetch-Site`; other clients
 * send neither.
 */
export function isOwnOrigin(
  headers: {
    host: string;
    /** The request's scheme, as the client sent it. */
    protocol: string;
    origin: string | undefined;
    fetchSite: string | undefined;
  },
  publicUrl: URL | null,
): boolean {
  const { host, protocol, origin, fetchSite } = headers;
  if (origin === undefined) {
    return fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none";
  }
  if (publicUrl && host.toLowerCase() === publicUrl.host) return origin === publicUrl.origin;
  return origin === URL.parse(`${protocol}://${host}`)?.origin;
}

/**
 * The `Host` header as it arrived. Fastify's `request.host` prefers `X-Forwarded-Host`, which no
 * proxy needs to send: PUBLIC_URL names the host behind one.
 */
export function getHost({ headers }: Pick<FastifyRequest, "headers">): string {
  return headers.host ?? "";
}

/** The scheme under which the client knows us, which a proxy in front may have changed. */
export function getScheme(
  { host, protocol }: { host: string; protocol: string },
  publicUrl: URL | null,
): "http" | "https" {
  const scheme = host.toLowerCase() === publicUrl?.host ? publicUrl.protocol : `${protocol}:`;
  return scheme === "https:" ? "https" : "http";
}
