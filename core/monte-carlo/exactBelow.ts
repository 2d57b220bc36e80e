import type { StakeQuote } from "#core/contracts/stake.ts";
import { divideHalfEven } from "#core/money/rounding.ts";

/**
 * The exact share of people, in basis points, who have less than at the start after `orders` equal
 * orders at random starts, each up or down by a coin flip: the binomial distribution of ties (as
 * frequent as among the starts), and for each number of ties the binomial tail of too few wins.
 * Rounded half to even. Rate 9 000 and fee 100 without ties give 5 000 after 5 orders and 7 579
 * after 100, the rest of what `computeShareAheadBp` gives.
 */
export function computeExactBelowBp(
  orders: number,
  { profit, fee, charged }: Pick<StakeQuote, "profit" | "fee" | "charged">,
  { starts, ties }: { starts: number; ties: number },
): number {
  const total = BigInt(starts);
  const decidedCount = total - BigInt(ties);
  let sum = 0n;
  let combinations = 1n;
  // A coin flip halves the share of each decided order, so a tie counts for two.
  for (let tieCount = 0; tieCount <= (ties === 0 ? 0 : orders); tieCount += 1) {
    if (tieCount > 0)
      combinations = (combinations * BigInt(orders - tieCount + 1)) / BigInt(tieCount);
    const flips = orders - tieCount;
    const weight =
      combinations * BigInt(2 * ties) ** BigInt(tieCount) * decidedCount ** BigInt(flips);
    const losing = losingWays(flips, BigInt(tieCount) * fee, { profit, fee, charged });
    sum += weight * losing;
  }
  return Number(divideHalfEven(sum * 10_000n, (2n * total) ** BigInt(orders)));
}

/** In how many of the 2^flips ways the wins do not make up for the losses and the ties' fees. */
function losingWays(
  flips: number,
  tieFees: bigint,
  { profit, fee, charged }: Pick<StakeQuote, "profit" | "fee" | "charged">,
): bigint {
  let sum = 0n;
  let combinations = 1n;
  for (let won = 0; won <= flips; won += 1) {
    if (won > 0) combinations = (combinations * BigInt(flips - won + 1)) / BigInt(won);
    const net = BigInt(won) * (profit - fee) - BigInt(flips - won) * charged - tieFees;
    if (net >= 0n) break;
    sum += combinations;
  }
  return sum;
}
