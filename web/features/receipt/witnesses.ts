import {
  openCheckpoint,
  parseVkey,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import {
  findCosignatures,
  isRecent,
  parseWitnessKey,
} from "#core/transparency-log/witnesses/cosignature.ts";
import type { LogReader } from "#web/features/receipt/logReader.ts";
import { type LogView, toLogView, type ViewError } from "#web/features/receipt/logView.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** The cosignatures by the witnesses that the reader named. */
export interface CosignatureReport {
  configured: number;
  /** The number of witnesses that cosigned recently. */
  count: number;
  /** Leaves of the cosigned tree; 0 when none of them cosigned one. */
  size: number;
  /** The latest cosignature, also one that is not recent; null when there is none. */
  atMs: number | null;
}

export type CosignatureResult =
  | { ok: true; report: CosignatureReport }
  /** The log itself signed a tree that contradicts the one it shows here. */
  | { ok: false; error: ViewError | "log_changed" };

/** A limit above any realistic list, and low enough to check together. */
const witnessesMax = 64;

/** The witnesses' verifier keys that the reader named in this browser. */
export function readWitnessKeys(): string[] {
  const value = browserStorage.readJson("witnesses");
  if (!Array.isArray(value)) return [];
  return value
    .filter((key) => typeof key === "string" && parseWitnessKey(key) !== null)
    .slice(0, witnessesMax);
}

/** Stores one key a line; returns the first line that is not a key, and then stores nothing. */
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

export const createEmptyReport = (keys: readonly string[]): CosignatureReport => ({
  configured: keys.length,
  count: 0,
  size: 0,
  atMs: null,
});

/**
 * Reads the newest cosigned checkpoint. It must be signed by a listed or formerly trusted key of
 * this log, and either it or the opened tree must extend the other. This holds even when the reader
 * named no witness: a reader who is shown a different tree than the witnesses is being deceived.
 */
export async function readCosignatures(
  reader: LogReader,
  view: LogView,
  vkeys: readonly string[],
  witnesses: { keys: readonly string[]; nowMs: number },
  verify: VerifyEd25519,
): Promise<CosignatureResult> {
  const { keys, nowMs } = witnesses;
  const nothing = createEmptyReport(keys);
  const note = await reader.cosigned();
  if (note === null) return { ok: true, report: nothing };
  const knownKeys = vkeys.map((vkey) => parseVkey(vkey)).filter((key) => key !== null);
  const result = openCheckpoint(note, view.checkpoint.origin, knownKeys, verify);
  if (!result.ok) return { ok: false, error: result.error };
  const { checkpoint } = result;
  const follows =
    checkpoint.size > view.checkpoint.size
      ? toLogView(reader, checkpoint, note, view.key).continues(view.checkpoint)
      : view.continues(checkpoint);
  if (!(await follows)) return { ok: false, error: "log_changed" };
  const cosignatures = findCosignatures(note, keys, verify);
  if (cosignatures.length === 0) return { ok: true, report: nothing };
  const count = cosignatures.filter((cosignature) => isRecent(cosignature, nowMs)).length;
  const atMs = Math.max(...cosignatures.map((cosignature) => cosignature.atMs));
  return { ok: true, report: { configured: keys.length, count, size: checkpoint.size, atMs } };
}
