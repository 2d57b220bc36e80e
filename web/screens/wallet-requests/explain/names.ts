import type { Finding } from "#web/screens/wallet-requests/explain/finding.ts";

/**
 * Names of functions by the first four bytes of their hash, from published packages
 * (`tools/build/signatures.ts`).
 * A name changes neither grade nor advice, since whoever writes a contract chooses its names.
 * Public signature databases know more of them, every invented one too, and asking them would tell
 * a stranger what a person is looking at.
 */
export interface Signatures {
  /** When they were gathered, `YYYY-MM-DD`. */
  day: string;
  /** Package, version and licence. */
  sources: string[];
  signatures: Record<string, string>;
}

/**
 * Findings with the names of the functions that `known` has a name for. A name says nothing about
 * what a contract does in it.
 */
export function withNames(findings: Finding[], { signatures }: Signatures): Finding[] {
  return findings.map((found) => {
    const name = found.id === "unknownCall" && signatures[found.values.selector?.slice(2) ?? ""];
    return name ? { ...found, id: "namedCall", values: { ...found.values, name } } : found;
  });
}

/** Only loaded once something has no name yet. */
export async function loadSignatures(): Promise<Signatures> {
  return (await import("./signatures.json")).default;
}
