import { isIP } from "node:net";
import { isPrivateHost } from "#server/platform/config/config.ts";

/**
 * Whether a `Host` header names this instance. Any other name means that somebody pointed a name of
 * their own at us (DNS rebinding). An IP address must be the one this connection came in on:
 * otherwise a page at another address that proxies requests to us could have people sign in to us
 * through it, with its own address as the domain they sign.
 */
export function hostIsOurs(
  host: string,
  publicUrl: URL | null,
  localAddress: string | undefined,
): boolean {
  if (publicUrl && host.toLowerCase() === publicUrl.host) return true;
  const hostname = hostnameOf(host);
  if (hostname === null) return false;
  if (isIP(hostname) === 0) return isPrivateHost(hostname);
  return isLoopback(hostname) || hostname === localAddress?.replace(/^::ffff:(?=\d+\.)/i, "");
}

/**
 * The name in a `Host` header, an IPv6 address without its brackets; null if it contains anything
 * but name and port.
 */
function hostnameOf(host: string): string | null {
  const url = URL.parse(`http://${host}`);
  if (url === null || !/^[a-z0-9.\-_[\]:]+$/i.test(host)) return null;
  return url.hostname.replace(/^\[|\]$/g, "");
}

const isLoopback = (address: string) => address === "::1" || /^127\./.test(address);

/**
 * Whether a request that changes something, or opens a socket, comes from one of our pages or from
 * no page at all. Browsers send its origin in `Origin` and `Sec-Fetch-Site`; other clients send
 * neither.
 */
export function originIsOurs(
  headers: { host: string; origin: string | undefined; fetchSite: string | undefined },
  publicUrl: URL | null,
): boolean {
  const { host, origin, fetchSite } = headers;
  if (origin === undefined) {
    return fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none";
  }
  if (publicUrl && origin === publicUrl.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
