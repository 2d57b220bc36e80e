import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type NonceFields, signNonce } from "#server/testing/signNonce.ts";

/** No answer came, or one that leaves the outcome of the request open: only a retry can tell. */
export class NoAnswerError extends Error {}

/** The server's error, by its stable name. */
export class ApiError extends Error {
  readonly error: string;
  constructor(error: string, message: string) {
    super(message);
    this.error = error;
  }
}

export interface ClientOptions {
  port: number;
  /** Concurrent connections. */
  connections?: number;
  /**
   * One of this machine's loopback addresses, so that many clients do not count as one network. By
   * default every connection after the first has its own address, so that a load test measures the
   * server and not the limits of one network.
   */
  localAddress?: string;
  timeoutMs?: number;
}

export interface CallRequest {
  method: "GET" | "POST";
  path: string;
  input?: Record<string, unknown>;
  token?: string;
  /** Idempotency key. */
  key?: string;
  /** Sends `input` as a form with this file. */
  attachment?: Attachment;
}

export interface Attachment {
  field: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

let connections = 0;

/** 127.0.0.1 first, then addresses of 127.64.0.0/10, which no `localAddress` here is taken from. */
function nextLoopbackAddress(): string {
  const number = connections++ % 4_000_000;
  if (number === 0) return "127.0.0.1";
  return `127.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** A non-browser client, as docs/api.md describes one, over keep-alive connections. */
export function createClient(options: ClientOptions) {
  const { port, timeoutMs = 10_000 } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections ?? 16 });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (to, callback) =>
    connect({ ...to, localAddress: options.localAddress ?? nextLoopbackAddress() }, callback);
  const get = (path: string): Promise<string> => send({ method: "GET", path });

  const send = ({
    method,
    path,
    input = {},
    token,
    key,
    attachment,
  }: CallRequest): Promise<string> =>
    new Promise((resolve, reject) => {
      const body =
        method !== "POST" ? null : attachment ? toForm(input, attachment) : JSON.stringify(input);
      const entries = Object.entries(input) as [string, string][];
      const query =
        method === "GET" && entries.length > 0 ? `?${new URLSearchParams(entries)}` : "";
      const headers: Record<string, string> = { language: "en" };
      if (token) headers.token = token;
      if (key) headers["idempotency-key"] = key;
      if (body !== null) {
        headers["content-type"] = attachment
          ? `multipart/form-data; boundary=${boundary}`
          : "application/json";
        headers["content-length"] = String(Buffer.byteLength(body));
      }
      const to = { host: "127.0.0.1", port, agent, method, path: path + query, headers };
      const onLost = (error: Error) => reject(new NoAnswerError(error.message));
      const outgoing = request({ ...to, timeout: timeoutMs }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", onLost);
        response.on("end", () => resolve(text));
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.on("error", onLost);
      outgoing.end(body ?? undefined);
    });

  /**
   * Returns the data of the answer. Throws ApiError, or NoAnswerError if the server itself failed.
   */
  const call = async <Data>(request: CallRequest): Promise<Data> => {
    const text = await send(request);
    let envelope: { code?: number; error?: string; msg?: string; data?: Data };
    try {
      envelope = JSON.parse(text);
    } catch {
      throw new NoAnswerError("the answer is not JSON");
    }
    if (envelope.code === 1) return envelope.data as Data;
    const { error = "", msg = "" } = envelope;
    if (error.startsWith("server.")) throw new NoAnswerError(error);
    throw new ApiError(error, msg);
  };
  return { get, call, close: () => agent.destroy() };
}
export type Client = ReturnType<typeof createClient>;

const boundary = "----drydock-client";

function toForm(input: Record<string, unknown>, attachment: Attachment): Buffer {
  const { field, name, type, bytes } = attachment;
  const head = (parameters: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${parameters}`;
  const texts = Object.entries(input).map(
    ([key, value]) => `${head(`name="${key}"`)}\r\n\r\n${String(value)}\r\n`,
  );
  const partHead = `${head(`name="${field}"; filename="${name}"`)}\r\ncontent-type: ${type}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(texts.join("") + partHead),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

export interface TestSession {
  userId: string;
  token: string;
}

/** Signs in with a key, a new one if none is given, and accepts the practice terms. */
export async function signIn(
  { call }: Client,
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()),
  invite?: string,
): Promise<TestSession> {
  const { address } = account;
  const nonce = await call<NonceFields>({
    method: "GET",
    path: "/api/user/nonce",
    input: { address, chain_id: "1" },
  });
  const { message, signature } = await signNonce(account, nonce);
  const { token, user_id: userId } = await call<{ token: string; user_id: string }>({
    method: "POST",
    path: "/api/user/create",
    input: { address, type: "erc", message, signature, ...(invite ? { invite } : {}) },
  });
  const terms = await call<{ version: number }>({
    method: "GET",
    path: "/api/index/getTerms",
    token,
  });
  const input = { version: terms.version };
  await call({ method: "POST", path: "/api/user/authorize", input, token });
  return { userId, token };
}

/** An idempotency key: a UUIDv7. */
export function newKey(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
