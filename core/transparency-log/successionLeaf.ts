import { base64ToBytes, bytesToBase64, equalBytes } from "#core/transparency-log/bytes.ts";
import {
  type NoteKey,
  openNote,
  parseVkey,
  splitNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * A log that lost signed leaves ends, and a successor under another name and key begins over those
 * that survived. Source: docs/formats/log.md, "Succession".
 */
export interface Succession {
  /** The log that ended, and the newest tree that it had signed. */
  ended: { origin: string; size: number; root: Uint8Array };
  /** How many of its leaves the successor begins with: the index of the leaf that says so. */
  survived: number;
  successor: { origin: string; vkey: string };
}

export interface SuccessionLeaf extends Succession {
  world: string;
  /** The statement as the keys of the ended log signed it. */
  note: string;
}

const format = "drydock.succession/1";
const isSize = (text: string | undefined): text is string =>
  /^(0|[1-9][0-9]{0,14})$/.test(text ?? "");

/** The text that the ended log's keys sign. It is not a checkpoint: its first line names no log. */
export function successionText({ ended, survived, successor }: Succession): string {
  const { origin, size, root } = ended;
  const lines = [format, origin, size, bytesToBase64(root), survived, successor.origin];
  return `${lines.join("\n")}\n${successor.vkey}\n`;
}

function parseText(text: string): Succession | null {
  const [first, origin, size, rootText, survived, to, vkey, ...rest] = text.split("\n");
  if (first !== format || rest.length !== 1 || rest[0] !== "") return null;
  const root = base64ToBytes(rootText ?? "");
  if (!isSize(size) || !isSize(survived) || root?.length !== 32) return null;
  if (!origin || !to || origin === to || parseVkey(vkey ?? "")?.name !== to) return null;
  return {
    ended: { origin, size: Number(size), root },
    survived: Number(survived),
    successor: { origin: to, vkey: vkey! },
  };
}

/** Throws a RangeError for values a decoder would refuse. */
export function encodeSuccession({ world, note }: { world: string; note: string }): Uint8Array {
  const bytes = encodeJsonLeaf("succession", { practice: true, backing: "none", world, note });
  if (!decodeSuccession(bytes, null).ok) throw new RangeError("not a valid succession");
  return bytes;
}

export function decodeSuccession(
  bytes: Uint8Array,
  tag: Uint8Array | null,
): Decoded<SuccessionLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "succession", tag);
    requireKeys(body, ["practice", "backing", "world", "note"]);
    const { world, note } = body;
    ensure(typeof note === "string");
    const parts = splitNote(note);
    const fields = parts && parseText(parts.text);
    ensure(fields !== null);
    return { world, note, ...fields };
  });
}

/** A log as a verifier knew it: its name, the keys it trusts, and the last tree it saw. */
export interface KnownLog {
  origin: string;
  vkeys: readonly string[];
  size: number;
  root: Uint8Array;
}

export type SuccessionError =
  /** The leaf is not at the position that it states. */
  | "succession_misplaced"
  /** The leaf ends a log other than the known one. */
  | "succession_of_another"
  /** No key that was trusted for the ended log signed it. */
  | "succession_unsigned"
  /** The known tree has more leaves than it says were ever signed. */
  | "succession_understates"
  /** The tree that it names is another than the known one of that size. */
  | "succession_contradicts";

/**
 * Checks a succession at leaf `index` against the known end of the old log. The caller checks that
 * the successor continues the known tree as far as leaves of it survived.
 */
export function checkSuccession(
  leaf: SuccessionLeaf,
  index: number,
  knownLog: KnownLog,
  verify: VerifyEd25519,
): SuccessionError | null {
  const { ended, survived, note } = leaf;
  if (survived !== index) return "succession_misplaced";
  if (ended.origin !== knownLog.origin) return "succession_of_another";
  const keys = knownLog.vkeys.map((vkey) => parseVkey(vkey)).filter((key): key is NoteKey => !!key);
  if (!openNote(note, keys, verify).ok) return "succession_unsigned";
  if (knownLog.size > ended.size) return "succession_understates";
  const isSame = knownLog.size < ended.size || equalBytes(knownLog.root, ended.root);
  return isSame ? null : "succession_contradicts";
}

/**
 * How many signed leaves are gone; other leaves may have been signed in their place even if none
 * was lost.
 */
export const countLostLeaves = ({ ended, survived }: Succession): number =>
  Math.max(0, ended.size - survived);
