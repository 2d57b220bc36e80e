import type { Asset } from "#core/hosting/assets.ts";
import type { Purpose, Side } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** Leaf bodies (docs/formats/hosting.md). */
export interface BookBody {
  bids: readonly (readonly [string, string])[];
  asks: readonly (readonly [string, string])[];
}
export interface OrderBody {
  venue: string;
  symbol: MarketSymbol;
  side: Side;
  quantity: string;
  limit: string;
  book_ms: number;
  mid2: string;
  base_worth: string;
  quote_worth: string;
  book: BookBody;
}
export interface FillBody {
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
  book: BookBody | null;
}
export interface TransferBody {
  asset: Asset;
  amount: string;
  from: string | null;
  to: string | null;
  sent_ms: number;
  arrive_ms: number;
}
export interface BooksBody {
  pool_id: string;
  at_ms: number;
  second_leaf: number;
  decision: {
    number: number;
    purpose: Purpose;
    gap: number;
    needed: number;
    orders: readonly OrderBody[];
  } | null;
  fills: readonly FillBody[];
  sent: readonly TransferBody[];
  arrived: readonly TransferBody[];
}
export interface PoolMarkBody {
  pool_id: string;
  nav: string;
  entry_nav: string;
  units: string;
  assets: string;
  owed: string;
  state_hash: string;
  state: unknown;
  subscribed: string;
  given: string;
  redeemed: string;
  paid: string;
  kept: string;
  orders: number;
}
