import { CannotCheckError } from "../instance.ts";
import { MismatchError } from "../log/bytes.ts";

/** The alarm was raised: the log shows two histories, or ended. */
export class ForkError extends Error {}

/**
 * Errors that contradict a signed tree: two trees, well-formed data that are in neither, or a leaf
 * in it that does not follow another.
 */
const contradictions = ["log_changed", "tile_differs", "leaf_not_in_log", "accounts_fell"];

/**
 * Returns true if the fault says only that the log could not be read: a missing file, or one that a
 * proxy or anyone without the log's key could have put there.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof MismatchError) return !contradictions.includes(error.difference);
  return error instanceof CannotCheckError;
}
