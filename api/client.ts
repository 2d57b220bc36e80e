import type { AnswerOf, InputOf, Route } from "#api/call.ts";
import type { Envelope } from "#api/envelope.ts";
import type { ErrorName } from "#api/errors.ts";
import type { SignedAcknowledgement } from "#core/transparency-log/acknowledgement.ts";

/**
 * A call that returned an error or got no answer. `network.failed` is the client's own name for no
 * answer at all.
 */
export class ApiError extends Error {
  readonly error: ErrorName | "network.failed";
  readonly status: number;
  readonly data: Record<string, string | number> | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    error: ErrorName | "network.failed",
    message: string,
    status: number,
    data: Record<string, string | number> | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = "ApiError";
    this.error = error;
    this.status = status;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ClientOptions {
  /** Origin of the server without a trailing slash; empty in the browser. */
  baseUrl: string;
  language: () => string;
  /** Session token for clients that are not browsers; browsers send the cookie. */
  token?: () => string | null;
  fetch?: typeof fetch;
}

interface CallOptions {
  /** UUIDv7; required for money calls. Reuse the same key when retrying the same call. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface AnsweredCall<Data> {
  data: Data;
  msg: string;
  /** The signed promise of a money call; null when the server gave none. */
  acknowledgement: SignedAcknowledgement | null;
}

export interface Client {
  /**
   * Makes a call, given its definition or its route; resolves with data and the server's localised
   * message, rejects with an `ApiError`.
   */
  call<C extends Route>(
    call: C,
    input: InputOf<C>,
    options?: CallOptions,
  ): Promise<AnsweredCall<AnswerOf<C>>>;
}

/** Creates the typed client, which can make every call of `api/calls.ts`. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  return {
    call: async (call, input, { idempotencyKey, signal } = {}) => {
      const headers: Record<string, string> = { language: options.language() };
      const token = options.token?.();
      if (token) headers.token = token;
      if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
      let url = options.baseUrl + call.path;
      const init: RequestInit = { method: call.method, headers, credentials: "same-origin" };
      if (signal) init.signal = signal;
      if (call.method === "GET") {
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(
          input as Record<string, string | number | boolean | undefined>,
        )) {
          if (value !== undefined) query.set(name, String(value));
        }
        if (query.size > 0) url += `?${query}`;
      } else {
        headers["content-type"] = "application/json";
        init.body = JSON.stringify(input);
      }
      const response = await send(url, init).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new ApiError("network.failed", "network.failed", 0);
      });
      const envelope = (await response.json().catch(() => null)) as Envelope<never> | null;
      if (envelope?.code === 1) {
        const { data, msg, acknowledgement = null } = envelope;
        return { data, msg, acknowledgement };
      }
      if (!envelope) throw new ApiError("network.failed", "network.failed", response.status);
      const retryAfter = Number(response.headers.get("retry-after"));
      throw new ApiError(
        envelope.error,
        envelope.msg,
        response.status,
        envelope.data,
        Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
      );
    },
  };
}
