import { sql } from "kysely";
import { orderStructure } from "#core/hosting/order.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { TradeRow } from "#server/hosting/store.ts";
import type { HostingDeps, OrderRow } from "#server/hosting/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { readBinding } from "#server/transparency-log/bindings.ts";

type Receipt = Record<string, unknown>;

/**
 * Builds hosting receipts (docs/formats/hosting.md) once a signed checkpoint covers every leaf they
 * refer to; until then throws `hosting.receipt_not_ready`.
 */
export function createReceipts(
  { world, database }: AppContext,
  { transparencyLog }: Pick<HostingDeps, "transparencyLog">,
  pools: Pools,
) {
  const { db } = database;
  const marks = {
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
  };
  /** Returns the log's origin and key; throws until the checkpoint covers the leaf. */
  const requireCovered = async (lastLeaf: number) => {
    const [checkpoint, identity] = await Promise.all([
      transparencyLog.checkpoint(),
      transparencyLog.identity(),
    ]);
    const key = identity.keys[0];
    if (!checkpoint || checkpoint.size <= lastLeaf || !key) {
      throw new ApiError("hosting.receipt_not_ready");
    }
    return { origin: identity.origin, vkey: key.vkey };
  };
  const getTerms = async (hash: string) => {
    const terms = await pools.termsOf(hash);
    if (!terms) throw new Error(`no terms with hash ${hash}`);
    return { terms: JSON.parse(terms.body) as Receipt, terms_leaf: terms.leaf };
  };

  const buildStructure = (row: OrderRow) =>
    orderStructure({
      world: world.name,
      market: world.market,
      orderId: row.id,
      attemptId: row.attempt_id,
      poolId: row.pool_id,
      action: row.action,
      amount: row.action === "subscribe" ? row.amount : null,
      units: row.action === "redeem" ? row.units : null,
      termsHash: row.terms_hash,
      acceptedAtMs: Number(row.accepted_at_ms),
      salt: row.salt,
    });

  return {
    /** A subscription and where it is bound, for the receipt of the journal that paid for it. */
    bound: async (row: OrderRow): Promise<object> => {
      if (row.bound_leaf === null) throw new ApiError("hosting.receipt_not_ready");
      const leaf = Number(row.bound_leaf);
      await requireCovered(leaf);
      const binding = await readBinding(db, leaf, hexToBytes(row.order_hash));
      return { order: buildStructure(row), ...binding };
    },

    order: async (row: OrderRow): Promise<Receipt> => {
      if (row.outcome === null || row.bound_leaf === null) {
        throw new ApiError("hosting.receipt_not_ready");
      }
      const boundLeaf = Number(row.bound_leaf);
      const markLeaf = row.outcome === "executed" ? Number(row.mark_leaf) : null;
      const text = (value: bigint | null) => (value === null ? null : value.toString());
      return {
        format: "drydock.receipt.hosting/1",
        ...marks,
        order: buildStructure(row),
        ...(await readBinding(db, boundLeaf, hexToBytes(row.order_hash))),
        mark_leaf: markLeaf,
        ...(await getTerms(row.terms_hash)),
        result: {
          outcome: row.outcome,
          mark_at_ms: markLeaf === null ? null : Number(row.mark_at_ms),
          nav: text(row.nav),
          amount: text(row.amount),
          units: text(row.units),
          fee: text(row.fee),
          payout: text(row.payout),
        },
        log: await requireCovered(Math.max(boundLeaf, markLeaf ?? 0)),
      };
    },

    trade: async (row: TradeRow): Promise<Receipt> => {
      const fills = row.fills ?? [];
      if (fills.length < row.legs) throw new ApiError("hosting.receipt_not_ready");
      const pool = await pools.find(row.pool_id);
      const leaves = fills.map(({ leaf }) => Number(leaf));
      const sum = (of: "gross" | "slippage" | "fees") =>
        fills.reduce((total, fill) => total + BigInt(fill[of]), 0n);
      return {
        format: "drydock.receipt.trade/1",
        ...marks,
        pool_id: row.pool_id,
        number: row.number,
        decision_leaf: Number(row.decision_leaf),
        fill_leaves: leaves,
        ...(await getTerms(pool!.termsHash)),
        result: {
          fills: fills.map(({ quantity, quote, fee, why }) => ({ quantity, quote, fee, why })),
          gross: sum("gross").toString(),
          slippage: sum("slippage").toString(),
          fees: sum("fees").toString(),
          net: (sum("gross") - sum("slippage") - sum("fees")).toString(),
        },
        log: await requireCovered(Math.max(Number(row.decision_leaf), ...leaves)),
      };
    },

    mark: async (poolId: string, atMs: number): Promise<Receipt> => {
      const pool = await pools.find(poolId);
      if (!pool) throw new ApiError("hosting.unknown");
      const { rows } =
        await sql<MarkRow>`select at_ms, leaf, second_leaf, nav, units, assets, owed from hosting_mark
        where pool_id = ${poolId} and at_ms <= ${atMs} order by at_ms desc limit 2`.execute(db);
      const [mark, before] = rows;
      if (!mark || Number(mark.at_ms) !== atMs) throw new ApiError("hosting.mark_unknown");
      const leaf = Number(mark.leaf);
      return {
        format: "drydock.receipt.mark/1",
        ...marks,
        pool_id: poolId,
        at_ms: atMs,
        mark_leaf: leaf,
        second_leaf: Number(mark.second_leaf),
        before_mark_leaf: before ? Number(before.leaf) : null,
        ...(await getTerms(pool.termsHash)),
        result: {
          nav: mark.nav.toString(),
          units: mark.units.toString(),
          assets: mark.assets.toString(),
          owed: mark.owed.toString(),
        },
        log: await requireCovered(leaf),
      };
    },
  };
}

export type Receipts = ReturnType<typeof createReceipts>;

interface MarkRow {
  at_ms: bigint;
  leaf: bigint;
  second_leaf: bigint;
  nav: bigint;
  units: bigint;
  assets: bigint;
  owed: bigint;
}
