import { readFileSync } from "node:fs";
import { isShownFacts, type ShownFacts } from "../records/comparison.ts";
import { equalBytes, MismatchError, toHex } from "./bytes.ts";
import { writeDurably } from "./durable.ts";
import { findSigningKeys } from "./handover.ts";
import type { LogReader } from "./logReader.ts";
import { type Checkpoint, parseCheckpoint } from "./note.ts";
import { describeLoss, findSuccession, type LogSuccessor } from "./succession.ts";

/**
 * The verifier's storage between runs: for each log, the last checkpoint it proved, the key it trusts,
 * and what receipts of it showed; and for each instance, which log it served. This exposes a log that was truncated,
 * changed or replaced, also by one under another name.
 */
interface CheckpointStore {
  /** By origin. */
  logs: Record<string, { vkey: string; checkpoint: string }>;
  /** The log's origin, by the instance's address. */
  instances: Record<string, string>;
  /** Facts that receipts of a log showed, by its origin. */
  shown: Record<string, ShownFacts>;
}

function load(file: string): CheckpointStore {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { logs: {}, instances: {}, shown: {} };
    throw error;
  }
  try {
    const { logs, instances, shown = {} } = JSON.parse(text) as Partial<CheckpointStore>;
    if (!logs || !instances || !Object.values(shown).every(isShownFacts))
      throw new TypeError("not this format");
    return { logs, instances, shown };
  } catch {
    throw new MismatchError(
      "memory",
      "memory_unreadable",
      `${file} is not a memory of this verifier; move it away to begin over`,
    );
  }
}

const write = (file: string, store: CheckpointStore): Promise<void> =>
  writeDurably(file, `${JSON.stringify(store, null, 1)}\n`);

/** Facts that receipts of each log showed. */
export const readShownFacts = (file: string): Record<string, ShownFacts> => load(file).shown;

export const writeShownFacts = (file: string, facts: Record<string, ShownFacts>): Promise<void> =>
  write(file, { ...load(file), shown: facts });

/** The key under which an instance is stored: its address without query and trailing slash. */
function getAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}

/** The trusted key of this log; null for a log never seen. */
export function readTrustedKey(file: string, origin: string): string | null {
  return load(file).logs[origin]?.vkey ?? null;
}

/** The stored state of a log. */
export interface StoredLog {
  vkey: string;
  /** The last proven checkpoint. */
  checkpoint: Checkpoint;
}

/** Null for a log never seen. */
export function readStoredLog(file: string, origin: string): StoredLog | null {
  const stored = load(file).logs[origin];
  return stored ? { vkey: stored.vkey, checkpoint: parseCheckpoint(stored.checkpoint) } : null;
}

/**
 * Compares a checkpoint from a file with the stored one of its log. Two trees of one size must be
 * the same; others cannot be compared without the log. Returns the key that is trusted for the log,
 * null if the log was never seen.
 */
export function compareStored(file: string, checkpoint: Checkpoint): string | null {
  const stored = readStoredLog(file, checkpoint.origin);
  if (!stored) return null;
  const { checkpoint: storedCheckpoint } = stored;
  if (
    storedCheckpoint.size === checkpoint.size &&
    !equalBytes(storedCheckpoint.root, checkpoint.root)
  )
    throw new MismatchError(
      "memory",
      "log_changed",
      `the tree of ${storedCheckpoint.size} leaves was ${toHex(storedCheckpoint.root)}`,
    );
  return stored.vkey;
}

/** The address of a log, and whether the reader expects a different log there than before. */
export interface ServedLog {
  url: string;
  vkey: string;
  acceptNewLog: boolean;
  /** The successor of a log that ended, by its origin, if the reader expects one. */
  acceptSuccessor?: string | undefined;
  /** Leaves that are successions, as the instance lists them. */
  successions?: readonly number[];
}

/**
 * Step 3: compares the log with the stored checkpoint and, if it extends it, stores the new one.
 * Resolves with a sentence. A changed key is accepted only if the stored key signed the new
 * checkpoint too, or handed over, in one step or several, to a key that did. Another log at a known
 * address is a difference unless the reader expects it; otherwise a new name would silence every
 * alarm. A successor that the ended log's own key vouches for is a separate finding that states the
 * loss.
 */
export async function followLog(
  file: string,
  reader: LogReader,
  servedLog: ServedLog,
): Promise<string> {
  const { url, vkey } = servedLog;
  const store = load(file);
  const { checkpoint } = reader;
  const address = getAddress(url);
  const before = store.instances[address] ?? checkpoint.origin;
  let message = `This log was not seen before: ${checkpoint.size} leaves are remembered from now on.`;
  if (before !== checkpoint.origin)
    message = await acceptOther(store.logs[before], { before, address }, reader, servedLog);
  const stored = store.logs[checkpoint.origin];
  if (stored) {
    const signer = await requireHeir(reader, stored.vkey);
    const older = parseCheckpoint(stored.checkpoint);
    await reader.continues(older);
    const handoverText =
      signer === stored.vkey ? "" : " Its key was changed, and the one before it vouches for it.";
    message = `The log continues the one remembered (${older.size} leaves then, ${checkpoint.size} now).${handoverText}`;
  }
  const nextStore: CheckpointStore = {
    logs: { ...store.logs, [checkpoint.origin]: { vkey, checkpoint: formatNote(checkpoint) } },
    instances: { ...store.instances, [address]: checkpoint.origin },
    shown: store.shown,
  };
  await write(file, nextStore);
  return message;
}

/**
 * The signer of the checkpoint: the trusted key or one that it handed over to; throws if neither
 * signed.
 */
async function requireHeir(reader: LogReader, trusted: string): Promise<string> {
  const [signer] = await findSigningKeys(reader, [trusted]);
  if (signer !== undefined) return signer;
  throw new MismatchError(
    "memory",
    "key_replaced",
    "neither the key that was trusted before nor one that it handed over to signed this checkpoint",
  );
}

/**
 * A known address serves another log. Resolves with a sentence if the reader expects it; throws a
 * MismatchError otherwise.
 */
async function acceptOther(
  storedLog: CheckpointStore["logs"][string] | undefined,
  { before, address }: { before: string; address: string },
  reader: LogReader,
  { acceptNewLog, acceptSuccessor, successions = [] }: ServedLog,
): Promise<string> {
  const { origin } = reader.checkpoint;
  const successor = storedLog && (await findSuccessor(storedLog, before, reader, successions));
  if (successor && "lost" in successor) {
    const loss = `the log ${before} ended, and ${origin} succeeds it: ${describeLoss(successor)}`;
    if (acceptSuccessor === origin || acceptNewLog) return `Accepted: ${loss}.`;
    const detail = `${address}: ${loss}; --accept-successor ${origin} accepts that`;
    throw new MismatchError("memory", "log_succeeded", detail);
  }
  if (acceptNewLog) return `Accepted: ${origin} stands where ${before} stood before.`;
  if (successor?.difference === "log_changed") throw successor;
  const reason = successor ? ` (no valid succession: ${successor.difference})` : "";
  throw new MismatchError(
    "memory",
    "log_replaced",
    `${address} served the log ${before} before, and serves ${origin} now${reason}; --accept-new-log accepts that`,
  );
}

/** The succession from the known log to the served one, or the difference that rules it out. */
async function findSuccessor(
  { vkey, checkpoint }: CheckpointStore["logs"][string],
  origin: string,
  reader: LogReader,
  successions: readonly number[],
): Promise<LogSuccessor | MismatchError> {
  const { size, root } = parseCheckpoint(checkpoint);
  try {
    return await findSuccession(reader, { origin, vkeys: [vkey], size, root }, successions);
  } catch (error) {
    if (error instanceof MismatchError) return error;
    throw error;
  }
}

function formatNote({ text, signatures }: Checkpoint): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) =>
      `— ${name} ${Buffer.concat([keyId, signature]).toString("base64")}\n`,
  );
  return `${text}\n${lines.join("")}`;
}
