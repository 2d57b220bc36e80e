import type { ErrorName } from "#api/errors.ts";
import type { SignedAcknowledgement } from "#core/transparency-log/acknowledgement.ts";

/**
 * The answer of every call: `code` 1 with HTTP 2xx, or `code` 0 with a stable `error` name and the
 * matching HTTP status. `acknowledgement` is the signed promise of a money call that was accepted
 * (docs/formats/acknowledgement.md).
 */
export type Envelope<Data> =
  | { code: 1; msg: string; data: Data; acknowledgement?: SignedAcknowledgement }
  | { code: 0; error: ErrorName; msg: string; data: Record<string, string | number> | null };
