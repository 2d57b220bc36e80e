import type { ErrorName } from "#api/errors.ts";

/**
 * The answer of every call: `code` 1 with HTTP 2xx, or `code` 0 with a stable `error` name and the
 * matching HTTP status.
 */
export type Envelope<Data> =
  | { code: 1; msg: string; data: Data }
  | { code: 0; error: ErrorName; msg: string; data: Record<string, string | number> | null };
