import { MismatchError } from "../log/bytes.ts";
import type { Json } from "../log/canonical.ts";
import { decodeJson, type Fields, kinds, readKind } from "../log/leaves.ts";
import {
  computedSums,
  count,
  exactly,
  is,
  isInteger,
  listOf,
  minor,
  orNull,
  type Test,
  text,
} from "./schema.ts";

/** `books` and `mark` leaves (docs/formats/hosting.md). */
export interface StatedBook {
  bids: [string, string][];
  asks: [string, string][];
}

export interface StatedOrder {
  venue: string;
  symbol: string;
  side: "buy" | "sell";
  quantity: string;
  limit: string;
  book_ms: number;
  mid2: string;
  base_worth: string;
  quote_worth: string;
  book: StatedBook;
}

export interface StatedFill {
  number: number;
  leg: number;
  book_ms: number;
  quantity: string;
  quote: string;
  fee: string;
  gross: string;
  slippage: string;
  fees: string;
  why: string | null;
  book: StatedBook | null;
}

export interface StatedTransfer {
  asset: string;
  amount: string;
  from: string | null;
  to: string | null;
  sent_ms: number;
  arrive_ms: number;
}

export interface BooksLeaf {
  pool_id: string;
  at_ms: number;
  second_leaf: number;
  decision: {
    number: number;
    purpose: "arbitrage" | "unwind" | "stock" | "raise";
    gap: number;
    needed: number;
    orders: StatedOrder[];
  } | null;
  fills: StatedFill[];
  sent: StatedTransfer[];
  arrived: StatedTransfer[];
}

export interface PoolMark {
  pool_id: string;
  nav: string;
  entry_nav: string;
  units: string;
  assets: string;
  owed: string;
  state_hash: string;
  state: Json;
  subscribed: string;
  given: string;
  redeemed: string;
  paid: string;
  kept: string;
  orders: number;
}

export interface MarkLeaf {
  at_ms: number;
  second_leaf: number;
  pools: PoolMark[];
}

const heads = { practice: is(true), backing: is("none"), world: text };
const level: Test = (value) => Array.isArray(value) && value.length === 2 && value.every(minor);
const book = exactly({ bids: listOf(level), asks: listOf(level) });
const order = exactly({
  venue: text,
  symbol: text,
  side: is("buy", "sell"),
  quantity: minor,
  limit: minor,
  book_ms: count,
  mid2: minor,
  base_worth: minor,
  quote_worth: minor,
  book,
});
const fill = exactly({
  number: count,
  leg: count,
  book_ms: count,
  quantity: minor,
  quote: minor,
  fee: minor,
  gross: computedSums,
  slippage: computedSums,
  fees: computedSums,
  why: is(null, "part", "beyond_limit", "no_depth", "no_money", "no_book"),
  book: orNull(book),
});
const transfer = exactly({
  asset: text,
  amount: minor,
  from: orNull(text),
  to: orNull(text),
  sent_ms: count,
  arrive_ms: count,
});
const booksShape = exactly({
  ...heads,
  pool_id: text,
  at_ms: count,
  second_leaf: count,
  decision: orNull(
    exactly({
      number: count,
      purpose: is("arbitrage", "unwind", "stock", "raise"),
      gap: isInteger,
      needed: isInteger,
      orders: listOf(order, 16),
    }),
  ),
  fills: listOf(fill),
  sent: listOf(transfer),
  arrived: listOf(transfer),
});
const markShape = exactly({
  ...heads,
  type: is("mark"),
  at_ms: count,
  second_leaf: count,
  pools: listOf(
    exactly({
      pool_id: text,
      nav: minor,
      entry_nav: minor,
      units: minor,
      assets: computedSums,
      owed: minor,
      state_hash: text,
      state: () => true,
      subscribed: minor,
      given: minor,
      redeemed: minor,
      paid: minor,
      kept: minor,
      orders: count,
    }),
  ),
});

function requireShape(fields: Fields, shape: Test): Fields {
  if (!shape(fields)) throw new MismatchError("leaves", "leaf_value_invalid", "members");
  return fields;
}

/** Reads a `books` leaf; null if the entry is of another kind. */
export function decodeBooks(entry: Uint8Array, tag: Uint8Array): BooksLeaf | null {
  if (readKind(entry, tag) !== kinds.books) return null;
  return requireShape(decodeJson(entry, "books", tag), booksShape) as unknown as BooksLeaf;
}

/** Reads a `mark` leaf of type "mark"; null if the entry is anything else. */
export function decodeMark(entry: Uint8Array, tag: Uint8Array): MarkLeaf | null {
  if (readKind(entry, tag) !== kinds.mark) return null;
  const fields = decodeJson(entry, "mark", tag);
  if (fields.type !== "mark") return null;
  return requireShape(fields, markShape) as unknown as MarkLeaf;
}
