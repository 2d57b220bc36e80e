import { sha256 } from "@noble/hashes/sha2.js";
import { encodePoolState } from "#core/hosting/state.ts";
import type { Decision, Fill, PoolState, StepResult, Transfer } from "#core/hosting/types.ts";
import type { Book } from "#core/market/book.ts";
import { bytesToHex, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  type LeafKind,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * Hosting's leaves in the public log (docs/formats/hosting.md): `books` leaves with what a pool
 * decided, filled and moved in one moment; and `mark` leaves with pools' worth at a minute. All are
 * canonical JSON.
 */

/** SHA-256 of the canonical JSON of a pool's state, in hex. */
export function stateHash(state: PoolState): string {
  return bytesToHex(sha256(utf8ToBytes(encodePoolState(state))));
}

/** A moment of a pool in which something happened. */
export interface BooksOf {
  poolId: string;
  atMs: number;
  /** Index of that moment's `second` leaf. */
  secondLeaf: number;
  result: Pick<StepResult, "decision" | "fills" | "sent" | "arrived">;
}

/** Returns true if anything happened that must be logged. */
export function hasEvents({ decision, fills, sent, arrived }: BooksOf["result"]): boolean {
  return decision !== null || fills.length + sent.length + arrived.length > 0;
}

/**
 * Canonical JSON rather than a packed form like `second` leaves: marks come once a minute and are
 * human-readable; packing would cut 1.5 MB a world day only to a third.
 */
export function encodeBooks(
  world: string,
  { poolId, atMs, secondLeaf, result }: BooksOf,
): Uint8Array {
  return encodeJsonLeaf("books", {
    practice: true,
    backing: "none",
    world,
    pool_id: poolId,
    at_ms: atMs,
    second_leaf: secondLeaf,
    decision: result.decision && decisionBody(result.decision),
    fills: result.fills.map(fillBody),
    sent: result.sent.map(transferBody),
    arrived: result.arrived.map(transferBody),
  });
}

function decisionBody({ number, purpose, orders, books, observed }: Decision): Canonical {
  return {
    number,
    purpose,
    gap: observed.gap,
    needed: observed.needed,
    orders: orders.map((order, leg) => ({
      venue: order.venue,
      symbol: order.symbol,
      side: order.side,
      quantity: order.quantity.toString(),
      limit: order.limit.toString(),
      book_ms: order.bookMs,
      mid2: order.mid2.toString(),
      base_worth: order.baseWorth.toString(),
      quote_worth: order.quoteWorth.toString(),
      book: bookBody(books[leg]!),
    })),
  };
}

function fillBody(fill: Fill): Canonical {
  return {
    number: fill.order.decision,
    leg: fill.order.leg,
    book_ms: fill.bookMs,
    quantity: fill.quantity.toString(),
    quote: fill.quote.toString(),
    fee: fill.fee.toString(),
    gross: fill.pnl.gross.toString(),
    slippage: fill.pnl.slippage.toString(),
    fees: fill.pnl.fees.toString(),
    why: fill.why,
    book: fill.book && bookBody(fill.book),
  };
}

function transferBody({ asset, amount, from, to, sentMs, arriveMs }: Transfer): Canonical {
  return { asset, amount: amount.toString(), from, to, sent_ms: sentMs, arrive_ms: arriveMs };
}

/** Levels as `[price, size]`, from the best price outwards. */
function bookBody({ bids, asks }: Book): Canonical {
  const side = (levels: Book["bids"]) =>
    levels.map(({ price, size }) => [price.toString(), size.toString()]);
  return { bids: side(bids), asks: side(asks) };
}

/** A pool at a mark. Amounts in minor units of pUSDT; units and NAVs at scale 8. */
export interface PoolMark {
  poolId: string;
  nav: bigint;
  entryNav: bigint;
  /** Before this mark's orders. */
  units: bigint;
  assets: bigint;
  owed: bigint;
  /** The engine's state behind `assets` and `owed`: before this mark's orders. */
  state: PoolState;
  /** True if the state differs from the one at the previous mark; if so, the leaf includes it. */
  changed: boolean;
  /**
   * Totals of this mark's orders: paid in, units issued, units redeemed, paid out, fees kept, and
   * the number of orders.
   */
  subscribed: bigint;
  given: bigint;
  redeemed: bigint;
  paid: bigint;
  kept: bigint;
  orders: number;
}

export function encodeMark(
  world: string,
  mark: { atMs: number; secondLeaf: number; pools: readonly PoolMark[] },
): Uint8Array {
  return encodeJsonLeaf("mark", {
    practice: true,
    backing: "none",
    world,
    type: "mark",
    at_ms: mark.atMs,
    second_leaf: mark.secondLeaf,
    pools: mark.pools.map(poolBody),
  });
}

function poolBody(pool: PoolMark): Canonical {
  return {
    pool_id: pool.poolId,
    nav: pool.nav.toString(),
    entry_nav: pool.entryNav.toString(),
    units: pool.units.toString(),
    assets: pool.assets.toString(),
    owed: pool.owed.toString(),
    state_hash: stateHash(pool.state),
    state: pool.changed ? (JSON.parse(encodePoolState(pool.state)) as Canonical) : null,
    subscribed: pool.subscribed.toString(),
    given: pool.given.toString(),
    redeemed: pool.redeemed.toString(),
    paid: pool.paid.toString(),
    kept: pool.kept.toString(),
    orders: pool.orders,
  };
}

/**
 * Reads the body of a `books` or `mark` leaf. Its members are specified in docs/formats/hosting.md;
 * only the practice marks are checked here.
 */
export function decodeHostingLeaf(
  bytes: Uint8Array,
  kind: Extract<LeafKind, "books" | "mark">,
  tag: Uint8Array | null,
): Decoded<Record<string, Canonical>> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), kind, tag);
    ensure(kind === "books" ? typeof body.pool_id === "string" : typeof body.type === "string");
    return body as Record<string, Canonical>;
  });
}
