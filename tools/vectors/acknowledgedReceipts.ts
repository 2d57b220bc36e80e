import { orderStructure } from "#core/contracts/order.ts";
import { orderStructure as poolOrderStructure } from "#core/hosting/order.ts";
import { hashBody } from "#core/ledger/ids.ts";
import { leaseStructure, structureHash } from "#core/mining/leaseOrder.ts";
import type { Acknowledgement } from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import { createReceipt, findLeafIndex, orders, world } from "./contractLog.ts";
import { call, firstPromise, getKept } from "./keptAcknowledgements.ts";

type Structure = { readonly [name: string]: Canonical };

/** Receipts that a server might show despite its promises. */
export function createReceiptVectors() {
  const [first, second] = orders as [(typeof orders)[0], (typeof orders)[0]];
  const receipt = createReceipt(first);
  const { order } = receipt as { order: Record<string, unknown> };
  return [
    { name: "what was promised", receipt, difference: null },
    { name: "of another order", receipt: createReceipt(second), difference: null },
    {
      name: "turned",
      receipt: { ...receipt, order: { ...order, direction: "down" } },
      difference: "acknowledgement_differs",
    },
    {
      name: "dated later",
      receipt: { ...receipt, order: { ...order, accepted_at_ms: first.order.acceptedAtMs + 500 } },
      difference: "acknowledgement_differs",
    },
    {
      name: "bound by a leaf from before it was accepted",
      receipt: { ...receipt, bound_leaf: receipt.bound_leaf - 1 },
      difference: "acknowledged_bound_before",
    },
    {
      name: "a journal of another body",
      receipt: {
        journal: {
          id: first.order.orderId,
          at_ms: first.order.acceptedAtMs,
          body_hash: "0".repeat(64),
        },
      },
      difference: "acknowledgement_differs",
    },
  ];
}

/** Promises that name the request, each with a receipt of what was actually done. */
export function createRequestVectors() {
  const [{ order }] = orders as [(typeof orders)[0]];
  const marks = { world: world.world, market: { kind: "simulated", speed: 1 } } as const;
  const common = {
    ...marks,
    attemptId: order.attemptId,
    termsHash: order.termsHash,
    acceptedAtMs: order.acceptedAtMs,
    salt: order.salt,
  };
  const poolOrder = (change: { amount?: bigint; units?: bigint }) =>
    poolOrderStructure({
      ...common,
      orderId: order.orderId,
      poolId: "cross-btc",
      action: change.units === undefined ? "subscribe" : "redeem",
      amount: change.amount ?? null,
      units: change.units ?? null,
    });
  const createLease = (days: number) =>
    leaseStructure({
      ...common,
      leaseId: order.orderId,
      productId: "hundred",
      quantity: 2,
      days,
      cost: { pricePerDay: 800_000n, powerCostPerDay: 9_361_092n },
    });
  const subscribeInput = { product_id: "cross-btc", amount: "20.5", terms_hash: order.termsHash };
  const leaseInput = { product_id: "hundred", quantity: 2, days: 6, terms_hash: order.termsHash };
  const placeInput = {
    contract_id: order.contractId,
    direction: order.direction,
    stake: "100.00",
    tier: order.tierSeconds,
    terms_hash: order.termsHash,
  };
  type RequestOf = [call: string, input: { [name: string]: string | number }];
  const contract = (input: Partial<typeof placeInput>): RequestOf => [
    call,
    { ...placeInput, ...input },
  ];
  const pool = (input: Partial<typeof subscribeInput>): RequestOf => [
    "/api/pledge/trusteeshipProduct",
    { ...subscribeInput, ...input },
  ];
  const redeemRequest = (input: { units: string; attempt_id?: string }): RequestOf => [
    "/api/pledge/redeem",
    { product_id: "cross-btc", ...input },
  ];
  const machine = (input: Partial<typeof leaseInput>): RequestOf => [
    "/api/machine/leaseProduct",
    { ...leaseInput, ...input },
  ];
  const toVector = (
    name: string,
    [path, input]: RequestOf,
    structure: { order: Structure } | { lease: Structure },
    difference: string | null,
  ) => {
    const promise: Acknowledgement = {
      ...firstPromise,
      call: path,
      body_hash: bytesToHex(hashBody(world.world, path, input)),
      hash: bytesToHex(structureHash("order" in structure ? structure.order : structure.lease)),
    };
    const keptAcknowledgement = getKept(promise);
    return {
      name,
      kept: { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, call: path } },
      receipt: { ...structure, bound_leaf: findLeafIndex(10) },
      difference,
    };
  };
  const upOrder = orderStructure(order);
  const downOrder = orderStructure({ ...order, direction: "down" });
  const differs = "acknowledgement_differs";
  const redeemOrder = poolOrder({ units: 150_000_000n });
  return [
    toVector("a stake written with zeros", contract({}), { order: upOrder }, null),
    toVector(
      "turned, with the hash of the turned order promised",
      contract({}),
      { order: downOrder },
      differs,
    ),
    toVector("ten times the stake", contract({ stake: "10" }), { order: upOrder }, differs),
    toVector("of another tier", contract({ tier: 300 }), { order: upOrder }, differs),
    toVector("a subscription", pool({}), { order: poolOrder({ amount: 20_500_000n }) }, null),
    toVector(
      "a subscription for more",
      pool({}),
      { order: poolOrder({ amount: 205_000_000n }) },
      differs,
    ),
    toVector(
      "to another pool",
      pool({ product_id: "hold-btc" }),
      { order: poolOrder({ amount: 20_500_000n }) },
      differs,
    ),
    toVector("redeemed instead", pool({}), { order: redeemOrder }, differs),
    toVector("units", redeemRequest({ units: "1.5" }), { order: redeemOrder }, null),
    toVector(
      "units of an attempt that is named",
      redeemRequest({ units: "1.50", attempt_id: order.attemptId }),
      { order: redeemOrder },
      null,
    ),
    toVector("all units", redeemRequest({ units: "all" }), { order: redeemOrder }, null),
    toVector("other units", redeemRequest({ units: "15" }), { order: redeemOrder }, differs),
    toVector(
      "units of another attempt",
      redeemRequest({ units: "1.5", attempt_id: "attempt-2" }),
      { order: redeemOrder },
      differs,
    ),
    toVector("a lease", machine({}), { lease: createLease(6) }, null),
    toVector("a lease of more days", machine({}), { lease: createLease(7) }, differs),
    toVector(
      "an order of no known format",
      contract({}),
      { order: { ...upOrder, format: "other" } },
      differs,
    ),
  ];
}
