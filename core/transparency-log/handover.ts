import {
  openNote,
  parseVkey,
  type SignEd25519,
  signNote,
  splitNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";

/**
 * A key of a log vouches for the key that takes over from it, in a note that is kept for as long as
 * the log is served. Source: docs/formats/log.md, "Handover".
 */
export interface Handover {
  origin: string;
  /** Verifier keys. */
  from: string;
  to: string;
}

const format = "drydock.handover/1";
const notesMax = 64;

/** The text that both keys sign. It is not a checkpoint: its first line names no log. */
export const handoverText = ({ origin, from, to }: Handover): string =>
  `${format}\n${origin}\n${from}\n${to}\n`;

/** The note of a handover, by the signers of both keys, the older one first. */
export function signHandover(
  handover: Handover,
  signers: readonly {
    key: NonNullable<ReturnType<typeof parseVkey>>;
    sign: SignEd25519;
  }[],
): string {
  return signNote(handoverText(handover), signers);
}

/** The handover that a note states, its signatures unverified; null when malformed. */
function parseHandover(note: string): Handover | null {
  const [first, origin = "", from = "", to = "", ...rest] = splitNote(note)?.text.split("\n") ?? [];
  if (first !== format || rest.length !== 1 || rest[0] !== "" || from === to) return null;
  const names = [from, to].map((vkey) => parseVkey(vkey)?.name);
  return origin !== "" && names.every((name) => name === origin) ? { origin, from, to } : null;
}

export type HandoverError =
  /** The list, or a note in it, is not of its form or of this log. */
  | "handover_malformed"
  /** A key on the way hands over to two others. */
  | "handover_forked"
  /** One of the two keys did not sign. */
  | "handover_unsigned";

/**
 * Follows handovers from the trusted keys. Returns all keys reached, including the trusted ones;
 * `handoverNotes` is the list that the instance serves.
 */
export function followHandovers(
  handoverNotes: unknown,
  { origin, vkeys }: { origin: string; vkeys: readonly string[] },
  verify: VerifyEd25519,
): { ok: true; vkeys: string[] } | { ok: false; error: HandoverError } {
  if (!Array.isArray(handoverNotes) || handoverNotes.length > notesMax)
    return { ok: false, error: "handover_malformed" };
  const handovers: { note: string; stated: Handover }[] = [];
  for (const note of handoverNotes) {
    const handover = typeof note === "string" ? parseHandover(note) : null;
    if (handover?.origin !== origin) return { ok: false, error: "handover_malformed" };
    handovers.push({ note, stated: handover });
  }
  const reachedKeys = [...new Set(vkeys)];
  // The list grows during the iteration.
  for (const from of reachedKeys) {
    const next = handovers.filter(({ stated }) => stated.from === from);
    if (new Set(next.map(({ stated }) => stated.to)).size > 1)
      return { ok: false, error: "handover_forked" };
    for (const { note, stated } of next) {
      if (!isSigned(note, stated, verify)) return { ok: false, error: "handover_unsigned" };
      if (!reachedKeys.includes(stated.to)) reachedKeys.push(stated.to);
    }
  }
  return { ok: true, vkeys: reachedKeys };
}

/** Returns true if both keys of the handover signed it. */
function isSigned(note: string, { from, to }: Handover, verify: VerifyEd25519): boolean {
  return [from, to].every((vkey) => {
    const key = parseVkey(vkey);
    return key !== null && openNote(note, [key], verify).ok;
  });
}
