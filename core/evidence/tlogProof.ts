import { base64ToBytes, bytesToBase64 } from "#core/transparency-log/bytes.ts";

/** A C2SP transparency log proof (https://c2sp.org/tlog-proof), version 1, without extra data. */
export interface TlogProof {
  index: number;
  /** The inclusion path, from the leaf's sibling to the root's child. */
  path: Uint8Array[];
  /** The signed checkpoint, verbatim. */
  note: string;
}

const header = "c2sp.org/tlog-proof@v1";

export function formatTlogProof({ index, path, note }: TlogProof): string {
  return [header, `index ${index}`, ...path.map(bytesToBase64), "", note].join("\n");
}

/**
 * Parses a proof; null when malformed. An `extra` line is refused too: nothing signs it, and
 * evidence needs none.
 */
export function parseTlogProof(text: string): TlogProof | null {
  const separator = text.indexOf("\n\n");
  if (separator < 0) return null;
  const [first, second, ...rest] = text.slice(0, separator).split("\n");
  const index = /^index (0|[1-9][0-9]{0,15})$/.exec(second ?? "")?.[1];
  const path = rest.map(base64ToBytes);
  const isValidPath = path.length <= 64 && path.every((hash) => hash?.length === 32);
  if (first !== header || !Number.isSafeInteger(Number(index ?? Number.NaN)) || !isValidPath)
    return null;
  return { index: Number(index), path: path as Uint8Array[], note: text.slice(separator + 2) };
}
