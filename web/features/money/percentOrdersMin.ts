/**
 * The fewest settled orders for which the share that lost, or was right, is shown as a percentage.
 * For fewer it is shown as a count, because one order that lost is not "100 %" of anything.
 */
export const percentOrdersMin = 10;
