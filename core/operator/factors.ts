/**
 * Second factors of elevation (docs/rules/operator.md, "Second factor"): what an operator proves
 * besides the wallet's signature, because a practice wallet signs silently.
 */

/** Security keys of one operator. */
export const securityKeysMax = 10;

/** The factors that an operator has set up. */
export interface FactorState {
  passphrase: boolean;
  /** Number of registered keys, at any address. */
  keys: number;
  /** The most keys that work at one address: a lost key is replaced with another of those. */
  keysAtOneAddress: number;
  /** The factors were reset: setting up new ones takes the one-time code of the reset. */
  reset: boolean;
}

/**
 * Returns true if a factor is set up and has a way back: a passphrase, which can be typed anywhere,
 * or two keys. Until then the operator can only read.
 */
export function areFactorsReady({ passphrase, keysAtOneAddress }: FactorState): boolean {
  return passphrase || keysAtOneAddress >= 2;
}

/**
 * The proof that elevation takes besides the signature. `signature`: nothing, to set up the first
 * factor.
 */
export type NeededProof = "factor" | "code" | "signature";

export function getNeededProof({ passphrase, keys, reset }: FactorState): NeededProof {
  if (passphrase || keys > 0) return "factor";
  return reset ? "code" : "signature";
}

/**
 * The WebAuthn relying party ID for pages at this address, which is its host name; null where
 * browsers allow no security key: without a secure context (plain http, except on localhost), and at
 * an IP address (WebAuthn Level 3, 5.1.3 and 5.1.4.1: the effective domain must be a domain).
 */
export function getRelyingPartyId({
  protocol,
  hostname,
}: {
  /** With its colon. */
  protocol: string;
  /** Without a port; IPv6 in brackets. */
  hostname: string;
}): string | null {
  const host = hostname.toLowerCase();
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return null;
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  return protocol === "https:" || isLocal ? host : null;
}
