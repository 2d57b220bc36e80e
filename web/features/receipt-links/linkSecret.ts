import { linkSecretPattern } from "#core/receipt-links/rules.ts";
import { bytesToBase64 } from "#core/transparency-log/bytes.ts";

/** 128 random bits in base64url; `getRandomValues` is there outside a secure context too. */
export function createLinkSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return bytesToBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The address that opens a shared receipt. The secret is in the fragment, which browsers send to no
 * server: it is in no log and no preview.
 */
export const buildLinkUrl = (secret: string): string => `${location.origin}/r#${secret}`;

/** The secret in an address's fragment; null for anything else. */
export function parseLinkHash(hash: string): string | null {
  const secret = hash.replace(/^#/, "");
  return linkSecretPattern.test(secret) ? secret : null;
}
