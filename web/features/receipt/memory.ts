import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import type { LogReader } from "#web/features/receipt/logReader.ts";
import { type LogView, openLog, signersOf, type ViewError } from "#web/features/receipt/logView.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** What this browser keeps of the log: the newest checkpoint it proved, and the keys it follows. */
export interface StoredCheckpoint {
  origin: string;
  vkeys: string[];
  size: number;
  root: string;
  firstSeenMs: number;
  seenMs: number;
}

/** Where it is kept; in the browser `localStorage`, which may refuse. */
export interface CheckpointStore {
  read(): StoredCheckpoint | null;
  write(log: StoredCheckpoint | null): void;
}

export type LogFinding =
  /** Nothing was remembered: this is what later visits are compared with. */
  | "first"
  /** The same tree as remembered. */
  | "same"
  /** Grown, and the remembered tree is its beginning. */
  | "grown"
  /** Smaller than what this browser saw before. */
  | "shrunk"
  /** Not a continuation of what this browser saw before. */
  | "changed"
  /** Another log or another key stands where the remembered one stood. */
  | "replaced";

export const alarming: ReadonlySet<LogFinding> = new Set(["shrunk", "changed", "replaced"]);

export type FollowResult =
  | { ok: true; view: LogView; finding: LogFinding; before: StoredCheckpoint | null }
  | { ok: false; error: ViewError };

/** The browser's own storage; a private window that refuses it remembers nothing. */
export const browserCheckpointStore: CheckpointStore = {
  read: () => readStoredCheckpoint(browserStorage.readJson("log")),
  // Where it is not kept nothing can be compared next time: the finding then says "first".
  write: (log) => void browserStorage.write("log", log && JSON.stringify(log)),
};

/**
 * What storage holds may be anything: a memory that no visit of ours wrote is none, lest it stop
 * every later check.
 */
export function readStoredCheckpoint(value: unknown): StoredCheckpoint | null {
  const log = value as StoredCheckpoint | null;
  if (typeof log !== "object" || log === null) return null;
  const fine =
    typeof log.origin === "string" &&
    Array.isArray(log.vkeys) &&
    log.vkeys.length > 0 &&
    log.vkeys.every((vkey) => typeof vkey === "string") &&
    Number.isSafeInteger(log.size) &&
    log.size > 0 &&
    typeof log.root === "string" &&
    /^[0-9a-f]{64}$/.test(log.root) &&
    isTime(log.firstSeenMs) &&
    isTime(log.seenMs);
  return fine ? log : null;
}

/** A time that can be written as a date. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}

/**
 * Opens the log and compares it with what was remembered. The memory only ever moves forward along
 * a proven continuation; an alarming finding leaves it as it was, so that the alarm stays until the
 * person decides.
 * `served` is what the server says now about its log: trusted only when nothing is remembered.
 */
export async function followLog(
  reader: LogReader,
  served: { origin: string; vkeys: readonly string[] },
  store: CheckpointStore,
  verify: VerifyEd25519,
  nowMs: number,
): Promise<FollowResult> {
  const before = store.read();
  const known = before?.origin === served.origin ? before : null;
  const opened = known
    ? await openLog(reader, known.origin, known.vkeys, verify)
    : await openLog(reader, served.origin, served.vkeys, verify);
  if (!opened.ok && !(known && opened.error === "key_unknown")) return opened;
  if (!opened.ok || (before && !known)) return await openReplaced(reader, served, before, verify);
  const { view } = opened;
  const finding = await compare(view, known);
  const latest = store.read();
  // Two checks may run at once: the one that saw the smaller tree must not take the memory back.
  const overtaken = latest?.origin === served.origin && latest.size > view.checkpoint.size;
  if (!alarming.has(finding) && !overtaken) {
    // A new key is followed only when it signs beside one that was followed already.
    const signers = signersOf(view.note, served.origin, served.vkeys, verify);
    store.write({
      origin: served.origin,
      vkeys: [...new Set([...signers, ...(known?.vkeys ?? [])])],
      size: view.checkpoint.size,
      root: bytesToHex(view.checkpoint.root),
      firstSeenMs: known?.firstSeenMs ?? nowMs,
      seenMs: nowMs,
    });
  }
  return { ok: true, view, finding, before: known };
}

async function openReplaced(
  reader: LogReader,
  served: { origin: string; vkeys: readonly string[] },
  before: StoredCheckpoint | null,
  verify: VerifyEd25519,
): Promise<FollowResult> {
  const opened = await openLog(reader, served.origin, served.vkeys, verify);
  return opened.ok ? { ok: true, view: opened.view, finding: "replaced", before } : opened;
}

async function compare(view: LogView, known: StoredCheckpoint | null): Promise<LogFinding> {
  if (!known) return "first";
  if (view.checkpoint.size < known.size) return "shrunk";
  const continues = await view.continues({ size: known.size, root: hexToBytes(known.root) });
  if (!continues) return "changed";
  return view.checkpoint.size === known.size ? "same" : "grown";
}
