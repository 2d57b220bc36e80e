import { equalBytes, MismatchError } from "./bytes.ts";
import { Cursor, decodeJson, kinds, readKind } from "./leaves.ts";
import type { LogReader } from "./logReader.ts";
import { type Checkpoint, isSignedBy, parseVerifierKey } from "./note.ts";

/**
 * The end of a log that lost signed leaves, and what began in its place (docs/formats/log.md,
 * "Succession").
 */
export interface Succession {
  ended: { origin: string; size: number; root: Buffer };
  survived: number;
  successor: { origin: string; vkey: string };
  /** The statement's text, and the signatures of the ended log's keys. */
  text: string;
  signatures: Checkpoint["signatures"];
}

const malformed = (detail: string) => new MismatchError("leaves", "leaf_value_invalid", detail);
const size = (text: string | undefined): number => {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text ?? "")) throw malformed("size");
  return Number(text);
};

export function decodeSuccession(entry: Uint8Array, tag: Uint8Array | null): Succession {
  const fields = decodeJson(entry, "succession", tag);
  if (Object.keys(fields).sort().join() !== "backing,note,practice,world")
    throw malformed("members");
  const { note } = fields;
  const separator = typeof note === "string" ? note.lastIndexOf("\n\n") : -1;
  if (typeof note !== "string" || separator < 0 || !note.endsWith("\n")) throw malformed("note");
  // Only the line breaks are control characters, as in any signed note.
  if (Array.from(note).some((letter) => letter < " " && letter !== "\n")) throw malformed("note");
  const lines = note.slice(0, separator).split("\n");
  const [format, origin, endedSize, rootText, survivedText, to, vkey] = lines as string[];
  if (lines.length !== 7 || format !== "drydock.succession/1") throw malformed("lines");
  const root = Buffer.from(rootText ?? "", "base64");
  if (root.length !== 32 || root.toString("base64") !== rootText) throw malformed("root");
  if (!origin || !to || origin === to) throw malformed("origin");
  let name: string;
  try {
    name = parseVerifierKey(vkey ?? "").name;
  } catch {
    throw malformed("key");
  }
  if (name !== to) throw malformed("key");
  return {
    ended: { origin, size: size(endedSize), root },
    survived: size(survivedText),
    successor: { origin: to, vkey: vkey as string },
    text: note.slice(0, separator + 1),
    signatures: toSignatures(note.slice(separator + 2, -1)),
  };
}

function toSignatures(lines: string): Checkpoint["signatures"] {
  return lines.split("\n").map((line) => {
    const [, name = "", encoded = ""] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (bytes.length < 5 || bytes.toString("base64") !== encoded) throw malformed("signature line");
    return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
  });
}

/** A log as its reader last saw it. */
export interface KnownLog {
  origin: string;
  vkeys: readonly string[];
  size: number;
  root: Uint8Array;
}

/** Throws a MismatchError that says why the leaf at `index` does not end the known log. */
function requireEnds(succession: Succession, index: number, known: KnownLog): void {
  const { ended, survived, text, signatures } = succession;
  const mismatch = (name: string, detail: string) => new MismatchError("memory", name, detail);
  if (survived !== index)
    throw mismatch("succession_misplaced", `at ${index}, and says ${survived}`);
  if (ended.origin !== known.origin) throw mismatch("succession_of_another", ended.origin);
  const note = { ...ended, text, signatures };
  if (!known.vkeys.some((vkey) => isSignedBy(note, parseVerifierKey(vkey))))
    throw mismatch("succession_unsigned", "by no key that was trusted for the log that ended");
  if (known.size > ended.size)
    throw mismatch(
      "succession_understates",
      `${ended.size} leaves, and ${known.size} were signed and seen`,
    );
  if (known.size === ended.size && !equalBytes(known.root, ended.root))
    throw mismatch("succession_contradicts", `the tree of ${ended.size} leaves was another`);
}

/** A reader's knowledge of the ended log's successor. */
export interface LogSuccessor {
  /** The log that is served now, and the key that the ended log vouched for. */
  origin: string;
  vkey: string;
  /** Signed leaves that are gone. */
  lost: number;
  survived: number;
  /** World time of the first second that may be lost, Unix milliseconds; null without any before. */
  lostFromMs: number | null;
}

const successionsMax = 16;
const stepsBackMax = 4_096;

/**
 * Follows the successions in the log that is served, from the known log to it. Throws a
 * MismatchError that says why no succession leads there, or where the trees contradict each other.
 */
export async function findSuccession(
  reader: LogReader,
  knownLog: KnownLog,
  leafIndexes: readonly number[],
): Promise<LogSuccessor> {
  const successions: { index: number; leaf: Succession }[] = [];
  for (const index of leafIndexes.slice(0, successionsMax).toSorted((a, b) => a - b)) {
    const entry = await reader.leaf(index);
    if (readKind(entry, null) !== kinds.succession)
      throw new MismatchError("memory", "succession_misplaced", `leaf ${index} is none`);
    successions.push({ index, leaf: decodeSuccession(entry, null) });
  }
  let currentLog = knownLog;
  let [lostCount, survivingSize] = [0, knownLog.size];
  while (currentLog.origin !== reader.checkpoint.origin) {
    const next = successions.find(({ leaf }) => leaf.ended.origin === currentLog.origin);
    if (!next) throw new MismatchError("memory", "succession_of_another", currentLog.origin);
    successions.splice(successions.indexOf(next), 1);
    requireEnds(next.leaf, next.index, currentLog);
    lostCount += Math.max(0, next.leaf.ended.size - next.leaf.survived);
    survivingSize = Math.min(survivingSize, next.leaf.survived);
    const { origin, vkey } = next.leaf.successor;
    currentLog = { origin, vkeys: [vkey], size: 0, root: Buffer.alloc(0) };
  }
  const [signer] = currentLog.vkeys as [string];
  if (!isSignedBy(reader.checkpoint, parseVerifierKey(signer)))
    throw new MismatchError("memory", "succession_to_another", `not signed by ${signer}`);
  if (survivingSize === knownLog.size) await reader.continues(knownLog);
  const lostFromMs = await firstLostLeaf(reader, survivingSize);
  return {
    origin: currentLog.origin,
    vkey: signer,
    lost: lostCount,
    survived: survivingSize,
    lostFromMs,
  };
}

/** Describes the loss, in a sentence without its full stop. */
export function describeLoss({ lost, survived, lostFromMs }: LogSuccessor): string {
  const lossText = lostFromMs === null ? "" : `, from ${new Date(lostFromMs).toISOString()} on`;
  return `${lost} signed leaves are lost${lossText}; the first ${survived} are still there`;
}

/** The second after the last one that survived. */
async function firstLostLeaf(reader: LogReader, survivingSize: number): Promise<number | null> {
  for (
    let index = survivingSize - 1;
    index >= Math.max(0, survivingSize - stepsBackMax);
    index -= 1
  ) {
    const entry = await reader.leaf(index);
    if (readKind(entry, null) !== kinds.second) continue;
    return (Number(new Cursor(entry, 11).number()) + 1) * 1_000;
  }
  return null;
}
