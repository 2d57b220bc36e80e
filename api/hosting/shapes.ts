import * as z from "zod/mini";
import { decimal } from "#api/shapes.ts";

/**
 * Hosting (docs/rules/hosting.md): pools that run a strategy on paper. Money in and out is pUSDT;
 * units and NAV have eight digits. Changes in basis points are signed decimal strings with two
 * digits ("-3.25"), since a day of arbitrage may move less than one. All times are world time.
 */
export const strategy = z.enum(["cross", "triangle", "hold"]);

export const friction = z.enum(["frictionless", "realistic", "harsh"]);
export type Friction = z.infer<typeof friction>;

export const bp = z.string();

/** Price and size as decimals, at the symbol's price scale and the volume scale. */
export const level = z.tuple([decimal, decimal]);
