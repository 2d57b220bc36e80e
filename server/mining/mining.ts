import { sql } from "kysely";
import type { Lease, Payout } from "#api/mining.ts";
import { computeSatoshi } from "#core/mining/formula.ts";
import { getDayEnd, getLeaseStart } from "#core/mining/lease.ts";
import type { MachineOffer, MachineTerms } from "#core/mining/terms.ts";
import { hourMs, minuteMs } from "#core/money/time.ts";
import { createCatalogue } from "#server/mining/catalogue.ts";
import { createEnding } from "#server/mining/ending.ts";
import { explainMining } from "#server/mining/explain.ts";
import { readLeaseResults } from "#server/mining/leaseResults.ts";
import { createLeasePlacement, stockKey } from "#server/mining/leasing.ts";
import { createNetwork } from "#server/mining/network.ts";
import { createPayouts } from "#server/mining/payouts.ts";
import { readPriceForPublishing, readPriceNow } from "#server/mining/price.ts";
import { pushLeases } from "#server/mining/push.ts";
import { buildBoundLease, buildLeaseReceipt } from "#server/mining/receipt.ts";
import { createSimulatedNetwork, type NetworkSource } from "#server/mining/source.ts";
import {
  type LeaseFilter,
  listLeases,
  listPayouts,
  readHashrateAtWork,
  readLease,
  readLeases,
  readPaidDay,
  readReadings,
  readTotals,
  readUnworked,
  toReading,
} from "#server/mining/store.ts";
import type { LeaseRow, MiningDeps } from "#server/mining/types.ts";
import { formatThs, type Moment, toLeaseView, toPayoutView } from "#server/mining/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/**
 * Cache lifetime in real milliseconds: every start of the app reads this for the first screen, and
 * a count over a million leases takes a tenth of a second.
 */
const countedMs = 10_000;

/**
 * Mining on the server. The loop `mining.run` takes readings and pays days as world time reaches
 * them; `advance` does both immediately, for tests and for `prepare`.
 */
export function createMining(
  ctx: AppContext,
  deps: MiningDeps,
  source: NetworkSource = createSimulatedNetwork(),
) {
  const { db } = ctx.database;
  const catalogue = createCatalogue(ctx, deps.transparencyLog);
  const network = createNetwork(ctx, deps.transparencyLog, source);
  const credit = createPayouts(ctx, deps, network);
  const reads = createReads(ctx, deps, { catalogue, network });
  const hashrateCache = createTtlCache<string, bigint>(
    () => readHashrateAtWork(db, ctx.clock.nowMs()),
    {
      ttlMs: countedMs,
      clock: ctx.realClock,
      shouldCache: () => true,
    },
  );
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await network.advance();
      await credit();
      const next = (Math.floor(ctx.clock.nowMs() / minuteMs) + 1) * minuteMs;
      // Only an abort ends the wait early, and the loop condition checks for it.
      await ctx.clock.until(next, signal).catch(() => {});
    }
  };
  if (deps.hub) {
    pushLeases(ctx, deps.hub, async (ids) => reads.leaseViews(await readLeases(db, ids)));
  }
  return {
    jobs: [{ name: "mining.run", loop: run }] satisfies readonly Job[],
    ...reads,
    db,
    ledger: deps.ledger,
    market: deps.market,
    catalogue,
    /** Returns true if a machine accepts new leases. */
    isListed: async (productId: string) =>
      (await deps.listings?.isListed("machine", productId)) ?? true,
    /** Machines, each with the limit row that counts its leased units. */
    stocks: async () =>
      Promise.all(
        (await catalogue.all()).map(async ({ productId, stock }) => ({
          productId,
          stock,
          key: stockKey(productId),
          sold: (await deps.listings?.isListed("machine", productId)) ?? true,
        })),
      ),
    network,
    /** Takes the world's first reading, after the `world` leaf and before anything is offered. */
    prepare: () => network.prepare(),
    /** Takes due readings and pays due days; returns how many leases were paid. */
    advance: async () => {
      await network.advance();
      return credit();
    },
    credit,
    lease: createLeasePlacement(ctx, deps, catalogue, network),
    end: createEnding(ctx, deps),
    /**
     * The figures that offers are checked against: the last reading and BTC's price; null without
     * either.
     */
    figures: async (tx?: Tx) => {
      const reading = await network.latest(tx);
      const btcPrice = await readPriceForPublishing(ctx, deps.market, tx);
      return reading && btcPrice !== null ? { network: toReading(reading), btcPrice } : null;
    },
    publish: async (offer: MachineOffer, tx?: Tx) =>
      catalogue.publish(offer, await readPriceForPublishing(ctx, deps.market, tx), tx),
    /**
     * The amount that an attempt has paid for days not worked by then (null: now), in minor units
     * of pUSDT.
     */
    unworked: (attemptId: string, moments: readonly (number | null)[]) =>
      readUnworked(
        db,
        attemptId,
        moments.map((atMs) => atMs ?? ctx.clock.nowMs()),
      ),
    /** Decimal TH/s of all machines at work now, at most `countedMs` of real time old. */
    hashrateAtWork: async () => formatThs(await hashrateCache.get("")),
    explain: (journalIds: string[]) => explainMining(db, catalogue, journalIds),
  };
}
export type Mining = ReturnType<typeof createMining>;

interface ReadingDeps {
  catalogue: ReturnType<typeof createCatalogue>;
  network: ReturnType<typeof createNetwork>;
}

function createReads(ctx: AppContext, deps: MiningDeps, { catalogue, network }: ReadingDeps) {
  const { db } = ctx.database;
  const getTerms = async (hash: string): Promise<MachineTerms> => {
    const publishedTerms = await catalogue.termsOf(hash);
    if (!publishedTerms) throw new Error(`no terms with hash ${hash}`);
    return publishedTerms.terms;
  };
  const moment = async (): Promise<Moment> => {
    const reading = await network.latest();
    const nowMs = ctx.clock.nowMs();
    const asOfMs = reading ? Math.min(nowMs, Number(reading.hour_ms) + hourMs - 1) : nowMs;
    return { nowMs, asOfMs, reading, price: readPriceNow(ctx, deps.market) };
  };
  const leaseViews = async (rows: readonly LeaseRow[]): Promise<Lease[]> => {
    if (rows.length === 0) return [];
    const now = await moment();
    const soFar = await readSoFar(ctx, rows, now.asOfMs);
    return Promise.all(
      rows.map(async (row) =>
        toLeaseView(row, await getTerms(row.terms_hash), soFar.get(row.id) ?? 0n, now, ctx.world),
      ),
    );
  };
  const requireLease = async (userId: string, leaseId: string): Promise<LeaseRow> => {
    const row = await readLease(db, userId, leaseId);
    if (!row) throw new ApiError("mining.lease_unknown");
    return row;
  };
  return {
    moment,
    leaseViews,
    /** The user's lease row; null when there is none. */
    findLease: (userId: string, leaseId: string) => readLease(db, userId, leaseId),
    /** The user's lease for the wire; throws `mining.lease_unknown`. */
    leaseOf: async (userId: string, leaseId: string) =>
      (await leaseViews([await requireLease(userId, leaseId)]))[0]!,
    leases: async (userId: string, filter: Omit<LeaseFilter, "nowMs">) => {
      const rows = await listLeases(db, userId, { ...filter, nowMs: ctx.clock.nowMs() });
      return { items: await leaseViews(rows), first: rows[0]?.seq ?? null };
    },
    results: async (
      attemptOwner: { userId: string; attemptId: string },
      span: Parameters<typeof readLeaseResults>[2],
    ) =>
      readLeaseResults(
        ctx,
        attemptOwner,
        span,
        await moment(),
        async (row) => (await getTerms(row.terms_hash)).model,
      ),
    totals: (owner: { userId: string; attemptId: string }) =>
      readTotals(db, owner.attemptId, owner.userId, ctx.clock.nowMs()),
    payouts: async (userId: string, params: Parameters<typeof listPayouts>[2]) => {
      if (params.leaseId !== null) await requireLease(userId, params.leaseId);
      const rows = await listPayouts(db, userId, params);
      const leases = await readLeases(db, [...new Set(rows.map((row) => row.lease_id))]);
      const byId = new Map(leases.map((lease) => [lease.id, lease]));
      const items = await Promise.all(
        rows.map(async (row): Promise<Payout> => {
          const lease = byId.get(row.lease_id)!;
          return toPayoutView(row, lease, await getTerms(lease.terms_hash));
        }),
      );
      return { items, firstMs: rows[0] ? Number(rows[0].due_ms) : null };
    },
    receipt: async (userId: string, leaseId: string, day: number | null) =>
      buildLeaseReceipt(ctx, deps, catalogue, await requireLease(userId, leaseId), day),
    /** The orders in the receipt of a journal of mining. */
    ordersOf: ({
      userId,
      kind,
      journalId,
      orderIds,
    }: {
      userId: string;
      kind: string;
      journalId: string;
      orderIds: readonly string[];
    }): Promise<object[]> =>
      Promise.all(
        orderIds.map(async (id) => {
          const lease = await requireLease(userId, id);
          if (kind === "mining.lease") return buildBoundLease(ctx, deps, catalogue, lease);
          const day = kind === "mining.payout" ? await readPaidDay(db, lease, journalId) : "none";
          return buildLeaseReceipt(ctx, deps, catalogue, lease, day);
        }),
      ),
    /** One reading a day up to the last, for at most `days` days. */
    history: async (days: number) => {
      const last = await network.latest();
      if (!last) return [];
      const lastMs = Number(last.hour_ms);
      return readReadings(db, lastMs - days * 24 * hourMs, lastMs, 24 * hourMs);
    },
  };
}

/** Satoshi that working leases have mined since their last paid day, up to `asOfMs`. */
async function readSoFar(
  { database }: Pick<AppContext, "database">,
  rows: readonly LeaseRow[],
  asOfMs: number,
): Promise<Map<string, bigint>> {
  const working = rows.flatMap((row) => {
    const times = { acceptedAtMs: Number(row.accepted_at_ms) };
    const toMs = Math.min(asOfMs, getDayEnd(times, row.days_to_work));
    return toMs > getLeaseStart(times) && row.days_paid < row.days_to_work
      ? [{ row, fromMs: getLeaseStart(times), toMs }]
      : [];
  });
  if (working.length === 0) return new Map();
  const { rows: minedRows } = await sql<{ id: string; brought: bigint | null }>`
    select id, mined_per_th(to_ms) - mined_per_th(from_ms) as brought
    from unnest(${working.map(({ row }) => row.id)}::text[], ${working.map(({ fromMs }) => fromMs)}::bigint[],
      ${working.map(({ toMs }) => toMs)}::bigint[]) w (id, from_ms, to_ms)`.execute(database.db);
  const minedById = new Map(minedRows.map((item) => [item.id, item.brought ?? 0n]));
  return new Map(
    working.map(({ row }) => {
      const total = computeSatoshi(minedById.get(row.id) ?? 0n, row.hashrate_ghs, row.pool_fee_bp);
      return [row.id, total > row.mined ? total - row.mined : 0n];
    }),
  );
}
