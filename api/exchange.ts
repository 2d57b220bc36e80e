import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, fillCosts, id, symbol, timeMs } from "#api/shapes.ts";

/**
 * One exchange at the index of one market. A pair without its own market takes two steps, through
 * pUSDT.
 */
const exchangeStep = z.object({
  symbol,
  /** `buy`: the market's base coin is received, paid for in pUSDT. */
  side: z.enum(["buy", "sell"]),
  from: coin,
  to: coin,
  given: decimal,
  /** Taken out of `given`; a separate posting. */
  fee: decimal,
  index: decimal,
  /** The index ± `spread_bp`, rounded against the person at the index's scale. */
  rate: decimal,
  received: decimal,
  /** In `to`: the amount the fee would have bought at the index, and the cost of the spread. */
  fee_cost: decimal,
  spread_cost: decimal,
});
export type ExchangeStep = z.infer<typeof exchangeStep>;

const terms = {
  quote_id: id,
  from: coin,
  to: coin,
  given: decimal,
  received: decimal,
  /**
   * `at_index`: `given` at the index without fee or spread, in `to`; `cost`: how far `received`
   * falls short of it.
   */
  at_index: decimal,
  cost: decimal,
  fee_bp: z.int(),
  spread_bp: z.int(),
  steps: z.array(exchangeStep),
  /** The second whose index applies, and its leaf in the public log. */
  index_second_ms: timeMs,
  index_leaf: z.int(),
};

export const exchangeQuote = z.object({
  ...terms,
  /** Real time; the quote is firm for `firm_ms` from when it was given. */
  expires_at_ms: timeMs,
  firm_ms: z.int(),
});
export type ExchangeQuote = z.infer<typeof exchangeQuote>;

export const quoteExchange = defineCall({
  method: "POST",
  path: "/api/user/quoteExchange",
  summary:
    "A quote for an exchange, firm for 15 seconds of real time while the index moves by no more than its cost. Nothing moves. At most 2 a second, 20 at once",
  access: "user",
  input: z.object({ from: coin, to: coin, amount: decimal }),
  answer: exchangeQuote,
  errors: [
    "session.required",
    "money.amount_malformed",
    "money.excess_digits",
    "money.amount_too_large",
    "exchange.same_coin",
    "exchange.too_small",
    "exchange.over_limit",
    "exchange.no_price",
    "exchange.recording_ended",
    "class.paused",
  ],
});

const exchange = z.object({
  ...terms,
  /** The single journal of both transfers and the fee. */
  journal_id: id,
  at_ms: timeMs,
});
export type Exchange = z.infer<typeof exchange>;

export const exchangeCoin = defineCall({
  method: "POST",
  path: "/api/user/exchangeCoin",
  summary: "Executes a quote once, at exactly the quoted figures",
  access: "user",
  money: true,
  input: z.object({ quote_id: id }),
  answer: exchange,
  errors: [
    "session.required",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
    "exchange.quote_unknown",
    "exchange.quote_expired",
    "exchange.quote_used",
    "exchange.rate_moved",
    "exchange.no_price",
    "ledger.overdraft",
    "ledger.refused",
  ],
});

/** The same amount at one venue; amounts are of the coin received. */
const atVenue = z.object({
  venue: z.string(),
  /**
   * Why there is no figure: the venue had no book that counted, the book did not hold the amount,
   * or its fee is not known. Null when there is a figure.
   */
  why: z.nullable(z.enum(["no_book", "thin", "no_fee"])),
  received: z.nullable(decimal),
  /** Half the spread and the depth of the book; the taker fee; the price movement in between. */
  spread: z.nullable(decimal),
  fee: z.nullable(decimal),
  delay: z.nullable(decimal),
  /** The venue's taker fee of the lowest volume in basis points, and the catalogue it is from. */
  fee_bp: z.nullable(z.string()),
  fee_source: z.nullable(z.string()),
  /** Price and size of the levels that it would have taken from. */
  levels: z.array(z.tuple([decimal, decimal])),
});

const exchangeAtVenues = z.object({
  /**
   * pending: its second has not closed yet. none: no live market, or its second never closed.
   */
  state: z.enum(["ready", "pending", "none"]),
  /** The second whose order books were used; its leaf has the best prices of each. */
  second_ms: z.nullable(timeMs),
  leaf: z.nullable(z.int()),
  steps: z.array(
    z.object({
      symbol,
      side: z.enum(["buy", "sell"]),
      from: coin,
      to: coin,
      given: decimal,
      /** The amount that the exchange paid out here. */
      received: decimal,
      venues: z.array(atVenue),
    }),
  ),
});
export type ExchangeAtVenues = z.infer<typeof exchangeAtVenues>;

export const getExchangeAtVenues = defineCall({
  method: "GET",
  path: "/api/user/getExchangeAtVenues",
  summary:
    "On a live market: what an exchange would have come to at each venue, from its book a moment later",
  access: "user",
  input: z.object({ journal_id: id }),
  answer: exchangeAtVenues,
  errors: ["session.required"],
});

export const getExchangeCosts = defineCall({
  method: "GET",
  path: "/api/user/getExchangeCosts",
  summary: "What lay between the mid price and what an exchange brought, in figures that add up",
  access: "user",
  input: z.object({ journal_id: id }),
  answer: z.object({
    /** Null until the log has the second after the exchange. */
    parts: z.nullable(
      z.object({
        /** The coin received; all amounts are in it. */
        coin,
        /** The amount given, at the index of the last second at or before the exchange. */
        at_index: decimal,
        /** `at_index` less these is `received`. Negative: in the person's favour. */
        costs: fillCosts,
        received: decimal,
      }),
    ),
  }),
  errors: ["session.required", "records.unknown"],
});

export const calls = { quoteExchange, exchangeCoin, getExchangeCosts, getExchangeAtVenues };
