/**
 * What strategies are set to. One setting for all symbols, venues and markets, chosen before any
 * run on data and never tuned to one: each has its reason here, and the history test counts it as
 * one setting tried.
 */

/**
 * What must be left of a gap after all fees: a fifth of one fee, so that no trade is made for
 * roundings.
 */
export const marginBp = 2n;
/**
 * How much worse than decided a fill may be: a guard against a book torn open, not a way to choose
 * one's losses.
 */
export const limitBp = 25n;
/** The least order: 10 units of home. Below it, roundings and dust weigh more than any gap. */
export const leastOrder = 10n;
/**
 * Stock is brought back to its share when it is this far away from it, so that both sides can
 * trade.
 */
export const bandBp = 1_000n;
/** Buy and hold has bought when under a hundredth is left. */
export const holdBandBp = 100n;
/** A venue is refilled when it has under a fifth of its even part of an asset. */
export const refillShare = 5n;
/**
 * World time to move inventory between venues (rules: 10 minutes). It costs nothing but the wait.
 */
export const transferMs = 600_000;
/** An order that met no book for so long is given up. */
export const expiryMs = 600_000;
