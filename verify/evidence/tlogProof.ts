import { MismatchError } from "../log/bytes.ts";

/** A C2SP transparency log proof, version 1 (https://c2sp.org/tlog-proof). */
export interface TlogProof {
  index: number;
  path: Buffer[];
  /** The signed note of the checkpoint. */
  note: string;
}

/** Strict base64 of RFC 4648, section 4; null for any other spelling. */
export function parseBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** Reads the lines in their order: name, index, path, an empty line, the checkpoint. */
export function parseTlogProof(text: string): TlogProof {
  const malformed = (detail: string) => new MismatchError("note", "note_malformed", detail);
  const lines = text.split("\n");
  if (lines[0] !== "c2sp.org/tlog-proof@v1") throw malformed("not a tlog-proof of version 1");
  const index = /^index ([0-9]{1,16})$/.exec(lines[1] ?? "")?.[1];
  if (index === undefined || String(Number(index)) !== index) throw malformed("its index");
  const path: Buffer[] = [];
  let lineIndex = 2;
  for (; lines[lineIndex] !== ""; lineIndex++) {
    const hash = parseBase64(lines[lineIndex] ?? "");
    if (hash?.length !== 32 || path.length === 64) throw malformed("its inclusion path");
    path.push(hash);
  }
  return { index: Number(index), path, note: lines.slice(lineIndex + 1).join("\n") };
}
