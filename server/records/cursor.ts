import { type Coin, coinCodes } from "#core/money/coins.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** The sources walked for an attempt: each of its accounts, and operator actions. */
export type SourceName = `${"wallet" | "held"}.${Coin}` | "console";

/** In the order used in a cursor. */
const sourceNames: readonly SourceName[] = [
  ...coinCodes.map((coin) => `wallet.${coin}` as const),
  ...coinCodes.map((coin) => `held.${coin}` as const),
  "console",
];

/**
 * Per source, the newest entry that belongs to what follows: an account's version, or the number of
 * an audit event.
 */
export type Positions = ReadonlyMap<SourceName, bigint>;

/**
 * `2s.0.1.0.…`: positions in base 36, one per source. New postings come after them, so pages do not
 * shift.
 */
export function writeCursor(positions: Positions): string {
  return sourceNames.map((name) => (positions.get(name) ?? 0n).toString(36)).join(".");
}

/** Throws `request.malformed` for anything but a cursor of ours. */
export function parseCursor(text: string): Positions {
  const parts = text.split(".");
  const isWellFormed =
    parts.length === sourceNames.length && parts.every((part) => /^[0-9a-z]{1,10}$/.test(part));
  if (!isWellFormed) throw new ApiError("request.malformed", { field: "before" });
  return new Map(
    sourceNames.map((name, index) => [name, BigInt(Number.parseInt(parts[index] as string, 36))]),
  );
}
