import { sql } from "kysely";
import { hourMs } from "#core/money/time.ts";
import { createExecuting, readExchange } from "#server/exchange/execute.ts";
import { explainExchanges } from "#server/exchange/explain.ts";
import { createQuoting, type ExchangePrices } from "#server/exchange/quotes.ts";
import { exchangeView } from "#server/exchange/views.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Parts } from "#server/platform/context.ts";

/** How long a quote that was not carried out is kept, so that what is wrong with it can be said. */
const keptMs = hourMs;

export interface ExchangeDeps {
  ledger: Ledger;
  market: ExchangePrices;
}

/** Exchange on the server: quotes, and carrying them out (docs/rules/wallet.md, "Exchange"). */
export function createExchange(parts: Parts, { ledger, market }: ExchangeDeps) {
  const { db } = parts.database;
  const purge = async () => {
    await sql`
      delete from exchange_quote where expires_real_ms < ${parts.realClock.nowMs() - keptMs}`.execute(
      db,
    );
  };
  parts.jobs.every("exchange.purge", "*/30 * * * *", purge);
  return {
    ledger,
    quote: createQuoting(parts, market),
    execute: createExecuting(parts, ledger),
    /** The exchange that a journal was, as the wire has it; null when it is not this person's. */
    find: async (userId: string, id: string) => {
      const row = await readExchange(db, userId, id);
      return row && exchangeView(row);
    },
    explain: (journalIds: string[]) => explainExchanges(db, journalIds),
  };
}
export type Exchanges = ReturnType<typeof createExchange>;
