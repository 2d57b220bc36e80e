import { sql } from "kysely";
import type { ExchangeAtVenues } from "#api/exchange.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { hourMs } from "#core/money/time.ts";
import { createAtVenues, readAtVenues } from "#server/exchange/atVenues.ts";
import { createExchangeExecution, readExchange } from "#server/exchange/execute.ts";
import { readExecutedCosts } from "#server/exchange/executedCosts.ts";
import { explainExchanges } from "#server/exchange/explain.ts";
import { createQuoteService, type ExchangePrices } from "#server/exchange/quotes.ts";
import { toExchangeView } from "#server/exchange/views.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/** How long an unused quote is kept, so that a late attempt gets a precise error. */
const retentionMs = hourMs;

export interface ExchangeDeps {
  ledger: Ledger;
  market: ExchangePrices & {
    /** The world's venues, in the order of its `world` leaf. */
    venues: readonly string[];
  };
}

/** Exchange on the server: quotes and their execution (docs/rules/wallet.md, "Exchange"). */
export function createExchange(ctx: AppContext, { ledger, market }: ExchangeDeps) {
  const { db } = ctx.database;
  const purge = async () => {
    await sql`
      delete from exchange_quote where expires_real_ms < ${ctx.realClock.nowMs() - retentionMs}`.execute(
      db,
    );
  };
  return {
    jobs: [{ name: "exchange.purge", everySeconds: 1800, run: purge }] satisfies readonly Job[],
    ledger,
    quote: createQuoteService(ctx, market),
    execute: createExchangeExecution(ctx, ledger, market),
    /** The exchange of a journal, as the wire has it; null when it is not this person's. */
    find: async (userId: string, id: string) => {
      const row = await readExchange(db, userId, id);
      return row && toExchangeView(row);
    },
    /** The result that the person's exchange would have had at the venues of a live market. */
    atVenues: async (userId: string, id: string): Promise<ExchangeAtVenues> => {
      const row = isUuid(id) ? await readExchange(db, userId, id) : null;
      return readAtVenues(ctx, row);
    },
    afterAppend: createAtVenues(ctx, market.venues)?.afterAppend,
    /** Throws `records.unknown` when it is not this person's. */
    costs: async (userId: string, id: string) => {
      const row = isUuid(id) ? await readExchange(db, userId, id) : null;
      if (!row) throw new ApiError("records.unknown");
      return readExecutedCosts(ctx, row);
    },
    explain: (journalIds: string[]) => explainExchanges(db, journalIds),
  };
}
export type Exchanges = ReturnType<typeof createExchange>;
