import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { computeLeaseCost, type LeaseCost } from "#core/mining/lease.ts";
import { leaseStructure, structureHash } from "#core/mining/leaseOrder.ts";
import { ownMachinesMax, poolFeeBp } from "#core/mining/terms.ts";
import { hourMs } from "#core/money/time.ts";
import { toOutcomeApiError } from "#server/ledger/keys.ts";
import { readLimitUsed } from "#server/ledger/limits.ts";
import type { Journal, PostedJournal, PostResult } from "#server/ledger/types.ts";
import { requireNotClosed } from "#server/market/acceptance.ts";
import type { Catalogue } from "#server/mining/catalogue.ts";
import type { Network } from "#server/mining/network.ts";
import type { MiningDeps, PublishedTerms } from "#server/mining/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded, isPaused } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createPendingAmounts } from "#server/platform/pendingAmounts.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/** The kind of the journal that begins a lease; its id is the lease's. */
const leaseKind = "mining.lease";

/**
 * New leases are refused while the log, or a due reading, lags by more than this, in real
 * milliseconds.
 */
const lagMaxMs = 10_000;

export const stockKey = (productId: string) => `mining.stock:${productId}`;

export interface LeaseParams {
  productId: string;
  quantity: number;
  days: number;
  termsHash: string;
}

export interface StartedLease {
  leaseId: string;
  price: bigint;
  power: bigint;
  acceptedAtMs: number;
}

interface Draft {
  userId: string;
  attemptId: string;
  account: bigint;
  terms: PublishedTerms;
  quantity: number;
  days: number;
  cost: LeaseCost;
  salt: string;
}

/**
 * Places leases. Registers the post hook that writes them in the transaction that charges for them.
 */
export function createLeasePlacement(
  ctx: AppContext,
  { ledger, transparencyLog, session, listings }: MiningDeps,
  catalogue: Catalogue,
  network: Network,
) {
  const readTo = async () => Number((await network.latest())?.hour_ms ?? 0) + hourMs;
  const isLate = (readToMs: number) => ctx.clock.nowMs() - readToMs > lagMaxMs * ctx.clock.speed;
  const cached = {
    lagMs: createTtlCache(() => transparencyLog.lagMs(), {
      ttlMs: 250,
      clock: ctx.realClock,
      shouldCache: (lagMs) => lagMs <= lagMaxMs,
    }),
    readToMs: createTtlCache(readTo, {
      ttlMs: 1_000,
      clock: ctx.realClock,
      shouldCache: (readToMs) => readToMs > ctx.clock.nowMs(),
    }),
  };
  const admit = async (userId: string, params: LeaseParams): Promise<PublishedTerms> => {
    await session.requireNewPositions(userId);
    const terms = await catalogue.find(params.productId);
    if (!terms) throw new ApiError("mining.unknown");
    if (listings && !(await listings.isListed("machine", params.productId)))
      throw new ApiError("mining.withdrawn");
    if (hasEnded(ctx.clock)) throw new ApiError("mining.world_ended");
    if (isPaused(ctx.clock)) throw new ApiError("class.paused");
    if (terms.termsHash !== params.termsHash) throw new ApiError("mining.terms_changed");
    requireBetween(params.quantity, 1, terms.quantityMax, "mining.quantity_out_of_range");
    requireBetween(params.days, terms.daysMin, terms.daysMax, "mining.days_out_of_range");
    const [lagMs, readToMs] = await Promise.all([
      cached.lagMs.get("lag"),
      cached.readToMs.get("to"),
    ]);
    // The cached value may be from before the hour turned.
    const isBehind = isLate(readToMs) && isLate(await readTo());
    if (lagMs > lagMaxMs || isBehind) throw new ApiError("mining.not_ready");
    return terms;
  };
  ledger.onPosted(leaseKind, (tx, postedJournals) => insertLeases(ctx, tx, postedJournals));
  const inFlight = createPendingAmounts();
  /** Throws `mining.own_share_full` if the person would exceed their share of these machines. */
  const withShareCap = async <Result>(
    userId: string,
    terms: PublishedTerms,
    quantity: number,
    work: () => Promise<Result>,
  ): Promise<Result> =>
    inFlight(`${userId} ${terms.productId}`, BigInt(quantity), async (otherQuantity) => {
      const leasedCount = await readOwnLeased(ctx, userId, terms.productId);
      const [heldCount, machinesMax] = [leasedCount + Number(otherQuantity), ownMachinesMax(terms)];
      if (heldCount + quantity > machinesMax)
        throw new ApiError("mining.own_share_full", { held: heldCount, most: machinesMax });
      return work();
    });
  /**
   * Charges price and power for all days and begins the lease, or throws an ApiError and changes
   * nothing. `id` is the journal's and so the lease's; repeating the same id and body gives
   * `duplicate`, and the caller reads the existing lease.
   */
  return async (
    owner: { userId: string; attemptId: string },
    params: LeaseParams,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<StartedLease | "duplicate"> => {
    const terms = await admit(owner.userId, params);
    const { quantity, days } = params;
    const cost = computeLeaseCost(terms, quantity);
    const price = cost.pricePerDay * BigInt(days);
    const power = cost.powerCostPerDay * BigInt(days);
    const [wallet, account, house] = await Promise.all([
      ledger.account(owner, "wallet", "pUSDT"),
      ledger.account(owner, "wallet", "pBTC"),
      ledger.account("house", "mining", "pUSDT"),
    ]);
    const { userId, attemptId } = owner;
    const salt = randomBytes(32).toString("hex");
    const draft: Draft = { userId, attemptId, account, terms, quantity, days, cost, salt };
    const journal: Journal = {
      id,
      kind: leaseKind,
      bodyHash,
      legs: [
        { account: wallet, amount: -price },
        ...(power > 0n ? [{ account: wallet, amount: -power }] : []),
        { account: house, amount: price + power },
      ],
      limits: [
        { key: stockKey(terms.productId), delta: BigInt(quantity), cap: BigInt(terms.stock) },
      ],
      about: id,
    };
    const result = await withShareCap(userId, terms, quantity, () => ledger.post(journal, draft));
    if (result.outcome === "duplicate") return "duplicate";
    if (result.outcome !== "posted") throw await toApiError(ctx, result, terms);
    ctx.bus.publish("lease.changed", { userId, leaseIds: [id] });
    return { leaseId: id, price, power, acceptedAtMs: result.atMs };
  };
}

function requireBetween(
  value: number,
  minimum: number,
  maximum: number,
  error: "mining.quantity_out_of_range" | "mining.days_out_of_range",
): void {
  if (value < minimum || value > maximum) throw new ApiError(error, { minimum, maximum });
}

/** Number of machines of this kind that the person leases now. */
async function readOwnLeased(
  { database }: Pick<AppContext, "database">,
  userId: string,
  productId: string,
): Promise<number> {
  const { rows } = await sql<{ leased: bigint }>`
    select coalesce(sum(quantity), 0) as leased from mining_lease
    where user_id = ${userId} and product_id = ${productId} and next_due_ms is not null`.execute(
    database.db,
  );
  return Number(rows[0]!.leased);
}

async function toApiError(
  ctx: Pick<AppContext, "database">,
  { outcome }: PostResult,
  { productId, stock }: PublishedTerms,
): Promise<ApiError> {
  if (outcome !== "limit_full") return toOutcomeApiError(outcome);
  const leasedCount = Number(await readLimitUsed(ctx.database.db, stockKey(productId)));
  const remaining = Math.max(0, stock - leasedCount);
  return new ApiError("mining.sold_out", { left: remaining });
}

/** Inserts all leases of a batch with one set-based statement. */
async function insertLeases(ctx: AppContext, tx: Tx, posted: PostedJournal[]): Promise<void> {
  await requireNotClosed(ctx, tx, Math.min(...posted.map(({ atMs }) => atMs)));
  const rows = posted.map(({ journal, row, atMs }) => ({
    id: journal.id,
    atMs,
    ...(row as Draft),
  }));
  const { name: world, market } = ctx.world;
  const computeHash = (row: (typeof rows)[number]) =>
    structureHash(
      leaseStructure({
        world,
        market,
        leaseId: row.id,
        attemptId: row.attemptId,
        productId: row.terms.productId,
        termsHash: row.terms.termsHash,
        quantity: row.quantity,
        days: row.days,
        cost: row.cost,
        acceptedAtMs: row.atMs,
        salt: row.salt,
      }),
    );
  const column = <T>(getValue: (row: (typeof rows)[number]) => T) => rows.map(getValue);
  await sql`insert into mining_lease (id, user_id, attempt_id, account, product_id, terms_hash, quantity, days, hashrate_ghs, pool_fee_bp,
      price_per_day, power_per_day, accepted_at_ms, salt, lease_hash, days_to_work)
    select id, user_id, attempt_id, account, product_id, decode(terms_hash, 'hex'), quantity, days, hashrate_ghs, ${poolFeeBp}::integer,
      price_per_day, power_per_day, accepted_at_ms, decode(salt, 'hex'), lease_hash, days
    from unnest(
      ${column((row) => row.id)}::uuid[], ${column((row) => row.userId)}::text[],
      ${column((row) => row.attemptId)}::text[], ${column((row) => String(row.account))}::bigint[],
      ${column((row) => row.terms.productId)}::text[], ${column((row) => row.terms.termsHash)}::text[],
      ${column((row) => row.quantity)}::integer[], ${column((row) => row.days)}::integer[],
      ${column((row) => String(row.terms.hashrateGhs * BigInt(row.quantity)))}::bigint[],
      ${column((row) => String(row.cost.pricePerDay))}::bigint[],
      ${column((row) => String(row.cost.powerCostPerDay))}::bigint[], ${column((row) => row.atMs)}::bigint[],
      ${column((row) => row.salt)}::text[], ${column((row) => Buffer.from(computeHash(row)))}::bytea[]
    ) with ordinality as l (id, user_id, attempt_id, account, product_id, terms_hash, quantity, days, hashrate_ghs, price_per_day,
      power_per_day, accepted_at_ms, salt, lease_hash, ordinal)
    order by ordinal`.execute(tx);
}
