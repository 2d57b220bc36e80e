import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { browserStorage } from "#web/lib/storage.ts";
import type { LogReader } from "./logReader.ts";
import { type LogView, listSigners, openLog, type ViewError } from "./logView.ts";
import type { LogSuccessor } from "./succession.ts";

/**
 * This browser's stored state of the log: the latest checkpoint it proved, and the keys it trusts.
 */
export interface StoredCheckpoint {
  origin: string;
  vkeys: string[];
  size: number;
  root: string;
  firstSeenMs: number;
  seenMs: number;
}

/** The store of the checkpoint: `localStorage` in the browser, which may refuse. */
export interface CheckpointStore {
  read(): StoredCheckpoint | null;
  write(log: StoredCheckpoint | null): void;
}

export type LogChange =
  /** Nothing was stored: later visits are compared with this one. */
  | "first"
  /** The same tree as stored. */
  | "same"
  /** Grown, with the stored tree as a prefix. */
  | "grown"
  /** Smaller than the tree seen before. */
  | "shrunk"
  /** Not a continuation of the tree seen before. */
  | "changed"
  /** The stored log lost leaves and ended; this is the successor that its own key vouches for. */
  | "succeeded"
  /** A different log or key than the stored one. */
  | "replaced";

export const alarmingChanges: ReadonlySet<LogChange> = new Set([
  "shrunk",
  "changed",
  "succeeded",
  "replaced",
]);

/** The server's current statement about its log. */
export interface ServedLog {
  origin: string;
  vkeys: readonly string[];
  /** Leaves that each say which log this one succeeds. */
  successions?: readonly number[];
}

export type FollowResult =
  | {
      ok: true;
      view: LogView;
      finding: LogChange;
      before: StoredCheckpoint | null;
      /** Present only for the finding "succeeded". */
      succeeded: LogSuccessor | null;
    }
  | { ok: false; error: ViewError };

/** The browser's own storage; a private window that refuses it stores nothing. */
export const browserCheckpointStore: CheckpointStore = {
  read: () => parseStoredCheckpoint(browserStorage.readJson("log")),
  // If it is not stored there is nothing to compare with next time: the finding is then "first".
  write: (log) => void browserStorage.write("log", log && JSON.stringify(log)),
};

/**
 * Storage may contain anything. A value that this app cannot have written counts as none; otherwise
 * it would block every later check.
 */
export function parseStoredCheckpoint(value: unknown): StoredCheckpoint | null {
  const log = value as StoredCheckpoint | null;
  if (typeof log !== "object" || log === null) return null;
  const isValid =
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
  return isValid ? log : null;
}

/** Returns true if the time can be formatted as a date. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}

/**
 * Opens the log and compares it with the stored checkpoint. The store only ever advances along a
 * proven continuation; an alarming finding leaves it unchanged, so that the alarm stays until the
 * person decides.
 * `served` is what the server says about its log now: trusted only when nothing is stored.
 */
export async function followLog(
  reader: LogReader,
  servedLog: ServedLog,
  store: CheckpointStore,
  verify: VerifyEd25519,
  nowMs: number,
): Promise<FollowResult> {
  const stored = store.read();
  const knownCheckpoint = stored?.origin === servedLog.origin ? stored : null;
  const openedLog: OpenedLog = knownCheckpoint
    ? await openKnown(reader, knownCheckpoint, verify)
    : await openLog(reader, servedLog.origin, servedLog.vkeys, verify);
  if (!openedLog.ok && !(knownCheckpoint && openedLog.error === "key_unknown")) return openedLog;
  if (!openedLog.ok || (stored && !knownCheckpoint))
    return await openReplaced(reader, servedLog, stored, verify);
  const { view } = openedLog;
  const finding = await compare(view, knownCheckpoint);
  const latest = store.read();
  // Two checks may run concurrently: the one that saw the smaller tree must not move the store
  // back.
  const isOvertaken = latest?.origin === servedLog.origin && latest.size > view.checkpoint.size;
  if (!alarmingChanges.has(finding) && !isOvertaken) {
    // A new key is trusted only once it signs beside a key that was already trusted, or was handed
    // over to by one.
    const signers = listSigners(view.note, servedLog.origin, servedLog.vkeys, verify);
    store.write({
      origin: servedLog.origin,
      vkeys: [...new Set([...signers, ...(openedLog.vkeys ?? knownCheckpoint?.vkeys ?? [])])],
      size: view.checkpoint.size,
      root: bytesToHex(view.checkpoint.root),
      firstSeenMs: knownCheckpoint?.firstSeenMs ?? nowMs,
      seenMs: nowMs,
    });
  }
  return { ok: true, view, finding, before: knownCheckpoint, succeeded: null };
}

/** `vkeys`: the known keys and those that they handed over to, where handovers were followed. */
type OpenedLog =
  | { ok: true; view: LogView; vkeys?: readonly string[] }
  | { ok: false; error: ViewError };

/**
 * Opens a log whose keys are known. If none of them signed, the keys that they handed over to
 * count, after any number of changes.
 */
async function openKnown(
  reader: LogReader,
  { origin, vkeys }: StoredCheckpoint,
  verify: VerifyEd25519,
): Promise<OpenedLog> {
  const result = await openLog(reader, origin, vkeys, verify);
  if (result.ok || result.error !== "key_unknown") return result;
  // Loaded on demand: keys change rarely, and most visits see the old and the new key sign
  // together.
  const { followHandovers } = await import("#core/transparency-log/handover.ts");
  const handoverResult = followHandovers(await reader.handovers(), { origin, vkeys }, verify);
  if (!handoverResult.ok || handoverResult.vkeys.length === vkeys.length) return result;
  const openedLog = await openLog(reader, origin, handoverResult.vkeys, verify);
  return openedLog.ok ? { ...openedLog, vkeys: handoverResult.vkeys } : result;
}

async function openReplaced(
  reader: LogReader,
  servedLog: ServedLog,
  stored: StoredCheckpoint | null,
  verify: VerifyEd25519,
): Promise<FollowResult> {
  const result = await openLog(reader, servedLog.origin, servedLog.vkeys, verify);
  if (!result.ok) return result;
  const { view } = result;
  const replacedResult = {
    ok: true,
    view,
    finding: "replaced",
    before: stored,
    succeeded: null,
  } as const;
  const successions = servedLog.successions ?? [];
  if (!stored || stored.origin === servedLog.origin || successions.length === 0)
    return replacedResult;
  // Loaded on demand: successions almost never happen.
  const { findSuccession } = await import("./succession.ts");
  const knownCheckpoint = { ...stored, root: hexToBytes(stored.root) };
  const succession = await findSuccession(view, knownCheckpoint, successions, verify);
  if (succession === "log_changed") return { ...replacedResult, finding: "changed" };
  if (typeof succession === "string") return replacedResult;
  return { ...replacedResult, finding: "succeeded", succeeded: succession };
}

async function compare(
  view: LogView,
  knownCheckpoint: StoredCheckpoint | null,
): Promise<LogChange> {
  if (!knownCheckpoint) return "first";
  if (view.checkpoint.size < knownCheckpoint.size) return "shrunk";
  const continues = await view.continues({
    size: knownCheckpoint.size,
    root: hexToBytes(knownCheckpoint.root),
  });
  if (!continues) return "changed";
  return view.checkpoint.size === knownCheckpoint.size ? "same" : "grown";
}
