import type { Balance } from "#api/wallet.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";

const scale = coinScale(displayCurrency);
const enoughBalance = 100n * 10n ** BigInt(scale);

/**
 * Returns true if less than 100 pUSDT is free to practise with. `balances` carry values in pUSDT.
 * Held amounts count as gone: they are leaving. A coin without a price counts as enough, because
 * its value is unknown.
 */
export function isLow(balances: readonly Balance[]): boolean {
  let free = 0n;
  for (const { coin, available, held, value } of balances) {
    if (/^[0.]*$/.test(available)) continue;
    if (coin === displayCurrency) free += toMinorUnits(available, scale);
    else if (value === null || !/^[0.]*$/.test(held)) return false;
    else free += toMinorUnits(value, scale);
  }
  return free < enoughBalance;
}
