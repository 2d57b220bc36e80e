import { coinCodes } from "#core/money/coins.ts";
import { decideWithdraw } from "#core/withdraw/withdraw.ts";
import type { Check } from "./check.ts";

/**
 * Promise 3: runs the server's own rule in this browser, for the whole of balances of every size.
 */
export const checkWithdraw: Check = async () => {
  let [count, refusedCount] = [0, 0];
  for (const coin of coinCodes) {
    for (const index of [null, 1n, 99_950n, 2_812_345n, 10n ** 12n]) {
      for (let size = 0n; size < 16n; size += 1n) {
        for (const part of [1n, 3n, 7n]) {
          const available = part * 10n ** size;
          count += 1;
          if (!decideWithdraw({ coin, requested: "all", available, index }).ok) refusedCount += 1;
        }
      }
    }
  }
  return {
    outcome: refusedCount === 0 ? "holds" : "fails",
    messages: [{ id: "3.whole", values: { count, refused: refusedCount } }],
  };
};
