/** The body of `add-checkpoint` (https://c2sp.org/tlog-witness). */
export interface AddCheckpoint {
  oldSize: number;
  proof: Buffer[];
  note: string;
}

const proofLinesMax = 63;

/** Null when it is malformed. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const separator = body.indexOf("\n\n");
  if (separator < 0) return null;
  const [old = "", ...lines] = body.slice(0, separator).split("\n");
  const size = /^old (0|[1-9][0-9]{0,15})$/.exec(old)?.[1];
  if (size === undefined || lines.length > proofLinesMax) return null;
  const proof = lines.map((line) => Buffer.from(line, "base64"));
  const isHash = (hash: Buffer, lineIndex: number) =>
    hash.length === 32 && hash.toString("base64") === lines[lineIndex];
  if (!proof.every(isHash)) return null;
  return { oldSize: Number(size), proof, note: body.slice(separator + 2) };
}
