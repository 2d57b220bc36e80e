import { sql } from "kysely";
import { decideExecution } from "#core/exchange/exchange.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { lockCurrentAttempts } from "#server/addresses/currentAttempts.ts";
import { type ExchangePrices, getFreshPrices } from "#server/exchange/quotes.ts";
import {
  type ExchangeOwner,
  type ExchangeRow,
  executeKind,
  type QuoteRow,
} from "#server/exchange/types.ts";
import { requirePosted } from "#server/ledger/keys.ts";
import type { Ledger, Leg } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * Executes quotes: posts the journal `id` at exactly the quoted terms, or throws an ApiError and
 * changes nothing.
 */
export function createExchangeExecution(ctx: AppContext, ledger: Ledger, prices: ExchangePrices) {
  const { db } = ctx.database;
  return async (
    owner: ExchangeOwner,
    quoteId: string,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<ExchangeRow> => {
    const quote = isUuid(quoteId) ? await readQuote(db, owner, quoteId) : null;
    if (!quote) throw new ApiError("exchange.quote_unknown");
    const legs = await buildLegs(ledger, owner, quote);
    const exchangeRow = await ledger.transact(async (tx) => {
      const current = await lockCurrentAttempts(tx, [owner.userId]);
      if (current.get(owner.userId) !== owner.attemptId) {
        throw new ApiError("exchange.quote_unknown");
      }
      const atMs = ctx.clock.nowMs();
      // Concurrent executions serialise here.
      if (!(await enter(tx, owner, quote, id, atMs))) return executedBefore(tx, quoteId, id);
      if (ctx.realClock.nowMs() > Number(quote.expires_real_ms)) {
        throw new ApiError("exchange.quote_expired");
      }
      requireStanding(ctx, prices, quote);
      const [result] = await ledger.postIn(
        tx,
        [{ id, kind: executeKind, bodyHash, legs, about: quoteId }],
        atMs,
      );
      requirePosted(result!);
      return { ...quote, journal_id: id, at_ms: BigInt(atMs) };
    });
    return exchangeRow;
  };
}

/** The exchange that the journal `id` posted; null when it is not this person's. */
export async function readExchange(
  db: Db | Tx,
  userId: string,
  id: string,
): Promise<ExchangeRow | null> {
  const { rows } = await sql<ExchangeRow>`
    select * from exchange where journal_id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Throws `exchange.rate_moved` or `exchange.no_price`. No second closes during the transaction. */
function requireStanding(ctx: AppContext, prices: ExchangePrices, quote: QuoteRow): void {
  const index = getFreshPrices(ctx, prices)?.index ?? {};
  const { from_coin: from, to_coin: to, given, received, at_index: atIndex } = quote;
  const decision = decideExecution(
    { from, to, given, received, atIndex },
    (symbol) => index[symbol] ?? null,
  );
  if (decision === "no_price") throw new ApiError("exchange.no_price");
  if (decision === "moved") throw new ApiError("exchange.rate_moved");
}

async function readQuote(
  db: Db,
  { userId, attemptId }: ExchangeOwner,
  quoteId: string,
): Promise<QuoteRow | null> {
  const { rows } = await sql<QuoteRow>`
    select * from exchange_quote
    where quote_id = ${quoteId} and user_id = ${userId} and attempt_id = ${attemptId}`.execute(db);
  return rows[0] ?? null;
}

/** Records the exchange; false when the quote was already executed. */
async function enter(
  tx: Tx,
  { userId, attemptId }: ExchangeOwner,
  quote: QuoteRow,
  id: string,
  atMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into exchange (journal_id, quote_id, user_id, attempt_id, from_coin, to_coin, given, received, at_index, steps,
      index_second_ms, index_leaf, at_ms)
    values (${id}, ${quote.quote_id}, ${userId}, ${attemptId}, ${quote.from_coin}, ${quote.to_coin}, ${quote.given},
      ${quote.received}, ${quote.at_index}, ${JSON.stringify(quote.steps)}::jsonb, ${quote.index_second_ms},
      ${quote.index_leaf}, ${atMs})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length > 0;
}

async function executedBefore(tx: Tx, quoteId: string, id: string): Promise<ExchangeRow> {
  const { rows } = await sql<ExchangeRow>`
    select * from exchange where quote_id = ${quoteId}`.execute(tx);
  const [before] = rows;
  // The same request was executed in another process: return its result.
  if (before?.journal_id === id) return before;
  throw new ApiError(before ? "exchange.quote_used" : "idempotency.body_changed");
}

/**
 * The legs of one journal: the amount given in two legs (the exchanged amount, and the fee), the
 * amount received in one. The house's `exchange` account is the other side in each coin; a second
 * step's fee is taken from its pUSDT, which the person never holds.
 */
async function buildLegs(ledger: Ledger, owner: ExchangeOwner, quote: QuoteRow): Promise<Leg[]> {
  const { from_coin: from, to_coin: to, given, received, steps } = quote;
  const house = (coin: typeof from) => ledger.account("house", "exchange", coin);
  const fees = (coin: typeof from) => ledger.account("house", "fees", coin);
  const [wallet, target, houseFrom, houseTo, feesFrom] = await Promise.all([
    ledger.account(owner, "wallet", from),
    ledger.account(owner, "wallet", to),
    house(from),
    house(to),
    fees(from),
  ]);
  const [first, second] = steps;
  const fee = minor(first!.fee, from);
  const legs: Leg[] = [
    { account: wallet, amount: -(given - fee) },
    { account: houseFrom, amount: given - fee },
    { account: wallet, amount: -fee },
    { account: feesFrom, amount: fee },
    { account: houseTo, amount: -received },
    { account: target, amount: received },
  ];
  if (second) {
    const middleCoin = second.from;
    const secondFee = minor(second.fee, middleCoin);
    legs.push(
      { account: await house(middleCoin), amount: -secondFee },
      { account: await fees(middleCoin), amount: secondFee },
    );
  }
  return legs;
}

const minor = (text: string, coin: QuoteRow["from_coin"]) => toMinorUnits(text, coinScale(coin));
