import * as z from "zod/mini";
import { symbolNames } from "#core/market/symbols.ts";
import { coinCodes } from "#core/money/coins.ts";

/** A practice coin code; codes without the practice mark are refused. */
export const coin = z.enum(coinCodes as [(typeof coinCodes)[number], ...typeof coinCodes]);

export const symbol = z.enum(symbolNames as [(typeof symbolNames)[number], ...typeof symbolNames]);

/** An amount or price as a decimal string. The domain checks its scale and names the error. */
export const decimal = z.string().check(z.maxLength(40));

/** World or real time in integer milliseconds since 1970 (UTC). */
export const timeMs = z.int();

/** An opaque id of at most 64 characters. */
export const id = z.string().check(z.minLength(1), z.maxLength(64));

/** 32 bytes in lower-case hex. */
export const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const nothing = z.object({});

const queryInt = (minimum: number, maximum: number, fallback: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(minimum), z.maximum(maximum)), fallback);

/**
 * Page of a list: page size 10 by default, 100 at most. `before` is the cursor returned with the
 * first page: passing it with later pages keeps them stable while new rows arrive.
 */
export const paging = {
  page: queryInt(1, 100_000, 1),
  page_size: queryInt(1, 100, 10),
  before: z.optional(z.string().check(z.maxLength(64))),
};

/** A page of `item`s. Pass `before` when requesting the following pages. */
export function pageSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    items: z.array(item),
    page: z.int(),
    page_size: z.int(),
    has_more: z.boolean(),
    before: z.nullable(z.string()),
  });
}

/** A span of world time, both ends inclusive; from the start, or up to now, where one is left out. */
export const spanOfTime = {
  from_ms: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(8e15))),
  to_ms: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(8e15))),
};

/** The costs between the mid price and a fill, in one coin; `core/market/fillCosts.ts`. */
export const fillCosts = z.object({
  delay: decimal,
  spread: decimal,
  slippage: decimal,
  fee: decimal,
});

export type FillCosts = z.infer<typeof fillCosts>;

export { queryInt };
