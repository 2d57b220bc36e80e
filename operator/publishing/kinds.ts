import type { AnswerOf, RoutesOf } from "#api/call.ts";
import type { Bodies, KindCalls } from "#api/operator/publishing.ts";
import { publishing } from "#api/routes/operator/publishing.ts";
import { seedCapital } from "#core/hosting/pool.ts";
import { coinScale } from "#core/money/coins.ts";
import { type Kind, kindNames } from "#core/publishing/bodies.ts";

/**
 * A body of any kind: each form knows the fields of its kind, and the code around it does not need
 * to.
 */
export type Body = Bodies[Kind];

/**
 * The calls of a kind. All kinds have the same calls; only the body differs, and it is passed
 * through unchanged.
 */
export function getCalls(kind: Kind): RoutesOf<KindCalls> {
  return publishing[kind];
}

export type Publication = AnswerOf<KindCalls["read"]>;

export function isKind(name: string | null): name is Kind {
  return (kindNames as readonly string[]).includes(name ?? "");
}

/** The permission that an operator needs to see and to change publications of a kind. */
export const getPermission = (kind: Kind) => publishing[kind].list.permission!;

/** Kinds whose texts are written per language. */
export type TextKind = "news" | "notice" | "help_link" | "support_link";

export function isText(kind: Kind): kind is TextKind {
  return kind === "news" || kind === "notice" || kind.endsWith("_link");
}

/**
 * The initial draft. Products start from what a new world offers, which could be published as it
 * is.
 */
export function createEmptyBody(kind: Kind): Body {
  switch (kind) {
    case "news":
      return { languages: {} };
    case "notice":
      return { type: "bar", severity: "plain", from_ms: null, until_ms: null, languages: {} };
    case "help_link":
    case "support_link":
      return { url: "", languages: {} };
    case "contract_tiers":
      return { symbol: "BTC/USDT", tiers: [createTier(300)] };
    case "pool":
      return {
        pool_id: "",
        strategy: "cross",
        venues: [],
        symbols: ["BTC/USDT"],
        minimum: "10",
        maximum: "10000",
      };
    case "machine":
      return {
        product_id: "",
        maker: "",
        model: "",
        source: "",
        hashrate_ths: "100",
        power_w: 3_000,
        price_per_day: "10",
        electricity_per_kwh: "0.06",
        stock: 1_000,
        quantity_max: 10,
        days_min: 7,
        days_max: 90,
      };
  }
}

export function createTier(seconds: number): Bodies["contract_tiers"]["tiers"][number] {
  return {
    seconds,
    range_bp: 0,
    rate_bp: 9_000,
    fee_bp: 100,
    stake_min: "10",
    stake_max: "1000",
    orders_per_day: null,
  };
}

/**
 * The house's own pUSDT, which it puts into every new pool (docs/rules/hosting.md); it cannot be
 * configured.
 */
export const houseSeed = Number(seedCapital / 10n ** BigInt(coinScale("pUSDT")));
