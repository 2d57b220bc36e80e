import { dayMs } from "#core/money/time.ts";

/** Receipts of orders can be shared: they name no person, and nothing but the order. */
export const sharedKinds = ["contract", "hosting", "lease"] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** Real time: a link ends whatever the speed of its world. */
export const linkLifeMs = 30 * dayMs;
/** Links of a person that are open at once. */
export const linksMax = 20;

/** 16 random bytes in base64url without padding: the last character has two bits of them. */
export const linkSecretPattern = /^[A-Za-z0-9_-]{21}[AQgw]$/;
