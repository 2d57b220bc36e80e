import { MismatchError } from "./bytes.ts";
import { type Checkpoint, isSignedBy, parseVerifierKey } from "./note.ts";

/** Handovers from one key of a log to the next (docs/formats/log.md, "Handover"). */
interface Handover {
  from: string;
  to: string;
  text: string;
  signatures: Checkpoint["signatures"];
}

/** Reads a file under `/log`. */
type FileReader = (path: string) => Promise<Uint8Array>;

const notesMax = 64;
const malformed = (detail: string) => new MismatchError("memory", "handover_malformed", detail);

/** The notes that an instance serves, unchecked; none when it serves no such file. */
export async function readHandovers(file: FileReader): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    bytes = await file("handovers");
  } catch (error) {
    if (error instanceof MismatchError && error.difference === "leaf_missing") return [];
    throw error;
  }
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw malformed("/log/handovers is no JSON");
  }
}

/**
 * All keys reachable from the trusted ones by handovers, the trusted ones first. Throws a
 * MismatchError if a note is malformed or unsigned, or if a key hands over to two keys.
 */
export function followHandovers(
  handoverNotes: unknown,
  { origin, vkeys }: { origin: string; vkeys: readonly string[] },
): string[] {
  if (!Array.isArray(handoverNotes) || handoverNotes.length > notesMax) throw malformed("the list");
  const handovers = handoverNotes.map((note) => parseHandover(note, origin));
  const next = new Map<string, Handover>();
  const forkedKeys = new Set<string>();
  for (const handover of handovers) {
    const existing = next.get(handover.from);
    if (existing && existing.to !== handover.to) forkedKeys.add(handover.from);
    next.set(handover.from, handover);
  }
  const reachedKeys = new Set(vkeys);
  for (const key of reachedKeys) {
    if (forkedKeys.has(key))
      throw new MismatchError("memory", "handover_forked", `${key} hands over to two keys`);
    for (const handover of handovers.filter(({ from }) => from === key)) {
      const signers = [handover.from, handover.to].map((vkey) => parseVerifierKey(vkey));
      const missingSigner = signers.find((signer) => !isSignedBy(toNote(handover), signer));
      if (missingSigner)
        throw new MismatchError("memory", "handover_unsigned", `not by ${missingSigner.vkey}`);
      // Iterating a set includes elements added during the iteration.
      reachedKeys.add(handover.to);
    }
  }
  return [...reachedKeys];
}

/**
 * Returns the trusted keys that signed the checkpoint; if none did, the keys they handed over to
 * that signed it.
 */
export async function findSigningKeys(
  reader: { checkpoint: Checkpoint; handovers(): Promise<unknown> },
  vkeys: readonly string[],
): Promise<string[]> {
  const { checkpoint } = reader;
  const isSigned = (vkey: string) => isSignedBy(checkpoint, parseVerifierKey(vkey));
  const signingKeys = vkeys.filter(isSigned);
  if (signingKeys.length > 0 || vkeys.length === 0) return signingKeys;
  const { origin } = checkpoint;
  return followHandovers(await reader.handovers(), { origin, vkeys }).filter(isSigned);
}

/** Lets `isSignedBy` verify a handover like a checkpoint: over the text of the note. */
const toNote = ({ text, signatures }: Handover): Checkpoint => ({
  origin: "",
  size: 0,
  root: Buffer.alloc(0),
  text,
  signatures,
});

function parseHandover(note: unknown, origin: string): Handover {
  const [text, lines, ...extra] = typeof note === "string" ? note.split("\n\n") : [];
  if (text === undefined || !lines?.endsWith("\n") || extra.length > 0) throw malformed("a note");
  const [format, log, from = "", to = "", ...rest] = text.split("\n");
  const isForm = format === "drydock.handover/1" && rest.length === 0 && from !== to;
  if (!isForm || log !== origin) throw malformed(`of ${log}`);
  for (const vkey of [from, to]) if (getName(vkey) !== origin) throw malformed(vkey);
  const signatures = lines
    .slice(0, -1)
    .split("\n")
    .map((line) => {
      const [, name, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
      const bytes = Buffer.from(encoded ?? "", "base64");
      if (!name || bytes.length < 5 || bytes.toString("base64") !== encoded)
        throw malformed("a signature line");
      return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
    });
  return { from, to, text: `${text}\n`, signatures };
}

function getName(vkey: string): string | null {
  try {
    return parseVerifierKey(vkey).name;
  } catch {
    return null;
  }
}
