import { dayMs } from "#core/money/time.ts";

/** Only receipts of orders can be shared: they describe the order and do not name its owner. */
export const sharedKinds = ["contract", "hosting", "lease"] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** Real time: a link's lifetime does not depend on its world's speed. */
export const linkLifeMs = 30 * dayMs;
/** The most open links of a person. */
export const linksMax = 20;

/** 16 random bytes in base64url without padding: the last character has two bits of them. */
export const linkSecretPattern = /^[A-Za-z0-9_-]{21}[AQgw]$/;
