import { CallError } from "#api/client.ts";
import type { Envelope } from "#api/envelope.ts";
import { type RechargeState, recharge } from "#api/recharge.ts";
import { currentSettings } from "#web/app/settings.ts";

export interface UploadInput {
  coin: string;
  network: string;
  amount: string;
  image: Blob;
}

export interface UploadOptions {
  /** UUIDv7, the same again when the same picture is sent again. */
  idempotencyKey: string;
  /** From 0 to 100. */
  onProgress: (percent: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a recharge with its picture. By XMLHttpRequest, since `fetch` does not tell how much has been sent. Rejects with a CallError,
 * as every call does.
 */
export function uploadRecharge(
  input: UploadInput,
  { idempotencyKey, onProgress, signal }: UploadOptions,
): Promise<RechargeState> {
  const body = new FormData();
  body.set("coin", input.coin);
  body.set("network", input.network);
  body.set("amount", input.amount);
  body.set("image", input.image, "voucher");
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const lost = () => reject(new CallError("network.failed", "network.failed", request.status));
    request.open(recharge.method, recharge.path);
    request.setRequestHeader("language", currentSettings().language);
    request.setRequestHeader("idempotency-key", idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(Math.floor((loaded * 100) / total));
    };
    request.onerror = lost;
    request.ontimeout = lost;
    request.onabort = lost;
    request.onload = () => {
      const envelope = read(request.responseText);
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

function read(text: string): Envelope<RechargeState> | null {
  try {
    return JSON.parse(text) as Envelope<RechargeState>;
  } catch {
    return null;
  }
}
