import { sql } from "kysely";
import { orderStructure } from "#core/contracts/order.ts";
import { type ContractReceipt, receiptFormat } from "#core/contracts/receiptForm.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import type { Catalogue } from "#server/contracts/catalogue.ts";
import { readBeforeLeaf } from "#server/contracts/settlement/beforeLeaf.ts";
import { readWindowLeaves } from "#server/contracts/settlement/windowLeaves.ts";
import type { Contract, ContractsDeps, OrderRow } from "#server/contracts/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Builds the receipt of a settled order once a signed checkpoint covers every leaf it refers to;
 * until then throws `contracts.receipt_not_ready`. Format: docs/formats/receipt.md.
 */
export async function buildReceipt(
  { world, database }: AppContext,
  { transparencyLog }: ContractsDeps,
  catalogue: Catalogue,
  order: OrderRow,
  { symbol }: Pick<Contract, "symbol">,
): Promise<ContractReceipt> {
  const { db } = database;
  const { outcome, payout } = order;
  if (outcome === null || payout === null) throw new ApiError("contracts.receipt_not_ready");
  // A settled order has a bound leaf and a leaf that decided its entry: the table allows no other.
  const [bound, entry, index] = [
    Number(order.bound_leaf),
    Number(order.entry_leaf),
    order.orders_index!,
  ];
  const [before, checkpoint, hashes, terms, window, identity] = await Promise.all([
    readBeforeLeaf(db, bound),
    transparencyLog.checkpoint(),
    readBoundHashes(db, bound),
    catalogue.termsOf(order.terms_hash),
    readWindowLeaves(db, order),
    transparencyLog.identity(),
  ]);
  const last = Math.max(entry, window?.[1] ?? 0);
  const key = identity.keys[0];
  if (!checkpoint || checkpoint.size <= last || !terms || !key) {
    throw new ApiError("contracts.receipt_not_ready");
  }
  const text = (value: bigint | null) => (value === null ? null : value.toString());
  const moment = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    format: receiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    order: orderStructure({
      world: world.name,
      market: world.market,
      orderId: order.id,
      attemptId: order.attempt_id,
      contractId: order.contract_id,
      symbol,
      direction: order.direction,
      tierSeconds: order.tier_seconds,
      windowSeconds: order.window_seconds,
      rangeBp: order.range_bp,
      rateBp: order.rate_bp,
      feeBp: order.fee_bp,
      stake: order.stake,
      fee: order.fee,
      termsHash: order.terms_hash,
      acceptedAtMs: Number(order.accepted_at_ms),
      salt: order.salt,
    }),
    orders_path: pathOf(hashes, index),
    orders_count: hashes.length,
    orders_index: index,
    before_leaf: before,
    bound_leaf: bound,
    entry_leaf: entry,
    window_leaves: window,
    terms: JSON.parse(terms.body) as Record<string, unknown>,
    terms_leaf: terms.leaf,
    result: {
      outcome,
      void_reason: order.void_reason,
      purchase_price: text(order.purchase_price),
      selling_price: text(order.selling_price),
      entry_at_ms: moment(order.entry_at_ms),
      delivery_at_ms: moment(order.delivery_at_ms),
      payout: payout.toString(),
      net: (payout - order.stake - order.fee).toString(),
    },
    log: { origin: identity.origin, vkey: key.vkey },
  };
}

async function readBoundHashes(db: Db, leaf: number): Promise<Uint8Array[]> {
  const { rows } = await sql<{ order_hash: Buffer }>`select order_hash from contract_order
    where bound_leaf = ${leaf} order by orders_index`.execute(db);
  return rows.map((row) => leafHash(new Uint8Array(row.order_hash)));
}

function pathOf(leafHashes: readonly Uint8Array[], index: number): string[] {
  return inclusionRanges(index, leafHashes.length).map(({ start, end }) =>
    bytesToHex(treeRoot(leafHashes.slice(start, end))),
  );
}
