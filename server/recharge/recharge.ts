import { join } from "node:path";
import { sql } from "kysely";
import type { RechargeRules, RechargeState, Voucher } from "#api/recharge.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Blobs, createDirectoryBlobs } from "#server/platform/crypto/blobs.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { ImageDecoder } from "#server/platform/images/imageDecoder.ts";
import type { Job } from "#server/platform/jobs.ts";
import { acceptRecharge, type RechargeParams } from "#server/recharge/accept.ts";
import { explainCredits } from "#server/recharge/explain.ts";
import { reviewDue } from "#server/recharge/review.ts";
import {
  countCancelled,
  listRecharges,
  listVouchers,
  type PageFilter,
  readRecharge,
  readUndecided,
} from "#server/recharge/store.ts";
import { readRules, toRechargeView, toVoucherView } from "#server/recharge/views.ts";
import { createVoucherMaker, type VoucherParams } from "#server/recharge/voucherMaker.ts";
import type { Explain } from "#server/records/types.ts";

/**
 * A file that no row refers to is swept once it is older than this in real time: the request that
 * wrote it is over by then.
 */
const sweepAgeMs = 10 * 60_000;

interface Owner {
  userId: string;
  attemptId: string;
}

export interface Recharges {
  draw(userId: string, params: VoucherParams): Promise<Voucher>;
  vouchers(userId: string, filter: PageFilter): Promise<{ seq: bigint; view: Voucher }[]>;
  rules(userId: string): Promise<RechargeRules>;
  /** See `acceptRecharge`; returns the state of the recharge. */
  accept(
    owner: Owner,
    params: RechargeParams,
    key: { id: string; bodyHash: Uint8Array },
  ): Promise<RechargeState>;
  /** The hash of the request behind one of the user's recharges; null if there is none. */
  bodyHashOf(userId: string, id: string): Promise<Uint8Array | null>;
  /** Null if the user has no such recharge. */
  find(userId: string, id: string): Promise<RechargeState | null>;
  list(
    userId: string,
    attemptId: string,
    filter: PageFilter,
  ): Promise<{ seq: bigint; view: RechargeState }[]>;
  /** WebP. Throws `recharge.unknown`. */
  image(userId: string, id: string): Promise<Buffer>;
  /** Cancels the undecided recharges of an attempt; idempotent. For starting over. */
  cancelWaiting(attemptId: string): Promise<void>;
  /** Ids of a person's undecided recharges, oldest first. */
  undecided(db: Db | Tx, userId: string): Promise<string[]>;
  /** How many of these were cancelled. */
  countCancelled(ids: string[]): Promise<number>;
  /** Decides all due recharges; the job calls this each second. */
  review(): Promise<number>;
  /** Every picture stored of a person, one at a time. */
  images: (userId: string) => AsyncIterable<{ name: string; bytes: Uint8Array }>;
  /** Removes a person's pictures; the recharges stay, as they explain postings. */
  erase: (userId: string) => Promise<void>;
  /**
   * Removes pictures that no recharge refers to and that are older than ten minutes; the job calls
   * this.
   */
  sweep(): Promise<number>;
  jobs: readonly Job[];
  explain: Explain;
  ledger: Ledger;
}

export interface RechargeDeps {
  ledger: Ledger;
  market: Pick<Market, "latest">;
  imageDecoder: ImageDecoder;
}

/** Recharging with specimen vouchers (docs/rules/wallet.md, "Recharge"). */
export function createRecharges(
  ctx: AppContext,
  { ledger, market, imageDecoder }: RechargeDeps,
): Recharges {
  const { database, clock, world, config, logger } = ctx;
  const { db } = database;
  const voucherMaker = createVoucherMaker(ctx);
  const directory = join(config.dataDirectory, "blobs", world.name, "recharge");
  const blobs = createDirectoryBlobs(directory, ctx.realClock);
  const review = () => reviewDue(ctx, { ledger, market });
  const sweep = () => blobs.sweep(sweepAgeMs, (names) => namedImages(ctx, names));
  const show = async (row: Parameters<typeof toVoucherView>[0]) =>
    toVoucherView(row, await voucherMaker.textOf(row));
  const view = (row: Parameters<typeof toRechargeView>[0]) => toRechargeView(row, clock.nowMs());
  const find = async (userId: string, id: string) => {
    const row = await readRecharge(db, userId, id);
    return row && view(row);
  };
  return {
    jobs: [
      { name: "recharge.review", everySeconds: 1, run: review },
      {
        name: "recharge.sweep",
        everySeconds: 600,
        run: async () => {
          const removedCount = await sweep();
          if (removedCount > 0)
            logger.info({ removed: removedCount }, "removed orphaned recharge pictures");
        },
      },
    ] satisfies readonly Job[],
    draw: async (userId, params) => show(await voucherMaker.draw(userId, params)),
    vouchers: async (userId, filter) =>
      Promise.all(
        (await listVouchers(db, userId, filter)).map(async (row) => ({
          seq: row.seq,
          view: await show(row),
        })),
      ),
    rules: (userId) => readRules(ctx, { market, ledger }, userId),
    accept: async (owner, params, key) => {
      await acceptRecharge(ctx, { voucherMaker, imageDecoder, blobs, market }, owner, params, key);
      const existing = await find(owner.userId, key.id);
      if (!existing) throw new Error("an accepted recharge is missing");
      return existing;
    },
    bodyHashOf: async (userId, id) => (await readRecharge(db, userId, id))?.body_hash ?? null,
    find,
    list: async (userId, attemptId, filter) =>
      (await listRecharges(db, userId, attemptId, filter)).map((row) => ({
        seq: row.seq,
        view: view(row),
      })),
    image: (userId, id) => readImage(ctx, blobs, userId, id),
    cancelWaiting: async (attemptId) => {
      await sql`update recharge set outcome = 'cancelled', over_at_ms = ${clock.nowMs()}
        where attempt_id = ${attemptId} and outcome is null`.execute(db);
    },
    undecided: readUndecided,
    countCancelled: (ids) => countCancelled(db, ids),
    images: async function* images(userId) {
      for (const { id, image } of await getImages(ctx, userId)) {
        const bytes = await blobs.read(image);
        if (bytes) yield { name: `${id}.webp`, bytes };
      }
    },
    erase: async (userId) => {
      for (const { image } of await getImages(ctx, userId)) await blobs.remove(image);
    },
    review,
    sweep,
    explain: (journalIds) => explainCredits(db, journalIds),
    ledger,
  };
}

async function getImages({ database: { db } }: AppContext, userId: string) {
  const { rows } = await sql<{ id: string; image: string }>`
    select id, image from recharge where user_id = ${userId} order by seq`.execute(db);
  return rows;
}

async function namedImages(
  { database: { db } }: AppContext,
  names: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ image: string }>`
    select image from recharge where image = any(${names}::text[])`.execute(db);
  return new Set(rows.map(({ image }) => image));
}

async function readImage(
  { database: { db } }: AppContext,
  blobs: Blobs,
  userId: string,
  id: string,
): Promise<Buffer> {
  const row = await readRecharge(db, userId, id);
  const bytes = row && (await blobs.read(row.image));
  if (!bytes) throw new ApiError("recharge.unknown");
  return bytes;
}
