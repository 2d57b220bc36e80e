import { sql } from "kysely";
import type { ExchangeStep } from "#api/exchange.ts";
import { symbols } from "#core/market/symbols.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { computeWorth, displayCurrency } from "#core/wallet/valuation.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Fees and spread of an attempt's exchanges, in minor units of pUSDT at the index of each. */
export async function readExchangeCosts(
  db: Db,
  attemptId: string,
): Promise<{ fees: bigint; spread: bigint }> {
  const { rows } = await sql<{ steps: ExchangeStep[] }>`
    select steps from exchange where attempt_id = ${attemptId}`.execute(db);
  const costs = { fees: 0n, spread: 0n };
  for (const step of rows.flatMap(({ steps }) => steps)) {
    costs.fees += inPusdt(step, step.fee_cost);
    costs.spread += inPusdt(step, step.spread_cost);
  }
  return costs;
}

/** A step's cost is in the coin received; every step has pUSDT on one side. */
function inPusdt({ to, symbol, index }: ExchangeStep, cost: string): bigint {
  const amount = toMinorUnits(cost, coinScale(to));
  if (to === displayCurrency) return amount;
  return computeWorth(to, amount, toMinorUnits(index, symbols[symbol].scale)) ?? 0n;
}

/** Quotes that are still firm. */
export const countFirmQuotes = (db: Db, nowRealMs: number) =>
  countRows(
    db,
    sql<{ count: number }>`select count(*)::integer as count from exchange_quote
      where expires_real_ms > ${nowRealMs}`,
  );
