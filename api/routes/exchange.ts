// Generated from api/exchange.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/exchange.ts";

export const exchangeCoin: RoutesOf<typeof calls.exchangeCoin> = {
  method: "POST",
  path: "/api/user/exchangeCoin",
  access: "user",
  money: true,
};

export const getExchangeAtVenues: RoutesOf<typeof calls.getExchangeAtVenues> = {
  method: "GET",
  path: "/api/user/getExchangeAtVenues",
  access: "user",
};

export const getExchangeCosts: RoutesOf<typeof calls.getExchangeCosts> = {
  method: "GET",
  path: "/api/user/getExchangeCosts",
  access: "user",
};

export const quoteExchange: RoutesOf<typeof calls.quoteExchange> = {
  method: "POST",
  path: "/api/user/quoteExchange",
  access: "user",
};
