import { ApiError } from "#api/client.ts";
import { retryableErrors } from "#api/routes/retryableErrors.ts";

/** Creates a UUIDv7: 48 bits of `nowMs`, the rest from `random`. Works outside a secure context. */
export function createUuidV7(
  nowMs: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => void,
): string {
  const bytes = new Uint8Array(16);
  random(bytes);
  let time = nowMs;
  for (let index = 5; index >= 0; index--) {
    bytes[index] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/** Creates a new idempotency key. */
export function createKey(): string {
  return createUuidV7(Date.now(), (bytes) => crypto.getRandomValues(bytes));
}

export interface IdempotencyKeys {
  /** Returns the key for this body, the same one until that body has had a final answer. */
  keyFor(body: string): string;
  /** Reports the outcome; after a final answer, sending the same body again gets a new key. */
  release(error: unknown): void;
}

/** Keeps one idempotency key per intended action. `newKey` makes a UUIDv7. */
export function createIdempotencyKeys(newKey: () => string): IdempotencyKeys {
  let open: { body: string; key: string } | null = null;
  return {
    keyFor(body) {
      if (open?.body !== body) open = { body, key: newKey() };
      return open.key;
    },
    release(failure) {
      if (!mayPassLater(failure)) open = null;
    },
  };
}

/**
 * Returns true if the same request may still succeed: it never got through, or the error was
 * retryable.
 */
function mayPassLater(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.error === "network.failed" || retryableErrors.has(error.error);
}
