/**
 * Settled orders from which the share that lost, or was right, is a percentage: of fewer, it is
 * given as a count, because one order that lost is not "100 %" of anything.
 */
export const percentOrdersMin = 10;
