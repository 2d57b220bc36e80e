import type { RequestFinding } from "#web/screens/wallet-requests/explain/finding.ts";

/**
 * Function names by selector, from published packages (`build/signatures.ts`).
 * A name changes neither risk nor advice, since a contract's author chooses its names. Public
 * signature databases know more of them, including every invented one, but a look-up there would
 * tell a stranger what a person is looking at.
 */
export interface Signatures {
  /** When they were collected, `YYYY-MM-DD`. */
  day: string;
  /** Package, version and licence. */
  sources: string[];
  signatures: Record<string, string>;
}

/**
 * Adds names from `known` to the findings. A name says nothing about what a contract does in the
 * function.
 */
export function addNames(findings: RequestFinding[], { signatures }: Signatures): RequestFinding[] {
  return findings.map((finding) => {
    const name =
      finding.id === "unknownCall" && signatures[finding.values.selector?.slice(2) ?? ""];
    return name ? { ...finding, id: "namedCall", values: { ...finding.values, name } } : finding;
  });
}

/** Loaded only once some finding lacks a name. */
export async function loadSignatures(): Promise<Signatures> {
  return (await import("./signatures.json")).default;
}
