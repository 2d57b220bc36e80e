import { sql } from "kysely";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import type { ExchangeRow } from "#server/exchange/types.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { FactValue, RecordExplanation } from "#server/records/types.ts";

/**
 * The amounts given, charged and received, with the rate and its second; facts of a second step
 * carry `_2`.
 */
export async function explainExchanges(
  db: Db,
  journalIds: string[],
): Promise<Map<string, RecordExplanation>> {
  const { rows } = await sql<ExchangeRow>`
    select * from exchange where journal_id = any(${journalIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.journal_id, { facts: toFacts(row) }]));
}

function toFacts(row: ExchangeRow): Record<string, FactValue> {
  const facts: Record<string, FactValue> = {
    given: { amount: String(row.given), coin: row.from_coin },
    received: { amount: String(row.received), coin: row.to_coin },
    at_index: { amount: String(row.at_index), coin: row.to_coin },
    exchange_cost: { amount: String(row.at_index - row.received), coin: row.to_coin },
  };
  for (const [index, step] of row.steps.entries()) {
    const name = (text: string) => (index === 0 ? text : `${text}_2`);
    facts[name("fee")] = toAmount(step.fee, step.from);
    facts[name("symbol")] = step.symbol;
    facts[name("rate")] = toPrice(step.rate, step.symbol);
    facts[name("index")] = toPrice(step.index, step.symbol);
  }
  facts.index_leaf = Number(row.index_leaf);
  facts.index_second_at_ms = Number(row.index_second_ms);
  facts.quote_id = row.quote_id;
  return facts;
}

const integer = (text: string, scale: number) => String(toMinorUnits(text, scale));
const toAmount = (text: string, coin: Coin) => ({ amount: integer(text, coinScale(coin)), coin });
const toPrice = (text: string, symbol: MarketSymbol) => integer(text, symbols[symbol].scale);
