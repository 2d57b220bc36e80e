import { checkConfig, strategies } from "#core/hosting/strategy/strategies.ts";
import { takerFeeBp } from "#core/hosting/terms.ts";
import type { PoolConfig, StrategyName } from "#core/hosting/types.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { PoolBody } from "#core/publishing/bodies.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createAmounts } from "#server/publishing/amounts.ts";
import type { DraftProblem, Figure, KindRules } from "#server/publishing/types.ts";

/** The plan of a pool; the house's capital in it is the same for all. */
export interface PoolPlan {
  id: string;
  config: PoolConfig;
  minimum: bigint;
  maximum: bigint;
}

/** The dependencies on hosting of publishing a pool. */
export interface PoolRulesDeps {
  venuesOf: (symbol: MarketSymbol) => readonly string[];
  /** The configuration of an existing pool. */
  configOf(poolId: string, tx?: Tx): Promise<PoolConfig | null>;
  /** Publishing the same plan again changes nothing. Lifts a suspension. */
  publish(tx: Tx, plan: PoolPlan): Promise<void>;
  /** No new money; redemptions continue. */
  suspend(tx: Tx, poolId: string): Promise<void>;
}

const pusdtScale = coinScale("pUSDT");
/** The largest maximum for one subscription: 1 000 000 pUSDT. */
const maximumMost = 1_000_000_000_000n;
const idForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * A hosting pool. Publishing never affects the units that people hold: their value is computed,
 * never set.
 */
export function createPoolRules(deps: PoolRulesDeps): KindRules<"pool"> {
  return {
    check: async (body, tx) => {
      const { plan, problems } = readPlan(body);
      const fault = findFault(plan, deps) ?? getChange(plan, await deps.configOf(plan.id, tx));
      return fault
        ? [...problems, { error: "publishing.pool_cannot_run", field: "", data: { fault } }]
        : problems;
    },
    publish: (tx, body) => deps.publish(tx, readPlan(body).plan),
    unpublish: (tx, body) => deps.suspend(tx, body.pool_id),
    figures: (body) => toFigures(body),
  };
}

function readPlan(body: PoolBody): { plan: PoolPlan; problems: DraftProblem[] } {
  const amounts = createAmounts();
  const minimum = amounts.read("minimum", body.minimum, pusdtScale);
  const maximum = amounts.read("maximum", body.maximum, pusdtScale);
  const { problems } = amounts;
  if (problems.length === 0 && minimum <= 0n) problems.push(toProblem("minimum"));
  else if (problems.length === 0 && (maximum < minimum || maximum > maximumMost))
    problems.push(toProblem("maximum"));
  const config: PoolConfig = {
    strategy: body.strategy as StrategyName,
    venues: body.venues,
    symbols: body.symbols as MarketSymbol[],
    home: "USDT",
  };
  return { plan: { id: body.pool_id, config, minimum, maximum }, problems };
}

const toProblem = (field: string): DraftProblem => ({
  error: "publishing.amount_wrong",
  field: field,
  data: { at: field, digits: pusdtScale },
});

function findFault({ id, config }: PoolPlan, { venuesOf }: PoolRulesDeps): string | null {
  if (!idForm.test(id)) return "id_wrong";
  if (!Object.hasOwn(strategies, config.strategy)) return "symbols_count";
  if (config.symbols.some((symbol) => !isSymbol(symbol))) return "symbol_unknown";
  const venueLists = config.symbols.map((symbol) => venuesOf(symbol));
  const knownVenues = new Set(venueLists.flat());
  if (config.venues.some((venue) => !knownVenues.has(venue))) return "venue_unknown";
  if (config.venues.some((venue) => venueLists.some((venues) => !venues.includes(venue))))
    return "symbol_unknown";
  return checkConfig(config);
}

/** A pool's holdings are at its venues in its markets, so different ones make a different pool. */
function getChange({ config }: PoolPlan, current: PoolConfig | null): string | null {
  const getMake = ({ strategy, venues, symbols }: PoolConfig) =>
    JSON.stringify([strategy, venues, symbols]);
  return current && getMake(current) !== getMake(config) ? "make_fixed" : null;
}

/** The body of a pool, as the software records it. */
export function toPoolBody({ id, config, minimum, maximum }: PoolPlan): PoolBody {
  return {
    pool_id: id,
    strategy: config.strategy,
    venues: [...config.venues],
    symbols: [...config.symbols],
    minimum: formatDecimal(minimum, pusdtScale),
    maximum: formatDecimal(maximum, pusdtScale),
  };
}

function toFigures({ strategy }: PoolBody): Figure[] {
  const legs = strategy === "triangle" ? 3 : strategy === "cross" ? 2 : 1;
  return [
    { name: "pool_legs", at: "", value: String(legs) },
    { name: "pool_cycle_cost", at: "", value: formatDecimal(BigInt(legs * takerFeeBp), 2) },
  ];
}
