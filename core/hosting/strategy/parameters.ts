/**
 * Strategy parameters: one setting for all symbols, venues and markets, chosen before any run on
 * data and never tuned to one. Each states its reason, and backtests count it as one setting tried.
 */

/**
 * The margin that must remain of a gap after all fees: a fifth of one fee, so that rounding alone
 * never triggers a trade.
 */
export const marginBp = 2n;
/**
 * How much worse than decided a fill may be: protects against a suddenly thin book, not a means of
 * choosing one's losses.
 */
export const limitBp = 25n;
/** The smallest order, 10 units of home. Below it, rounding and dust outweigh any gap. */
export const orderMin = 10n;
/**
 * How far an asset may drift from its share before it is rebalanced, so that both sides can trade.
 */
export const bandBp = 1_000n;
/** Buy and hold is fully invested when under a hundredth is left. */
export const holdBandBp = 100n;
/** A venue is refilled when it holds under a fifth of an even share of an asset. */
export const refillShare = 5n;
/** World time to move inventory between venues (rules: 10 minutes). The only cost is the wait. */
export const transferMs = 600_000;
/** An order that has met no book for this long is given up. */
export const expiryMs = 600_000;
