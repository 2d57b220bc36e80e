import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { type Config, isPrivateHost, readConfig } from "#server/platform/config/config.ts";
import { sessionCookieName } from "#server/platform/http/session.ts";
import { toWorldConfig, type WorldEntry } from "#server/platform/worlds/directory.ts";

/**
 * The name below which each world has its own name: that of PUBLIC_URL if it is a public one. Null
 * on a bare address, where each world has its own port; browsers separate stored data by host and
 * port.
 */
export function getDomain({ publicUrl }: Pick<Config, "publicUrl">): string | null {
  if (publicUrl === null) return null;
  const { hostname } = publicUrl;
  return isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || isPrivateHost(hostname) ? null : hostname;
}

/**
 * The origin of a world other than the main one; `hostname` is the host name under which this
 * program was reached.
 */
export function getWorldOrigin(
  config: Pick<Config, "publicUrl" | "tls">,
  entry: Pick<WorldEntry, "name" | "port">,
  hostname: string,
): string {
  const { publicUrl, tls } = config;
  const domain = getDomain(config);
  if (publicUrl && domain !== null) return `${publicUrl.protocol}//${entry.name}.${publicUrl.host}`;
  const protocol = publicUrl?.protocol ?? (tls ? "https:" : "http:");
  return `${protocol}//${publicUrl?.hostname ?? hostname}:${entry.port}`;
}

/** The settings under which this program serves a world of its directory. */
export function configOfEntry(program: Config, entry: WorldEntry): Config {
  const config = readConfig({ ...entry.settings, WORLD: entry.name });
  const { publicUrl } = program;
  return toWorldConfig(program, config, {
    port: entry.port ?? program.port,
    publicUrl: publicUrl && new URL(getWorldOrigin(program, entry, publicUrl.hostname)),
    sessionCookie: sessionCookieName(entry.name),
  });
}

/**
 * The name of the world that a request's host names: `class-7b.localhost`, or below the domain of
 * PUBLIC_URL. Null if it names this program itself.
 */
export function getNamedWorld(
  { headers }: Pick<IncomingMessage, "headers">,
  config: Pick<Config, "publicUrl">,
): string | null {
  const hostname = getHostname(headers.host);
  if (hostname === null) return null;
  for (const domain of ["localhost", getDomain(config)]) {
    if (domain === null || !hostname.endsWith(`.${domain}`)) continue;
    const name = hostname.slice(0, -domain.length - 1);
    if (!name.includes(".")) return name;
  }
  return null;
}

/** The host name as URLs spell it; null if the header is not a valid host. */
export function getHostname(host: string | undefined): string | null {
  if (host === undefined || !/^[a-z0-9.\-_[\]:]+$/i.test(host)) return null;
  return URL.parse(`http://${host}`)?.hostname ?? null;
}
