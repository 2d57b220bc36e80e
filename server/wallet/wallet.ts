import type { AnswerOf } from "#api/call.ts";
import type { Balance, getWalletDetails, getWalletHistory } from "#api/wallet.ts";
import { attemptStart, startingBalance } from "#core/ledger/chart.ts";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { rechargeDayCap } from "#core/recharge/recharge.ts";
import type { HistoryRange } from "#core/wallet/balanceHistory.ts";
import { listNetworks } from "#core/wallet/networks.ts";
import { computeWorthIn, displayCurrency, type IndexOf, valuedBy } from "#core/wallet/valuation.ts";
import { computeWithdrawMinimum, withdrawFees } from "#core/withdraw/withdraw.ts";
import { requirePosted } from "#server/ledger/keys.ts";
import type { CoinBalance, Ledger } from "#server/ledger/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import { readHistory } from "#server/wallet/balanceHistory.ts";

export interface WalletList {
  items: Balance[];
  display_currency: Coin;
  total: string | null;
  priced_at_ms: number | null;
}

export interface Wallet {
  /** Posts the starting balance of an attempt; idempotent. */
  openAttempt: (owner: { userId: string; attemptId: string }) => Promise<void>;
  list(attemptId: string, display?: Coin): Promise<WalletList>;
  details(
    who: { userId: string; attemptId: string },
    coin: Coin,
    display?: Coin,
  ): Promise<WalletDetails>;
  /** The total over time up to now; `startMs` is the attempt's start in world time. */
  history(params: {
    attemptId: string;
    startMs: number;
    /** World time of its closing; null while it is open. */
    closedMs: number | null;
    range: HistoryRange;
    display?: Coin | undefined;
  }): Promise<WalletHistory>;
}

/** The last closed second's index, as provided by the market. */
export interface Prices {
  latest(): {
    secondMs: number;
    index: Readonly<Partial<Record<MarketSymbol, bigint | null>>>;
  } | null;
}

/** The same with the leaf that contains it. */
interface LoggedPrices extends Prices {
  latest(): (NonNullable<ReturnType<Prices["latest"]>> & { leaf: number }) | null;
}

type WalletDetails = AnswerOf<typeof getWalletDetails>;
type WalletHistory = AnswerOf<typeof getWalletHistory>;
type WirePoint = WalletHistory["points"][number];

export interface WalletDeps {
  ledger: Ledger;
  market: LoggedPrices;
  /**
   * The amount that a person may still recharge in this real day, as a value in decimal pUSDT. If
   * absent: a whole day's allowance.
   */
  recharge?: { rules(userId: string): Promise<{ day_left: string }> };
}

/** The user's view of the ledger: balances with their value, now and over time. */
export function createWallet(
  { database, world }: Pick<AppContext, "database" | "world">,
  { ledger, market: prices, recharge }: WalletDeps,
): Wallet {
  const rechargeRoom = async (userId: string) =>
    recharge
      ? (await recharge.rules(userId)).day_left
      : formatDecimal(rechargeDayCap, coinScale(displayCurrency));
  return {
    openAttempt: async (owner) => {
      const [issuance, wallet] = await Promise.all([
        ledger.account("house", "issuance", displayCurrency),
        ledger.account(owner, "wallet", displayCurrency),
      ]);
      const result = await ledger.post({
        id: deriveJournalId(attemptStart, owner.attemptId),
        kind: attemptStart,
        bodyHash: hashBody(ledger.world, attemptStart, {
          user: owner.userId,
          attempt: owner.attemptId,
        }),
        legs: [
          { account: wallet, amount: startingBalance },
          { account: issuance, amount: -startingBalance },
        ],
        about: owner.attemptId,
      });
      requirePosted(result);
    },
    list: async (attemptId, display) => toList(await ledger.balances(attemptId), prices, display),
    details: async ({ userId, attemptId }, coin, display = displayCurrency) => {
      const [balances, room] = await Promise.all([
        ledger.balances(attemptId),
        rechargeRoom(userId),
      ]);
      return getDetails(balances, prices, { coin, display, room });
    },
    history: async ({ attemptId, startMs, closedMs, range, display = displayCurrency }) => {
      const nowMs = prices.latest()?.secondMs ?? startMs;
      const params = { attemptId, startMs, nowMs, closedMs, range, display };
      const [{ stepMs, points }, balances] = await Promise.all([
        readHistory(database.db, world, params),
        ledger.balances(attemptId),
      ]);
      const scale = coinScale(display);
      const before = points.map(
        ([atMs, total]): WirePoint => [atMs, total === null ? null : formatDecimal(total, scale)],
      );
      const now: WirePoint = [nowMs, toList(balances, prices, display).total];
      return {
        display_currency: display,
        step_ms: stepMs,
        started_at_ms: startMs,
        // The current point is separate, later than all the others.
        points: closedMs === null ? [...before.filter(([atMs]) => atMs < nowMs), now] : before,
      };
    },
  };
}

/**
 * Balances as on the wire, valued in `display` at the last index. The total is null if a coin with
 * a balance has no index.
 */
export function toList(
  balances: CoinBalance[],
  prices: Prices,
  display: Coin = displayCurrency,
): WalletList {
  const latest = prices.latest();
  const scale = coinScale(display);
  let total: bigint | null = 0n;
  const items = balances.map(({ coin, available, held }): Balance => {
    const worth = computeWorthIn(coin, available + held, display, createIndexLookup(prices));
    total = total === null || worth === null ? null : total + worth;
    return {
      coin,
      scale: coinScale(coin),
      available: formatDecimal(available, coinScale(coin)),
      held: formatDecimal(held, coinScale(coin)),
      value: worth === null ? null : formatDecimal(worth, scale),
    };
  });
  return {
    items,
    display_currency: display,
    total: total === null ? null : formatDecimal(total, scale),
    priced_at_ms: latest?.secondMs ?? null,
  };
}

function createIndexLookup(prices: Prices): IndexOf {
  const latest = prices.latest();
  return (symbol) => latest?.index[symbol] ?? null;
}

/** One coin with everything that its page shows before anything is pressed. */
function getDetails(
  balances: CoinBalance[],
  prices: LoggedPrices,
  { coin, display, room }: { coin: Coin; display: Coin; room: string },
): WalletDetails {
  const latest = prices.latest();
  const symbol = valuedBy[coin];
  const index = symbol === null ? null : (latest?.index[symbol] ?? null);
  const balance = balances.find((coinBalance) => coinBalance.coin === coin) ?? {
    coin,
    available: 0n,
    held: 0n,
  };
  const minimum = computeWithdrawMinimum(coin, index);
  return {
    ...toList([balance], prices, display).items[0]!,
    display_currency: display,
    price:
      symbol === null || latest === null
        ? null
        : {
            symbol,
            price: index === null ? null : formatDecimal(index, symbols[symbol].scale, true),
            second_ms: latest.secondMs,
            leaf: latest.leaf,
          },
    networks: listNetworks(coin),
    withdraw: {
      fee: formatDecimal(withdrawFees[coin], coinScale(coin)),
      minimum: minimum === null ? null : formatDecimal(minimum, coinScale(coin)),
    },
    recharge_room: room,
  };
}
