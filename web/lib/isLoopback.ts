/**
 * Returns true if a host name means this computer to everybody: a link with it leads nobody else
 * here.
 */
export const isLoopback = (host: string) =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  host.startsWith("127.");
