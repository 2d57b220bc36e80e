import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type ErrorName, errors } from "#api/errors.ts";
import type { Config } from "#server/platform/config/config.ts";
import { securityHeaders, strictTransportHeader } from "#server/platform/http/headers.ts";
import type { Messages } from "#server/platform/http/language.ts";

/** The refusals of requests that Node's parser rejects; any other is malformed. */
const errorOf: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: "request.too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request.too_slow",
};

/**
 * Answers bytes that are no HTTP request, or whose headers are too long or never end, like any
 * other refusal, and closes the connection: where the next request would begin is unknown.
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { config, messages }: { config: Config; messages: Messages },
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const name = errorOf[error.code ?? ""] ?? "request.malformed";
  const data = name === "request.malformed" ? { field: "headers" } : null;
  const msg = messages.format("en", name, { field: "headers" });
  const body = JSON.stringify({ code: 0, error: name, msg, data });
  // The host is unknown too. A TLS client has named one; a proxy stands for PUBLIC_URL.
  const { servername } = socket as TLSSocket;
  const host = config.publicUrl?.hostname ?? null;
  const isOurs = host !== null && (config.tls === null || servername === host);
  const headers = {
    ...securityHeaders([]),
    ...(isOurs ? strictTransportHeader(config, host) : {}),
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`);
  const { status } = errors[name];
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} Refused\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}
