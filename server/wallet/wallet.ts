import type { Balance } from "#api/wallet.ts";
import { attemptStart, startingBalance } from "#core/ledger/chart.ts";
import { bodyHashOf, journalIdOf } from "#core/ledger/ids.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { displayCurrency, valuedBy, worthOf } from "#core/wallet/worth.ts";
import { refuseUnlessPosted } from "#server/ledger/keys.ts";
import type { CoinBalance, Ledger } from "#server/ledger/types.ts";
import type { Database } from "#server/platform/db.ts";

export interface WalletList {
  items: Balance[];
  display_currency: Coin;
  total: string | null;
  priced_at_ms: number | null;
}

export interface Wallet {
  /** Posts the starting balance of an attempt; the second time does nothing. */
  openAttempt(who: { userId: string; attemptId: string }): Promise<void>;
  list(attemptId: string): Promise<WalletList>;
}

/** The last closed second's index: what the market gives. */
export interface Prices {
  latest(): {
    secondMs: number;
    index: Readonly<Partial<Record<MarketSymbol, bigint | null>>>;
  } | null;
}

/** The user's view of the ledger: balances with their worth, and what moved them. */
export function createWallet(
  _parts: { database: Database },
  ledger: Ledger,
  prices: Prices,
): Wallet {
  return {
    openAttempt: async (who) => {
      const [issuance, wallet] = await Promise.all([
        ledger.account("house", "issuance", displayCurrency),
        ledger.account(who, "wallet", displayCurrency),
      ]);
      const result = await ledger.post({
        id: journalIdOf(attemptStart, who.attemptId),
        kind: attemptStart,
        bodyHash: bodyHashOf(ledger.world, attemptStart, {
          user: who.userId,
          attempt: who.attemptId,
        }),
        legs: [
          { account: wallet, amount: startingBalance },
          { account: issuance, amount: -startingBalance },
        ],
        about: who.attemptId,
      });
      refuseUnlessPosted(result);
    },
    list: async (attemptId) => listOf(await ledger.balances(attemptId), prices),
  };
}

/** Balances as the wire has them, valued at the last index. The total is null when a coin that is there has no index. */
export function listOf(balances: CoinBalance[], prices: Prices): WalletList {
  const latest = prices.latest();
  const scale = scaleOf(displayCurrency);
  let total: bigint | null = 0n;
  const items = balances.map(({ coin, available, held }): Balance => {
    const symbol = valuedBy[coin];
    const index = symbol === null ? null : (latest?.index[symbol] ?? null);
    const worth = worthOf(coin, available + held, index);
    total = total === null || worth === null ? null : total + worth;
    return {
      coin,
      scale: scaleOf(coin),
      available: formatDecimal(available, scaleOf(coin)),
      held: formatDecimal(held, scaleOf(coin)),
      value: worth === null ? null : formatDecimal(worth, scale),
    };
  });
  return {
    items,
    display_currency: displayCurrency,
    total: total === null ? null : formatDecimal(total, scale),
    priced_at_ms: latest?.secondMs ?? null,
  };
}
