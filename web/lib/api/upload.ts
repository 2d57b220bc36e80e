import type { AnswerOf, Route } from "#api/call.ts";
import { ApiError } from "#api/client.ts";
import type { Envelope } from "#api/envelope.ts";
import { getSettings } from "#web/lib/settings.ts";

export interface UploadOptions {
  /** UUIDv7, the same for every retry; only for calls that take one. */
  idempotencyKey?: string;
  /** Called with the bytes sent so far and in total, form and file together. */
  onSent: (bytes: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a form with a file. Uses XMLHttpRequest, since `fetch` has no upload progress. Rejects
 * with an ApiError, as every call does.
 */
export function uploadForm<C extends Route>(
  call: C,
  fields: Readonly<Record<string, string | Blob>>,
  { idempotencyKey, onSent, signal }: UploadOptions,
): Promise<AnswerOf<C>> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const failNetwork = () =>
      reject(new ApiError("network.failed", "network.failed", request.status));
    request.open(call.method, call.path);
    request.setRequestHeader("language", getSettings().language);
    if (idempotencyKey) request.setRequestHeader("idempotency-key", idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onSent(loaded, total);
    };
    request.onerror = failNetwork;
    request.ontimeout = failNetwork;
    request.onabort = failNetwork;
    request.onload = () => {
      const envelope = parseEnvelope<AnswerOf<C>>(request.responseText);
      if (envelope === null) failNetwork();
      else if (envelope.code === 1) resolve(envelope.data);
      else {
        const { error, msg, data } = envelope;
        const seconds = Number(request.getResponseHeader("retry-after"));
        reject(new ApiError(error, msg, request.status, data, seconds > 0 ? seconds : null));
      }
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function parseEnvelope<Data>(text: string): Envelope<Data> | null {
  try {
    return JSON.parse(text) as Envelope<Data>;
  } catch {
    return null;
  }
}
