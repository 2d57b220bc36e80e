import { equalBytes } from "../log/bytes.ts";
import { followHandovers, readHandovers } from "../log/handover.ts";
import type { FileReader } from "../log/logReader.ts";
import { type Checkpoint, isSignedBy, parseVerifierKey } from "../log/note.ts";
import type { WitnessState } from "./state.ts";

/** The log's key that is trusted, and those that handed over to it, newest first. */
type TrustedKeys = Pick<WitnessState, "vkey" | "formerKeys">;

/** The trusted key, or where it no longer signs, the one that it handed over to. */
export async function findSigningKeys(
  { vkey, formerKeys }: TrustedKeys,
  checkpoint: Checkpoint,
  file: FileReader,
): Promise<TrustedKeys> {
  const signs = (vkey: string) => isSignedBy(checkpoint, parseVerifierKey(vkey));
  if (signs(vkey)) return { vkey, formerKeys };
  const handovers = await readHandovers(file);
  const reachedKeys = followHandovers(handovers, { origin: checkpoint.origin, vkeys: [vkey] });
  const index = reachedKeys.findLastIndex(signs);
  if (index < 0) return { vkey, formerKeys };
  return {
    vkey: reachedKeys[index] ?? vkey,
    formerKeys: [...reachedKeys.slice(0, index).reverse(), ...formerKeys],
  };
}

/**
 * The key to trust from now on: the newest listed one once it signs beside the trusted one, as
 * readers follow a key change too.
 */
export async function findNextKeys(
  trusted: TrustedKeys,
  checkpoint: Checkpoint,
  listedKeys: () => Promise<string[]>,
): Promise<TrustedKeys> {
  const { vkey, formerKeys } = trusted;
  const { origin } = checkpoint;
  const { keyId } = parseVerifierKey(vkey);
  const signsAnother = ({ name, keyId: id }: Checkpoint["signatures"][number]) =>
    name === origin && !equalBytes(id, keyId);
  if (!checkpoint.signatures.some(signsAnother)) return trusted;
  const parsedKeys = (await listedKeys()).map((key) => parseVerifierKey(key));
  const newest = parsedKeys.find((key) => key.name === origin && isSignedBy(checkpoint, key));
  if (!newest || newest.vkey === vkey) return trusted;
  return { vkey: newest.vkey, formerKeys: [vkey, ...formerKeys] };
}

/** A line of the trusted key must verify; one that does not makes the note malformed. */
export function isTrustedKey(checkpoint: Checkpoint, vkey: string): boolean {
  const key = parseVerifierKey(vkey);
  const trustedSignatures = checkpoint.signatures.filter(
    ({ name, keyId }) => name === key.name && equalBytes(keyId, key.keyId),
  );
  return (
    trustedSignatures.length > 0 &&
    trustedSignatures.every((item) => isSignedBy({ ...checkpoint, signatures: [item] }, key))
  );
}
