import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Direction, feeOf, profitOf } from "#core/contracts/settle.ts";
import { exposureCap, type Tier } from "#core/contracts/terms.ts";
import { windowSeconds } from "#core/contracts/window.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import type { Catalogue } from "#server/contracts/catalogue.ts";
import { hashOf, type OrderDraft } from "#server/contracts/draft.ts";
import { createQuickOrders } from "#server/contracts/orderBulkInsert.ts";
import { excludedBy, lossKey, type SelfLimitsService } from "#server/contracts/selfLimits.ts";
import { readContractsOn } from "#server/contracts/store.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import type { Companion, Journal, LimitDelta, Posted, PostResult } from "#server/ledger/types.ts";
import { hasEnded } from "#server/market/ending.ts";
import { Refusal } from "#server/platform/apiError.ts";
import { isPaused } from "#server/platform/clock.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { type BriefMemory, keepBriefly } from "#server/platform/ttlCache.ts";

/** The kind of the journal that opens an order; its id is the order's. */
export const openKind = "contract.open";

/** An index older than this in real time is no price to order on. */
const priceFreshMs = 5_000;

/** The last closed second while it is fresh enough to be "now"; null otherwise. */
export function latestPrices({ clock }: Pick<Parts, "clock">, market: ContractsDeps["market"]) {
  const latest = market.latest();
  return latest && clock.nowMs() - latest.secondMs <= priceFreshMs * clock.speed ? latest : null;
}

/** Nothing is sold while the log is further behind than this, in real milliseconds. */
const logBehindMs = 10_000;
const pusdtScale = 6;

export interface OrderWish {
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
const tryKey = (userId: string, day: number, seconds: number) =>
  `contracts.try:${userId}:${day}:${seconds}`;

/** Takes orders. Registers the companion that writes them in the transaction that charges for them. */
export function createPlacing(
  parts: Parts,
  deps: ContractsDeps,
  catalogue: Catalogue,
  limits: SelfLimitsService,
) {
  const { ledger } = deps;
  const clock = parts.realClock;
  // Both only come before: whether contracts are on is looked at again in the transaction.
  const looks: Looks = {
    on: keepBriefly(() => readContractsOn(parts.database.db), {
      forMs: 1_000,
      clock,
      keeps: (on) => on,
    }),
    lagMs: keepBriefly(() => deps.transparencyLog.lagMs(), {
      forMs: 250,
      clock,
      keeps: (lagMs) => lagMs <= logBehindMs,
    }),
  };
  const write: Companion = async (tx, posted) => {
    if (!(await readContractsOn(tx))) throw new Refusal("contracts.off");
    await insertOrders(parts, tx, posted);
    await limits.recheck(tx, [...new Set(posted.map(({ row }) => (row as OrderDraft).userId))]);
  };
  ledger.companion(openKind, write, createQuickOrders(parts));
  /**
   * Charges stake and fee and accepts the order, or throws a Refusal and changes nothing. `id` is the journal's and so the
   * order's; the same id and body again gives `duplicate`, whose order the caller reads.
   */
  const place = async (
    owner: { userId: string; attemptId: string },
    wish: OrderWish,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<PlacedOrder | "duplicate"> => {
    const { contract, tier, stake, day, lossCap, limited } = await admit(
      parts,
      deps,
      { catalogue, limits, looks },
      owner.userId,
      wish,
    );
    const fee = feeOf(stake, tier.feeBp);
    const [account, house] = await Promise.all([
      ledger.account(owner, "wallet", "pUSDT"),
      ledger.account("house", "contracts", "pUSDT"),
    ]);
    const draft: OrderDraft = {
      ...owner,
      account,
      contract,
      direction: wish.direction,
      tier,
      stake,
      fee,
      salt: randomBytes(32).toString("hex"),
      lossDay: lossCap === null ? null : day,
      limited,
    };
    const journal: Journal = {
      id,
      kind: openKind,
      bodyHash,
      legs: [
        { account, amount: -(stake + fee) },
        { account: house, amount: stake + fee },
      ],
      limits: limitsOf(draft, day, lossCap),
      about: id,
    };
    const result = await ledger.post(journal, draft);
    if (result.outcome === "duplicate") return "duplicate";
    if (result.outcome !== "posted") throw refusalOf(result, draft);
    parts.bus.publish("order.changed", { userId: owner.userId, orderIds: [id] });
    const hash = hashOf(parts, id, draft, result.atMs);
    return { orderId: id, orderHash: hash, acceptedAtMs: result.atMs, stake, fee };
  };
  return place;
}

interface Looks {
  on: BriefMemory<"on", boolean>;
  lagMs: BriefMemory<"lag", number>;
}

interface AdmitReads {
  catalogue: Catalogue;
  limits: SelfLimitsService;
  looks: Looks;
}

/** Every check that comes before the ledger, in the order in which a person should hear of them. */
async function admit(
  parts: Parts,
  { session, market, listings }: ContractsDeps,
  { catalogue, limits, looks }: AdmitReads,
  userId: string,
  wish: OrderWish,
) {
  await session.requireNewPositions(userId);
  const [self, contractsOn, contract, lagMs] = await Promise.all([
    limits.forOrder(userId),
    looks.on.get("on"),
    catalogue.find(wish.contractId),
    looks.lagMs.get("lag"),
  ]);
  if (self.excluded !== null) throw excludedBy(self.excluded);
  if (!contract) throw new Refusal("contracts.unknown");
  if (!contractsOn) throw new Refusal("contracts.off");
  if (listings && !(await listings.isListed("contract_tiers", contract.symbol)))
    throw new Refusal("contracts.withdrawn");
  if (isPaused(parts.clock)) throw new Refusal("contracts.recording_ended");
  if (contract.terms.termsHash !== wish.termsHash) throw new Refusal("contracts.terms_changed");
  const tier = contract.terms.tiers.find(({ seconds }) => seconds === wish.tierSeconds);
  if (!tier) throw new Refusal("contracts.tier_unknown");
  const stake = readStake(wish.stake, tier);
  if ((latestPrices(parts, market)?.index[contract.symbol] ?? null) === null) {
    throw new Refusal("contracts.no_price");
  }
  if (lagMs > logBehindMs) throw new Refusal("contracts.log_behind");
  const { day, loss, limited } = self;
  return { contract, tier, stake, day, lossCap: loss?.cap ?? null, limited };
}

function readStake(text: string, tier: Tier): bigint {
  const stake = parseAmount(text);
  if (stake < tier.stakeMin) {
    throw new Refusal("contracts.stake_too_small", {
      minimum: formatDecimal(tier.stakeMin, pusdtScale),
    });
  }
  if (stake > tier.stakeMax) {
    throw new Refusal("contracts.stake_too_large", {
      maximum: formatDecimal(tier.stakeMax, pusdtScale),
    });
  }
  return stake;
}

/** Reads an amount of pUSDT as minor units, or throws the Refusal that names what is wrong with it. */
export function parseAmount(text: string): bigint {
  const amount = parseDecimal(text, pusdtScale);
  if (amount.ok) return amount.value;
  if (amount.error === "excess_digits")
    throw new Refusal("money.excess_digits", { digits: pusdtScale });
  throw new Refusal(
    amount.error === "too_large" ? "money.amount_too_large" : "money.amount_malformed",
  );
}

function limitsOf(draft: OrderDraft, day: number, lossCap: bigint | null): LimitDelta[] {
  const { tier, contract, userId, stake, fee } = draft;
  const limits: LimitDelta[] = [
    { key: exposureKey(contract.id), delta: profitOf(stake, tier.rateBp), cap: exposureCap },
  ];
  if (tier.ordersPerDay !== null) {
    limits.push({
      key: tryKey(userId, day, tier.seconds),
      delta: 1n,
      cap: BigInt(tier.ordersPerDay),
    });
  }
  if (lossCap !== null) {
    limits.push({ key: lossKey(userId, day), delta: stake + fee, cap: lossCap });
  }
  return limits;
}

function refusalOf({ outcome, limitKey }: PostResult, { tier }: OrderDraft): Refusal {
  if (outcome === "body_changed") return new Refusal("idempotency.body_changed");
  if (outcome === "overdraft") return new Refusal("ledger.overdraft");
  if (outcome !== "limit_full") return new Refusal("ledger.refused");
  if (limitKey?.startsWith("contracts.try:")) {
    return new Refusal("contracts.tier_used_up", { orders_per_day: tier.ordersPerDay ?? 0 });
  }
  if (limitKey?.startsWith("contracts.loss:")) return new Refusal("contracts.loss_limit");
  return new Refusal("contracts.exposure_full");
}

/**
 * Refuses orders whose time lies before a second that has closed: this process's clock is behind the feed's, or was set back. A
 * later second would bind them, as if they had been held back.
 */
async function refuseBehindSeconds(tx: Tx, posted: Posted[]): Promise<void> {
  const { rows } = await sql<{ closed_ms: bigint | null }>`
    select max(second_ms) as closed_ms from market_second`.execute(tx);
  const closedMs = Number(rows[0]?.closed_ms ?? 0);
  if (posted.some(({ atMs }) => atMs < closedMs)) throw new Refusal("contracts.no_price");
}

/** One set-based insert for all orders of a batch. */
async function insertOrders(parts: Parts, tx: Tx, posted: Posted[]): Promise<void> {
  // Between the look at the clock and the gate the recording may have been ended; then no second would ever bind these.
  const { endMs } = parts.clock;
  if (endMs !== null && (await hasEnded(tx, endMs))) {
    throw new Refusal("contracts.recording_ended");
  }
  await refuseBehindSeconds(tx, posted);
  const drafts = posted.map(({ journal, row, atMs }) => ({
    id: journal.id,
    atMs,
    draft: row as OrderDraft,
  }));
  const column = <T>(of: (draft: OrderDraft) => T) => drafts.map(({ draft }) => of(draft));
  await sql`insert into contract_order (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds,
      range_bp, rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, loss_day)
    select id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp, fee_bp,
      stake, fee, decode(terms_hash, 'hex'), accepted_at_ms, decode(salt, 'hex'), decode(order_hash, 'hex'), loss_day
    from unnest(
      ${drafts.map(({ id }) => id)}::uuid[],
      ${column((d) => d.userId)}::text[],
      ${column((d) => d.attemptId)}::text[],
      ${column((d) => String(d.account))}::bigint[],
      ${column((d) => d.contract.id)}::text[],
      ${column((d) => d.direction)}::text[],
      ${column((d) => d.tier.seconds)}::integer[],
      ${column((d) => windowSeconds(d.tier.seconds))}::integer[],
      ${column((d) => d.tier.rangeBp)}::integer[],
      ${column((d) => d.tier.rateBp)}::integer[],
      ${column((d) => d.tier.feeBp)}::integer[],
      ${column((d) => String(d.stake))}::bigint[],
      ${column((d) => String(d.fee))}::bigint[],
      ${column((d) => d.contract.terms.termsHash)}::text[],
      ${drafts.map(({ atMs }) => atMs)}::bigint[],
      ${column((d) => d.salt)}::text[],
      ${drafts.map(({ id, draft, atMs }) => hashOf(parts, id, draft, atMs))}::text[],
      ${column((d) => d.lossDay)}::integer[]
    ) with ordinality as o (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp,
      rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, loss_day, place)
    order by place`.execute(tx);
}
