import { openNote, parseVkey, type VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { readKind } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import {
  checkSuccession,
  countLostLeaves,
  decodeSuccession,
  type KnownLog,
  type SuccessionError,
} from "#core/transparency-log/successionLeaf.ts";
import { type LogView, NotInLogError } from "#web/features/receipt/logView.ts";

/** The successor of a known log that lost leaves and ended. */
export interface LogSuccessor {
  /** Signed leaves that are gone. */
  lost: number;
  survived: number;
  /** World time of the first second that may be lost; null without any second before. */
  lostFromMs: number | null;
}

export type NoSuccession =
  | SuccessionError
  /** It vouches for a different log or key than the one that is served. */
  | "succession_to_another"
  /** The successor's first leaves are not those of the known log. */
  | "log_changed";

const successionsMax = 16;
const stepsBackMax = 4_096;

/**
 * Follows the successions that the served log has from the known log to it; returns why that is
 * impossible, or how much was lost.
 */
export async function findSuccession(
  view: LogView,
  knownLog: KnownLog,
  leafIndexes: readonly number[],
  verify: VerifyEd25519,
): Promise<LogSuccessor | NoSuccession> {
  const { origin } = view.checkpoint;
  const leaves = await readListed(view, leafIndexes);
  if (!leaves) return "succession_misplaced";
  let currentLog = knownLog;
  let [lostCount, survivedSize] = [0, knownLog.size];
  while (currentLog.origin !== origin) {
    const next = leaves.find(({ leaf }) => leaf.ended.origin === currentLog.origin);
    if (!next) return "succession_of_another";
    leaves.splice(leaves.indexOf(next), 1);
    const error = checkSuccession(next.leaf, next.index, currentLog, verify);
    if (error) return error;
    lostCount += countLostLeaves(next.leaf);
    survivedSize = Math.min(survivedSize, next.leaf.survived);
    const { successor } = next.leaf;
    currentLog = {
      origin: successor.origin,
      vkeys: [successor.vkey],
      size: 0,
      root: new Uint8Array(),
    };
  }
  const key = parseVkey(currentLog.vkeys[0]!)!;
  if (!openNote(view.note, [key], verify).ok) return "succession_to_another";
  if (survivedSize === knownLog.size && !(await view.continues(knownLog))) return "log_changed";
  return {
    lost: lostCount,
    survived: survivedSize,
    lostFromMs: await firstLostLeaf(view, survivedSize),
  };
}

async function readListed(view: LogView, leafIndexes: readonly number[]) {
  const indexes = leafIndexes.slice(0, successionsMax).toSorted((a, b) => a - b);
  const entries = await view.entries(indexes).catch((error: unknown) => {
    if (error instanceof NotInLogError) return null;
    throw error;
  });
  if (!entries) return null;
  const listedLeaves = indexes.map((index) => ({
    index,
    read: decodeSuccession(entries.get(index)!, null),
  }));
  if (listedLeaves.some(({ read }) => !read.ok)) return null;
  return listedLeaves.flatMap(({ index, read }) => (read.ok ? [{ index, leaf: read.value }] : []));
}

/** The second after the last one that survived. */
async function firstLostLeaf(view: LogView, survivedSize: number): Promise<number | null> {
  const oldest = Math.max(0, survivedSize - stepsBackMax);
  for (let index = survivedSize - 1; index >= oldest; index -= 1) {
    const entry = (await view.entries([index])).get(index)!;
    const kind = readKind(entry, null);
    if (!kind.ok) return null;
    if (kind.value !== "second") continue;
    const second = decodeSecond(entry, entry.subarray(3, 11));
    return second.ok ? second.value.secondMs + 1_000 : null;
  }
  return null;
}
