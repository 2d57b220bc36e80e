import { randomBytes } from "node:crypto";
import { computeProfit, type Direction } from "#core/contracts/settle.ts";
import { decideStake, type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import type { Tier } from "#core/contracts/terms.ts";
import { isFresh, logBehindMs } from "#core/market/freshness.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { coinScale } from "#core/money/coins.ts";
import { toRealDay } from "#core/money/time.ts";
import type { Catalogue } from "#server/contracts/catalogue.ts";
import { hashOrderDraft, type OrderDraft } from "#server/contracts/orders/draft.ts";
import { createOrderBulkInsert, insertOrders } from "#server/contracts/orders/orderBulkInsert.ts";
import { createOwnExposure } from "#server/contracts/orders/ownExposure.ts";
import {
  createExclusionError,
  lossKey,
  type SelfLimitsService,
} from "#server/contracts/orders/selfLimits.ts";
import { readContractsOn } from "#server/contracts/store.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import { readLimitsUsed } from "#server/ledger/limits.ts";
import { isQuota, quotaKey } from "#server/ledger/quotas.ts";
import type { LimitDelta, PostHook, PostResult } from "#server/ledger/types.ts";
import { toAmountError } from "#server/platform/amount.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded, isPaused } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createTtlCache, type TtlCache } from "#server/platform/ttlCache.ts";

/** The kind of the journal that opens an order; its id is the order's. */
const openKind = "contract.open";

/** The last closed second while it is fresh enough to be "now"; null otherwise. */
export function latestPrices(
  { clock }: Pick<AppContext, "clock">,
  market: ContractsDeps["market"],
) {
  const latest = market.latest();
  return latest && isFresh(latest.secondMs, clock.nowMs(), clock.speed) ? latest : null;
}

export interface OrderParams {
  contractId: string;
  direction: Direction;
  /** Decimal pUSDT, as the person sent it. */
  stake: string;
  tierSeconds: number;
  termsHash: string;
}

export interface PlacedOrder {
  orderId: string;
  orderHash: string;
  acceptedAtMs: number;
  stake: bigint;
  fee: bigint;
}

export const exposureKey = (contractId: string) => `contracts.exposure:${contractId}`;
const ordersPerDay = "contracts.try";

/** The limit row that counts a person's orders of one tier on a real day, over all contracts. */
const ordersPerDayKey = (quotaId: string, day: number, tierSeconds: number) =>
  quotaKey(ordersPerDay, quotaId, day, tierSeconds);

/** How many orders of each of these tiers the person has placed this real day, by its seconds. */
export async function readPlacedToday(
  { database, realClock }: Pick<AppContext, "database" | "realClock">,
  ledger: Pick<ContractsDeps["ledger"], "quotaId">,
  userId: string,
  tiers: readonly Pick<Tier, "seconds">[],
): Promise<Map<number, number>> {
  const quotaId = await ledger.quotaId(userId);
  const day = toRealDay(realClock.nowMs());
  const keys = tiers.map(({ seconds }) => ordersPerDayKey(quotaId, day, seconds));
  const used = await readLimitsUsed(database.db, keys);
  return new Map(tiers.map(({ seconds }, i) => [seconds, Number(used.get(keys[i]!) ?? 0n)]));
}

/**
 * Places orders. Registers the post hook that writes them in the transaction that charges for them.
 */
export function createOrderPlacement(
  ctx: AppContext,
  deps: ContractsDeps,
  catalogue: Catalogue,
  limits: SelfLimitsService,
) {
  const { ledger } = deps;
  const clock = ctx.realClock;
  const withExposureCap = createOwnExposure(ctx.database.db);
  // Only pre-checks: whether contracts are on is checked again in the transaction.
  const cached: AdmissionCache = {
    on: createTtlCache(() => readContractsOn(ctx.database.db), {
      ttlMs: 1_000,
      clock,
      shouldCache: (isOn) => isOn,
    }),
    lagMs: createTtlCache(() => deps.transparencyLog.lagMs(), {
      ttlMs: 250,
      clock,
      shouldCache: (lagMs) => lagMs <= logBehindMs,
    }),
  };
  const write: PostHook = async (tx, postedJournals) => {
    await insertOrders(ctx, tx, postedJournals);
    await limits.recheck(tx, [
      ...new Set(postedJournals.map(({ row }) => (row as OrderDraft).userId)),
    ]);
  };
  ledger.onPosted(openKind, write, createOrderBulkInsert(ctx));
  /**
   * Charges stake and fee and accepts the order, or throws an ApiError and changes nothing. `id` is
   * the journal's and so the order's; repeating the same id and body gives `duplicate`, and the
   * caller reads the existing order.
   */
  const placeOrder = async (
    owner: { userId: string; attemptId: string },
    params: OrderParams,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<PlacedOrder | "duplicate"> => {
    const { contract, tier, quote, day, lossCap, limited } = await admit(
      ctx,
      deps,
      { catalogue, limits, cached },
      owner.userId,
      params,
    );
    const { stake, fee, charged } = quote;
    const [account, house, quotaId] = await Promise.all([
      ledger.account(owner, "wallet", stakeCoin),
      ledger.account("house", "contracts", stakeCoin),
      ledger.quotaId(owner.userId),
    ]);
    const draft: OrderDraft = {
      ...owner,
      account,
      contract,
      direction: params.direction,
      tier,
      stake,
      fee,
      salt: randomBytes(32).toString("hex"),
      lossDay: lossCap === null ? null : day,
      limited,
    };
    const profit = computeProfit(stake, tier.rateBp);
    const exposure = { userId: owner.userId, contractId: contract.id, profit };
    const result = await withExposureCap(exposure, (cap) => {
      const limits = computeLimits(draft, { day, quotaId, lossCap, profit, exposureCap: cap });
      const legs = [
        { account, amount: -charged },
        { account: house, amount: charged },
      ];
      return ledger.post({ id, kind: openKind, bodyHash, legs, limits, about: id }, draft);
    });
    if (result.outcome === "duplicate") return "duplicate";
    if (result.outcome !== "posted") throw toApiError(result, draft);
    ctx.bus.publish("order.changed", { userId: owner.userId, orderIds: [id] });
    const hash = hashOrderDraft(ctx, id, draft, result.atMs);
    return { orderId: id, orderHash: hash, acceptedAtMs: result.atMs, stake, fee };
  };
  return placeOrder;
}

interface AdmissionCache {
  on: TtlCache<"on", boolean>;
  lagMs: TtlCache<"lag", number>;
}

interface AdmissionDeps {
  catalogue: Catalogue;
  limits: SelfLimitsService;
  cached: AdmissionCache;
}

/** Every check before the ledger, in the order in which a person should see their errors. */
async function admit(
  ctx: AppContext,
  { session, market, listings }: ContractsDeps,
  { catalogue, limits, cached }: AdmissionDeps,
  userId: string,
  params: OrderParams,
) {
  await session.requireNewPositions(userId);
  const [self, contractsOn, contract, lagMs] = await Promise.all([
    limits.forOrder(userId),
    cached.on.get("on"),
    catalogue.find(params.contractId),
    cached.lagMs.get("lag"),
  ]);
  if (self.excluded !== null) throw createExclusionError(self.excluded);
  if (!contract) throw new ApiError("contracts.unknown");
  if (!contractsOn) throw new ApiError("contracts.off");
  if (listings && !(await listings.isListed("contract_tiers", contract.symbol)))
    throw new ApiError("contracts.withdrawn");
  if (hasEnded(ctx.clock)) throw new ApiError("contracts.recording_ended");
  if (isPaused(ctx.clock)) throw new ApiError("class.paused");
  if (contract.terms.termsHash !== params.termsHash) throw new ApiError("contracts.terms_changed");
  const tier = contract.terms.tiers.find(({ seconds }) => seconds === params.tierSeconds);
  if (!tier) throw new ApiError("contracts.tier_unknown");
  const quote = requireStake(params.stake, tier);
  if ((latestPrices(ctx, market)?.index[contract.symbol] ?? null) === null) {
    throw new ApiError("contracts.no_price");
  }
  if (lagMs > logBehindMs) throw new ApiError("contracts.log_behind");
  const { day, loss, limited } = self;
  return { contract, tier, quote, day, lossCap: loss?.cap ?? null, limited };
}

function requireStake(text: string, tier: Tier): StakeQuote {
  // The ledger decides whether the wallet can cover it.
  const result = decideStake(text, tier, null);
  if (result.ok) return result.quote;
  switch (result.error) {
    case "below_minimum":
      throw new ApiError("contracts.stake_too_small", { minimum: formatPusdt(tier.stakeMin) });
    case "above_maximum":
      throw new ApiError("contracts.stake_too_large", { maximum: formatPusdt(tier.stakeMax) });
    case "overdraft":
      throw new ApiError("ledger.overdraft");
    default:
      throw toAmountError(result.error, coinScale(stakeCoin));
  }
}

interface Caps {
  /** The real day. */
  day: number;
  quotaId: string;
  lossCap: bigint | null;
  profit: bigint;
  exposureCap: bigint;
}

function computeLimits(draft: OrderDraft, caps: Caps): LimitDelta[] {
  const { tier, contract, userId, stake, fee } = draft;
  const { day, lossCap } = caps;
  const limits: LimitDelta[] = [
    { key: exposureKey(contract.id), delta: caps.profit, cap: caps.exposureCap },
  ];
  if (tier.ordersPerDay !== null) {
    limits.push({
      key: ordersPerDayKey(caps.quotaId, day, tier.seconds),
      delta: 1n,
      cap: BigInt(tier.ordersPerDay),
    });
  }
  if (lossCap !== null) {
    limits.push({ key: lossKey(userId, day), delta: stake + fee, cap: lossCap });
  }
  return limits;
}

function toApiError({ outcome, limitKey }: PostResult, { tier }: OrderDraft): ApiError {
  if (outcome === "body_changed") return new ApiError("idempotency.body_changed");
  if (outcome === "overdraft") return new ApiError("ledger.overdraft");
  if (outcome !== "limit_full") return new ApiError("ledger.refused");
  if (limitKey && isQuota(ordersPerDay, limitKey)) {
    return new ApiError("contracts.tier_used_up", { orders_per_day: tier.ordersPerDay ?? 0 });
  }
  if (limitKey?.startsWith("contracts.loss:")) return new ApiError("contracts.loss_limit");
  return new ApiError("contracts.exposure_full");
}
