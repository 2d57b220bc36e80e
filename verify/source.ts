import { type Archive, compareArchive, type KnownArchive, openArchive } from "./archive.ts";
import { CannotCheckError, type Instance, openInstance, openLog } from "./instance.ts";
import { followLog } from "./log/checkpointStore.ts";
import type { LogReader } from "./log/logReader.ts";
import { parseVerifierKey, type VerifierKey } from "./log/note.ts";

/** The source of a log, and the reader's knowledge of it. */
export interface SourceOptions {
  url: string;
  /** File of an archive; it is read instead of the instance. */
  archive?: string | undefined;
  memory: string;
  acceptNewLog: boolean;
  /** Origin of a successor that the reader expects. */
  acceptSuccessor?: string | undefined;
  /** Verifier keys of logs that the reader knows. */
  keys?: readonly string[];
}

/** An instance, or the archive of a world. */
export interface Source {
  instance: Instance;
  archive: Archive | null;
}

export function openSource({ url, archive: path }: Pick<SourceOptions, "url" | "archive">): Source {
  if (path === undefined) return { instance: openInstance(url), archive: null };
  const archive = openArchive(path);
  return { instance: archive.instance, archive };
}

/** A log that was opened and compared with the stored checkpoint. */
export interface FollowedLog {
  reader: LogReader;
  /** The key that signed the checkpoint. */
  vkey: string;
  /** All keys of this log that may have signed. */
  keys: readonly string[];
  lines: string[];
  /** Null for an instance. */
  archive: KnownArchive | null;
}

/**
 * Opens the log of a source and follows it. `statedLog` is the receipt's own `log` member, if any.
 */
export async function openAndFollow(
  { instance, archive }: Source,
  options: SourceOptions,
  statedLog: { origin: string; vkey: string } | null = null,
): Promise<FollowedLog> {
  const { reader, vkey, keys, successions, message } = await openLog(
    instance,
    options.memory,
    statedLog,
  );
  if (!archive) {
    const followedLog = await followLog(options.memory, reader, { ...options, vkey, successions });
    return { reader, vkey, keys, lines: [message, followedLog], archive: null };
  }
  const verifierKeys = (options.keys ?? []).map(parseGivenKey);
  const comparison = await compareArchive(options.memory, reader, { vkey, given: verifierKeys });
  return { reader, vkey, keys, lines: [message, ...comparison.lines], archive: comparison.archive };
}

/** Parses the key of a log as typed by the reader. */
export function parseGivenKey(vkey: string): VerifierKey {
  try {
    return parseVerifierKey(vkey);
  } catch {
    throw new CannotCheckError(`${vkey} is not a key of a log (an Ed25519 key of a signed note).`);
  }
}
