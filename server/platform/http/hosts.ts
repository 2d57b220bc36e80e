import { isIP } from "node:net";
import { isPrivateHost } from "#server/platform/config.ts";

/**
 * Whether a `Host` header names this instance. Any other name means that somebody pointed a name of their own at us
 * (DNS rebinding); an IP address cannot be pointed.
 */
export function hostIsOurs(host: string, publicUrl: URL | null): boolean {
  if (publicUrl && host.toLowerCase() === publicUrl.host) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || isPrivateHost(hostname);
}

/**
 * Whether a request that changes something, or opens a socket, comes from a page of ours or from no page at all. Browsers
 * say where it comes from in `Origin` and `Sec-Fetch-Site`; other clients send neither.
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
