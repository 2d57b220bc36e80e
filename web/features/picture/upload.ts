import type { AnswerOf, Route } from "#api/call.ts";
import { CallError } from "#api/client.ts";
import type { Envelope } from "#api/envelope.ts";
import { currentSettings } from "#web/lib/settings.ts";

export interface UploadInput {
  /** The form's fields besides the picture. */
  texts: Readonly<Record<string, string>>;
  picture: Blob;
}

export interface UploadOptions {
  /** UUIDv7, the same again when the same picture is sent again. */
  idempotencyKey: string;
  /** From 0 to 100. */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a form with its picture. By XMLHttpRequest, since `fetch` does not tell how much has been sent. Rejects with a CallError,
 * as every call does.
 */
export function uploadPicture<C extends Route>(
  call: C,
  { texts, picture }: UploadInput,
  { idempotencyKey, onProgress, signal }: UploadOptions,
): Promise<AnswerOf<C>> {
  const body = new FormData();
  for (const [name, text] of Object.entries(texts)) body.set(name, text);
  body.set(call.upload?.field ?? "image", picture, "picture");
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const lost = () => reject(new CallError("network.failed", "network.failed", request.status));
    request.open(call.method, call.path);
    request.setRequestHeader("language", currentSettings().language);
    request.setRequestHeader("idempotency-key", idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(Math.floor((loaded * 100) / total));
    };
    request.onerror = lost;
    request.ontimeout = lost;
    request.onabort = lost;
    request.onload = () => {
      const envelope = read<AnswerOf<C>>(request.responseText);
      if (envelope === null) lost();
      else if (envelope.code === 1) resolve(envelope.data);
      else {
        const { error, msg, data } = envelope;
        const seconds = Number(request.getResponseHeader("retry-after"));
        reject(new CallError(error, msg, request.status, data, seconds > 0 ? seconds : null));
      }
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function read<Data>(text: string): Envelope<Data> | null {
  try {
    return JSON.parse(text) as Envelope<Data>;
  } catch {
    return null;
  }
}
