import type { Bodies } from "#api/operator/publishing.ts";
import {
  computeAverageCost,
  computeBreakEvenBp,
  computeCoinFlipReturnPer20000,
} from "#core/contracts/breakEven.ts";
import { stakeCoin } from "#core/contracts/stake.ts";
import { checkTerms, type TermsError, type Tier, toContractId } from "#core/contracts/terms.ts";
import { parseTier, toWireTier } from "#core/contracts/wireTier.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createAmounts } from "#server/publishing/amounts.ts";
import type { DraftProblem, Figure, KindRules } from "#server/publishing/types.ts";

type TiersBody = Bodies["contract_tiers"];

/** The dependencies on contracts of publishing terms. */
export interface ContractRulesDeps {
  symbols: readonly MarketSymbol[];
  publish: (
    symbol: MarketSymbol,
    tiers: readonly Tier[],
    tx: Tx,
  ) => Promise<{ ok: true; published: boolean } | { ok: false; refusal: TermsError }>;
}

/**
 * Terms of a contract. Open orders keep the version they were placed under: its hash is part of
 * each.
 */
export function createTierRules({
  symbols,
  publish,
}: ContractRulesDeps): KindRules<"contract_tiers"> {
  const check = (body: TiersBody): DraftProblem[] => {
    const symbol = symbols.find((symbol) => symbol === body.symbol);
    if (!symbol) return [problem("publishing.symbol_unknown", "symbol", { symbol: body.symbol })];
    const { tiers, problems } = readTiers(body);
    if (problems.length > 0) return problems;
    const terms = { world: "", contractId: toContractId(symbol), symbol, version: 1 };
    if (tiers.length === 0) return toProblems(checkTerms({ ...terms, tiers }), 0);
    // One by one, so that every fault is explained, then together to find duplicates.
    const tierProblems = tiers.flatMap((tier, index) =>
      toProblems(checkTerms({ ...terms, tiers: [tier] }), index),
    );
    return tierProblems.length > 0 ? tierProblems : toProblems(checkTerms({ ...terms, tiers }), 0);
  };
  return {
    check,
    publish: async (tx, body) => {
      const result = await publish(body.symbol as MarketSymbol, readTiers(body).tiers, tx);
      if (!result.ok)
        throw new Error(`terms passed the check but were rejected: ${result.refusal.error}`);
    },
    figures: (body) => readTiers(body).tiers.flatMap(toFigures),
  };
}

function readTiers(body: TiersBody): { tiers: Tier[]; problems: DraftProblem[] } {
  const amounts = createAmounts();
  const tiers = body.tiers.map((tier, index) =>
    parseTier(tier, (text, digits, field) => amounts.read(`tiers.${index}.${field}`, text, digits)),
  );
  return { tiers, problems: amounts.problems };
}

/** The body for these tiers, as the software records it. */
export function toTiersBody(symbol: string, tiers: readonly Tier[]): TiersBody {
  return { symbol, tiers: tiers.map(toWireTier) };
}

const problem = (
  error: DraftProblem["error"],
  field: string,
  data: DraftProblem["data"],
): DraftProblem => ({
  error,
  field,
  data,
});

function toProblems(refusal: TermsError | null, index: number): DraftProblem[] {
  const field = `tiers.${index}`;
  switch (refusal?.error) {
    case undefined:
      return [];
    case "no_tiers":
      return [problem("publishing.no_tiers", "tiers", {})];
    case "tier_repeated":
      return [problem("publishing.tier_repeated", "tiers", { seconds: refusal.seconds })];
    case "tier_malformed":
      return [
        problem("publishing.tier_malformed", `${field}.${refusal.field}`, {
          seconds: refusal.seconds,
          part: refusal.field,
        }),
      ];
    case "flatters":
    case "robs":
      return [
        problem(`publishing.coin_flip_${refusal.error}`, `${field}.rate_bp`, {
          seconds: refusal.seconds,
          // Hundredths of 1 in 100, and half of one.
          returned: formatDecimal(BigInt(Math.round(refusal.returnBp * 10)), 3),
        }),
      ];
    default:
      throw new Error(`the software's own terms were rejected: ${refusal?.error}`);
  }
}

function toFigures(tier: Tier, index: number): Figure[] {
  const field = `tiers.${index}`;
  const odds = { rateBp: tier.rateBp, feeBp: tier.feeBp };
  const hundred = 100_000_000n;
  return [
    { name: "break_even", at: field, value: formatDecimal(BigInt(computeBreakEvenBp(odds)), 2) },
    {
      name: "coin_flip_return",
      at: field,
      value: formatDecimal(BigInt(computeCoinFlipReturnPer20000(odds)) * 5n, 3),
    },
    {
      name: "average_cost",
      at: field,
      value: formatDecimal(computeAverageCost(hundred, odds), coinScale(stakeCoin)),
    },
  ];
}
