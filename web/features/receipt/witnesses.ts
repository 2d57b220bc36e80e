import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { openCheckpoint } from "#core/transparency-log/checkpoint.ts";
import { countWitnesses, parseWitnessKey } from "#core/transparency-log/witnesses/cosignature.ts";
import type { LogReader } from "#web/features/receipt/logReader.ts";
import type { LogView } from "#web/features/receipt/logView.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** How many of the witnesses that the reader named cosigned a checkpoint. */
export interface Cosigned {
  configured: number;
  count: number;
}

/** More than anybody follows, and few enough to check at once. */
const witnessesMax = 64;

/** The witnesses' verifier keys that the reader named in this browser. */
export function readWitnessKeys(): string[] {
  const stored = browserStorage.readJson("witnesses");
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((key) => typeof key === "string" && parseWitnessKey(key) !== null)
    .slice(0, witnessesMax);
}

/** Stores one key a line; returns the first line that is none, and then stores nothing. */
export function writeWitnessKeys(text: string): string | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const malformed = lines.find((line) => parseWitnessKey(line) === null);
  if (malformed !== undefined) return malformed;
  const keys = [...new Set(lines)].slice(0, witnessesMax);
  browserStorage.write("witnesses", keys.length > 0 ? JSON.stringify(keys) : null);
  return null;
}

/**
 * Counts cosignatures on the newest cosigned checkpoint that lies in one line with the opened tree.
 * A cosigned checkpoint of another history counts for nothing.
 */
export async function countCosigned(
  reader: Pick<LogReader, "cosigned">,
  view: LogView,
  keys: readonly string[],
  verify: VerifyEd25519,
): Promise<Cosigned> {
  const nothing = { configured: keys.length, count: 0 };
  const note = keys.length === 0 ? null : await reader.cosigned();
  if (note === null) return nothing;
  const opened = openCheckpoint(note, view.checkpoint.origin, [view.key], verify);
  if (!opened.ok || !(await view.continues(opened.checkpoint))) return nothing;
  return { configured: keys.length, count: countWitnesses(note, keys, verify) };
}
