/**
 * Returns true if a host name means the local computer on every device, so that a link with it
 * works on no other device.
 */
export const isLoopback = (host: string) =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  host.startsWith("127.");
