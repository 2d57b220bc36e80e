import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BrokenError } from "./expect.ts";

/** The only host that requests go to. */
const host = "127.0.0.1";

/** A request that is sent exactly as written: no path is resolved, no header left out. */
export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON. */
  input?: unknown;
  body?: string | Buffer;
  token?: string;
  /** The source address on this machine; each counts as a separate network. */
  sourceAddress?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
  /** The error's name; null for a success, or if the answer is not an envelope. */
  error: string | null;
  /** The envelope's data, or null. */
  data: Record<string, unknown> | null;
  durationMs: number;
}

/** More than the server ever takes: it refuses what it cannot answer within 18 s. */
const timeoutMs = 30_000;

export function sendRequest(port: number, sent: RawRequest): Promise<Answer> {
  const { method = "GET", path, input, token, sourceAddress } = sent;
  const body = input === undefined ? sent.body : JSON.stringify(input);
  const headers = {
    host: `${host}:${port}`,
    ...(token && { token }),
    ...(input !== undefined && { "content-type": "application/json" }),
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    ...sent.headers,
  };
  const to = { host, port, method, path, headers, agent: false, setHost: false } as const;
  return new Promise((resolve, reject) => {
    const fromMs = performance.now();
    const options = {
      ...to,
      timeout: timeoutMs,
      ...(sourceAddress && { localAddress: sourceAddress }),
    };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString("utf8");
        const { error, data } = envelopeIn(text);
        const tookMs = performance.now() - fromMs;
        const status = response.statusCode ?? 0;
        resolve({
          status,
          headers: response.headers,
          text,
          bytes,
          error,
          data,
          durationMs: tookMs,
        });
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function envelopeIn(text: string): Pick<Answer, "error" | "data"> {
  try {
    const { error, data } = JSON.parse(text);
    return { error: typeof error === "string" ? error : null, data: data ?? null };
  } catch {
    return { error: null, data: null };
  }
}

/** The data of an answer that must be a success. */
export function getData<Data = Record<string, unknown>>({
  status,
  text,
  error,
  data,
}: Answer): Data {
  if (status >= 300 || error !== null || data === null)
    throw new BrokenError(`a call that must work answered ${status} ${text.slice(0, 200)}`);
  return data as Data;
}

/**
 * Sends bytes over a separate connection; resolves with everything received until it ended or
 * `forMs` passed.
 */
export async function exchangeBytes(
  port: number,
  bytes: string | Buffer,
  forMs = 700,
): Promise<string> {
  const socket = connect(port, host);
  let receivedText = "";
  const closing = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      receivedText += chunk.toString("latin1");
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.on("connect", () => socket.write(bytes));
  });
  await Promise.race([closing, sleep(forMs)]);
  socket.destroy();
  return receivedText;
}

export interface FilePart {
  field: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A form with texts and files, in this order; names may repeat. */
export function createForm(
  texts: readonly (readonly [name: string, value: string])[],
  files: readonly FilePart[],
): Required<Pick<RawRequest, "body" | "headers">> {
  const boundary = `probe-${randomUUID()}`;
  const head = (parameters: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${parameters}`;
  const parts = [
    ...texts.map(([name, value]) => Buffer.from(`${head(`name="${name}"`)}\r\n\r\n${value}\r\n`)),
    ...files.map(({ field, name, type, bytes }) =>
      Buffer.concat([
        Buffer.from(
          `${head(`name="${field}"; filename="${name}"`)}\r\ncontent-type: ${type}\r\n\r\n`,
        ),
        bytes,
        Buffer.from("\r\n"),
      ]),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    body: Buffer.concat(parts),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}
