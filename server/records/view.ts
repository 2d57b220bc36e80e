import type { WalletRecord } from "#api/records.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { getGroup } from "#core/records/record.ts";
import type { LegRow, OwnAccount, WalkRow } from "#server/records/sources.ts";
import type { FactValue, RecordExplanation } from "#server/records/types.ts";

/** A record as on the wire, from a row of the walk, its legs and its explanation. */
export function toRecord(
  row: WalkRow,
  legs: readonly LegRow[],
  accounts: readonly OwnAccount[],
  explanation: RecordExplanation | undefined,
): WalletRecord {
  const accountLegs = legs.map((leg) => {
    const { kind, coin } = accounts.find(({ id }) => id === leg.account)!;
    return { ...leg, kind, coin };
  });
  const coin = accountLegs[0]?.coin ?? null;
  const order = (about: string | null) => (hasOrder(row.kind) ? about : null);
  // A person looks for the available amount first; a journal may leave it unchanged.
  const inCoin = accountLegs.filter((leg) => leg.coin === coin);
  const wallet = inCoin.filter((leg) => leg.kind === "wallet");
  const shownLegs = wallet.length > 0 ? wallet : inCoin;
  const amount = shownLegs.reduce((sum, leg) => sum + leg.amount, 0n);
  const abouts = new Set(accountLegs.map((leg) => leg.about ?? row.about));
  return {
    journal_id: row.journalId,
    type: row.kind,
    group: getGroup(row.kind),
    coin,
    amount: coin === null ? null : formatDecimal(amount, coinScale(coin)),
    balance_after: coin === null ? null : formatDecimal(shownLegs.at(-1)!.balance, coinScale(coin)),
    // In a journal about many orders each leg names its order; the record as a whole names none.
    order_id: abouts.size === 1 ? order([...abouts][0] ?? null) : null,
    legs: accountLegs.map((leg) => ({
      account: leg.kind,
      coin: leg.coin,
      amount: formatDecimal(leg.amount, coinScale(leg.coin)),
      balance_after: formatDecimal(leg.balance, coinScale(leg.coin)),
      order_id: order(leg.about ?? row.about),
    })),
    facts: Object.fromEntries(
      Object.entries(explanation?.facts ?? {}).map(([name, value]) => [name, toFact(value)]),
    ),
    link: explanation?.link ?? null,
    act: row.act,
    at_ms: row.atMs,
    recorded_at_ms: row.recordedAtMs,
  };
}

/** Journals of an attempt's own start are about the attempt, not an order. */
function hasOrder(kind: string): boolean {
  return !kind.startsWith("attempt.");
}

export function toFact(value: FactValue): WalletRecord["facts"][string] {
  if (typeof value !== "object" || value === null) return value;
  return { amount: formatDecimal(BigInt(value.amount), coinScale(value.coin)), coin: value.coin };
}
