import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type OrderBody, orderHash, orderStructure } from "#core/contracts/order.ts";
import { orderStructure as poolOrderStructure } from "#core/hosting/order.ts";
import { hashBody } from "#core/ledger/ids.ts";
import { leaseStructure, structureHash } from "#core/mining/leaseOrder.ts";
import {
  type Acknowledgement,
  acknowledgementKeyName,
  acknowledgementText,
  batchText,
  certificateText,
  dueAt,
  type KeptAcknowledgement,
  keptFormat,
} from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import { encodeVkey, noteKey, signNote } from "#core/transparency-log/checkpoint.ts";
import { leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import {
  createReceipt,
  entries,
  held,
  leafIndex,
  orders,
  rows,
  secondEntry,
  world,
} from "./contractLog.ts";
import { vectorKey, vectorOrigin, vectorSigner } from "./log.ts";

/** A key for vectors only; its secret is public. */
const secret = new Uint8Array(32).fill(0x43);
const key = noteKey(acknowledgementKeyName(vectorOrigin), ed25519.getPublicKey(secret));
const signer = { key, sign: (message: Uint8Array) => ed25519.sign(message, secret) };
const certificate = signNote(certificateText(world.world, vectorOrigin, encodeVkey(key)), [
  vectorSigner,
]);

const call = "/api/contract/contractPlaceOrder";
const rootAt = (size: number) => bytesToHex(treeRoot(entries.slice(0, size).map(leafHash)));
const toKey = (number: number) => `018d0000-0000-7000-8000-00000000000${number}`;

/** The promise made when the order was accepted; the log then had the leaves before `size`. */
function createPromise(order: OrderBody, size: number): Acknowledgement {
  const hash = orderHash(order);
  const input = {
    contract_id: order.contractId,
    direction: order.direction,
    stake: String(order.stake / 1_000_000n),
    tier: order.tierSeconds,
    terms_hash: order.termsHash,
  };
  return {
    world: world.world,
    log: vectorOrigin,
    call,
    key: toKey(Number(order.orderId.at(-1))),
    body_hash: bytesToHex(hashBody(world.world, call, input)),
    id: order.orderId,
    hash,
    accepted_at_ms: order.acceptedAtMs,
    due_at_ms: dueAt(order.acceptedAtMs, hash, world.market.speed),
    tree: { size, root: rootAt(size) },
  };
}

type Change = (text: string) => string;
type Structure = { readonly [name: string]: Canonical };

/** Signs the promise in a batch between two others, and keeps it as a client would. */
function getKept(promise: Acknowledgement, change: Change = (text) => text): KeptAcknowledgement {
  const text = change(acknowledgementText(promise));
  const batch = ["another promise", text, "a third one"].map((one) => leafHash(utf8ToBytes(one)));
  const note = batchText(world.world, vectorOrigin, batch.length, bytesToHex(treeRoot(batch)));
  return {
    format: keptFormat,
    practice: true,
    backing: "none",
    acknowledgement: {
      promise: text,
      index: 1,
      path: inclusionRanges(1, batch.length).map(({ start, end }) =>
        bytesToHex(treeRoot(batch.slice(start, end))),
      ),
      batch: signNote(note, [signer]),
    },
    certificate,
    sent: { call, key: promise.key, body_hash: promise.body_hash, at_ms: promise.accepted_at_ms },
  };
}

/** Changes of the log, and of the hashes that it serves for a leaf. */
interface Log {
  at: number;
  remove: number;
  insert: string[];
  hashes?: Record<string, string[]>;
}

export function acknowledgementVectors() {
  const [first, , , fourth] = orders as [(typeof orders)[0], unknown, unknown, (typeof orders)[0]];
  const good = createPromise(first.order, leafIndex(10));
  const keptAcknowledgement = getKept(good);
  const signed = keptAcknowledgement.acknowledgement;
  const end = entries.length;
  const journal: Acknowledgement = {
    ...good,
    call: "/api/user/send",
    hash: null,
    due_at_ms: dueAt(good.accepted_at_ms, null, world.market.speed),
  };
  const dropped = { ...first.order, salt: "9".repeat(64) };
  const later = {
    ...first.order,
    acceptedAtMs: first.order.acceptedAtMs + secondsOfLog * 1000,
  };
  const other = "0".repeat(64);
  const lie = (name: string, altered: unknown, step: string, difference: string, log?: Log) => ({
    name,
    kept: altered,
    ...(log ? { log } : {}),
    step: `acknowledgement_${step}`,
    difference,
  });
  const resigned = (name: string, change: Partial<Acknowledgement>, step: string, what: string) =>
    lie(name, getKept({ ...good, ...change }), step, what);
  const otherKey = { ...signer, sign: (bytes: Uint8Array) => ed25519.sign(bytes, sha256(secret)) };
  const alone = certificateText(world.world, vectorOrigin, encodeVkey(key));
  const misnamed = noteKey(`${vectorOrigin}/other`, key.publicKey);
  return {
    about:
      "A small log with the hashes that its seconds bind (by leaf), and kept acknowledgements: `bound_leaf` is the leaf that keeps the promise, null where it is open. In `falsified`, `log` replaces `remove` leaves from `at` on by `insert`, and `hashes` what is served for a leaf. `receipts` are compared with the first acknowledgement, or with their own one in `kept`.",
    origin: vectorOrigin,
    vkey: encodeVkey(vectorKey),
    entries: entries.map(bytesToHex),
    hashes: hashesByLeaf(),
    kept: [
      {
        name: "an order, bound by the next second",
        kept: keptAcknowledgement,
        bound_leaf: leafIndex(10),
      },
      {
        name: "an order that becomes void is bound all the same",
        kept: getKept(createPromise(fourth.order, leafIndex(38))),
        bound_leaf: leafIndex(39),
      },
      {
        name: "before the first checkpoint",
        kept: getKept(createPromise(first.order, 0)),
        bound_leaf: leafIndex(10),
      },
      {
        name: "an order after the newest second is open",
        kept: getKept(createPromise(later, end)),
        bound_leaf: null,
      },
      {
        name: "accepted five seconds after it was sent",
        kept: {
          ...keptAcknowledgement,
          sent: { ...keptAcknowledgement.sent, at_ms: good.accepted_at_ms - 5_000 },
        },
        bound_leaf: leafIndex(10),
      },
      {
        name: "accepted before it was sent again",
        kept: {
          ...keptAcknowledgement,
          sent: { ...keptAcknowledgement.sent, at_ms: good.accepted_at_ms + 60_000 },
        },
        bound_leaf: leafIndex(10),
      },
      {
        name: "sent by a client that noted no time",
        kept: { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, at_ms: null } },
        bound_leaf: leafIndex(10),
      },
      {
        name: "a call of which nothing is bound is open",
        kept: { ...getKept(journal), sent: { ...keptAcknowledgement.sent, call: journal.call } },
        bound_leaf: null,
      },
    ],
    falsified: [
      lie(
        "no promise",
        { ...keptAcknowledgement, acknowledgement: {} },
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "a member more",
        getKept(good, (text) => text.replace('{"acc', '{"a":1,"acc')),
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "not canonical",
        getKept(good, (text) => text.replace(",", ", ")),
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "without the practice mark",
        getKept(good, (text) => text.replace('"practice":true', '"practice":false')),
        "form",
        "not_practice",
      ),
      lie(
        "without a certificate",
        { ...keptAcknowledgement, certificate: null },
        "key",
        "acknowledgement_key_unknown",
      ),
      lie(
        "certified by somebody else",
        {
          ...keptAcknowledgement,
          certificate: signNote(alone, [{ ...vectorSigner, sign: otherKey.sign }]),
        },
        "key",
        "acknowledgement_key_unknown",
      ),
      lie(
        "certified for another world",
        {
          ...keptAcknowledgement,
          certificate: signNote(certificateText("other", vectorOrigin, encodeVkey(key)), [
            vectorSigner,
          ]),
        },
        "key",
        "acknowledgement_key_unknown",
      ),
      lie(
        "certified under another name",
        {
          ...keptAcknowledgement,
          certificate: signNote(certificateText(world.world, vectorOrigin, encodeVkey(misnamed)), [
            vectorSigner,
          ]),
        },
        "key",
        "acknowledgement_key_unknown",
      ),
      resigned(
        "of another log",
        { log: "drydock.invalid/other/00000000" },
        "key",
        "acknowledgement_key_unknown",
      ),
      lie(
        "altered after it was signed",
        {
          ...keptAcknowledgement,
          acknowledgement: { ...signed, promise: signed.promise.replace(good.hash!, other) },
        },
        "key",
        "acknowledgement_signature_wrong",
      ),
      lie(
        "at another place of the batch",
        { ...keptAcknowledgement, acknowledgement: { ...signed, index: 0 } },
        "key",
        "acknowledgement_signature_wrong",
      ),
      lie(
        "signed by the log's key",
        {
          ...keptAcknowledgement,
          acknowledgement: {
            ...signed,
            batch: signNote(`${signed.batch.split("\n")[0]}\n`, [vectorSigner]),
          },
        },
        "key",
        "acknowledgement_signature_wrong",
      ),
      lie(
        "of another key than was sent",
        { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, key: toKey(9) } },
        "sent",
        "acknowledged_otherwise",
      ),
      lie(
        "of another body than was sent: the other direction",
        {
          ...keptAcknowledgement,
          sent: {
            ...keptAcknowledgement.sent,
            body_hash: createPromise({ ...first.order, direction: "down" }, 0).body_hash,
          },
        },
        "sent",
        "acknowledged_otherwise",
      ),
      lie(
        "accepted a millisecond more than five seconds after it was sent",
        {
          ...keptAcknowledgement,
          sent: { ...keptAcknowledgement.sent, at_ms: good.accepted_at_ms - 5_001 },
        },
        "sent",
        "acknowledged_held_up",
      ),
      lie(
        "sent at no time",
        { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, at_ms: "" } },
        "form",
        "acknowledgement_malformed",
      ),
      resigned(
        "due a second later",
        { due_at_ms: good.due_at_ms + 1000 },
        "due",
        "acknowledged_due_differs",
      ),
      resigned(
        "another tree",
        { tree: { ...good.tree, root: other } },
        "tree",
        "acknowledged_tree_differs",
      ),
      resigned(
        "a tree larger than the log",
        { tree: { size: end + 1, root: other } },
        "tree",
        "acknowledged_tree_differs",
      ),
      lie(
        "an order that was dropped",
        getKept(createPromise(dropped, leafIndex(10))),
        "bound",
        "acknowledged_not_bound",
      ),
      lie(
        "an order that was held back for a second",
        getKept(createPromise(held.order, leafIndex(49))),
        "bound",
        "acknowledged_not_bound",
      ),
      lie(
        "an order bound twenty seconds later",
        keptAcknowledgement,
        "bound",
        "acknowledged_bound_late",
        {
          at: leafIndex(10),
          remove: 20,
          insert: [bytesToHex(secondEntry({ ...rows[leafIndex(10)]!, second: 30 }))],
        },
      ),
      lie(
        "seconds that do not ascend",
        getKept(createPromise(later, leafIndex(10))),
        "bound",
        "seconds_not_ascending",
        {
          at: leafIndex(12),
          remove: 0,
          insert: [bytesToHex(entries[leafIndex(11)]!)],
        },
      ),
      lie(
        "hashes that are not those of the root",
        keptAcknowledgement,
        "bound",
        "orders_hashes_differ",
        {
          at: 0,
          remove: 0,
          insert: [],
          hashes: { [leafIndex(10)]: [good.hash!, other, other] },
        },
      ),
      lie(
        "fewer hashes than the leaf binds",
        keptAcknowledgement,
        "bound",
        "orders_hashes_differ",
        {
          at: 0,
          remove: 0,
          insert: [],
          hashes: { [leafIndex(10)]: [good.hash!] },
        },
      ),
      ...[
        ["without the practice mark", 2],
        ["of another world", 5],
        ["of another version", 0],
      ].map(([what, at]) =>
        lie(
          `a leaf ${what}, of a kind that is passed over`,
          keptAcknowledgement,
          "bound",
          "leaf_unreadable",
          {
            at: leafIndex(10),
            remove: 0,
            insert: [bytesToHex(foreignEntry(at as number))],
          },
        ),
      ),
      lie(
        "a member more in the file",
        { ...keptAcknowledgement, more: 1 },
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "a member more beside the promise",
        { ...keptAcknowledgement, acknowledgement: { ...signed, more: 1 } },
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "a member more in what was sent",
        { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, more: 1 } },
        "form",
        "acknowledgement_malformed",
      ),
      lie(
        "a file without the practice mark",
        { ...keptAcknowledgement, practice: false },
        "form",
        "not_practice",
      ),
    ],
    receipts: [...receiptVectors(), ...askedVectors(good)],
  };
}

const secondsOfLog = 300;

/** A `books` leaf with one byte of its head altered. */
function foreignEntry(at: number): Uint8Array {
  const entry = leafHead("books", worldTag(world.world));
  entry[at]! ^= 1;
  return entry;
}

function hashesByLeaf(): Record<string, string[]> {
  return Object.fromEntries(
    rows.flatMap((row, leaf) =>
      row && row.orders.length > 0 ? [[leaf, row.orders.map(orderHash)]] : [],
    ),
  );
}

/** Receipts that a server might show, whatever it promised. */
function receiptVectors() {
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

/** Promises over what was asked for, with receipts of what was done; each with its own promise. */
function askedVectors(good: Acknowledgement) {
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
  const subscribed = { product_id: "cross-btc", amount: "20.5", terms_hash: order.termsHash };
  const leased = { product_id: "hundred", quantity: 2, days: 6, terms_hash: order.termsHash };
  const placed = {
    contract_id: order.contractId,
    direction: order.direction,
    stake: "100.00",
    tier: order.tierSeconds,
    terms_hash: order.termsHash,
  };
  type RequestOf = [call: string, input: { [name: string]: string | number }];
  const contract = (input: Partial<typeof placed>): RequestOf => [call, { ...placed, ...input }];
  const pool = (input: Partial<typeof subscribed>): RequestOf => [
    "/api/pledge/trusteeshipProduct",
    { ...subscribed, ...input },
  ];
  const redeemed = (input: { units: string; attempt_id?: string }): RequestOf => [
    "/api/pledge/redeem",
    { product_id: "cross-btc", ...input },
  ];
  const machine = (input: Partial<typeof leased>): RequestOf => [
    "/api/machine/leaseProduct",
    { ...leased, ...input },
  ];
  const done = (
    name: string,
    [path, input]: RequestOf,
    what: { order: Structure } | { lease: Structure },
    difference: string | null,
  ) => {
    const promise: Acknowledgement = {
      ...good,
      call: path,
      body_hash: bytesToHex(hashBody(world.world, path, input)),
      hash: bytesToHex(structureHash("order" in what ? what.order : what.lease)),
    };
    const keptAcknowledgement = getKept(promise);
    return {
      name,
      kept: { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, call: path } },
      receipt: { ...what, bound_leaf: leafIndex(10) },
      difference,
    };
  };
  const up = orderStructure(order);
  const turned = orderStructure({ ...order, direction: "down" });
  const differs = "acknowledgement_differs";
  const units = poolOrder({ units: 150_000_000n });
  return [
    done("a stake written with zeros", contract({}), { order: up }, null),
    done(
      "turned, with the hash of the turned order promised",
      contract({}),
      { order: turned },
      differs,
    ),
    done("ten times the stake", contract({ stake: "10" }), { order: up }, differs),
    done("of another tier", contract({ tier: 300 }), { order: up }, differs),
    done("a subscription", pool({}), { order: poolOrder({ amount: 20_500_000n }) }, null),
    done(
      "a subscription for more",
      pool({}),
      { order: poolOrder({ amount: 205_000_000n }) },
      differs,
    ),
    done(
      "to another pool",
      pool({ product_id: "hold-btc" }),
      { order: poolOrder({ amount: 20_500_000n }) },
      differs,
    ),
    done("redeemed instead", pool({}), { order: units }, differs),
    done("units", redeemed({ units: "1.5" }), { order: units }, null),
    done(
      "units of an attempt that is named",
      redeemed({ units: "1.50", attempt_id: order.attemptId }),
      { order: units },
      null,
    ),
    done("all units", redeemed({ units: "all" }), { order: units }, null),
    done("other units", redeemed({ units: "15" }), { order: units }, differs),
    done(
      "units of another attempt",
      redeemed({ units: "1.5", attempt_id: "attempt-2" }),
      { order: units },
      differs,
    ),
    done("a lease", machine({}), { lease: createLease(6) }, null),
    done("a lease of more days", machine({}), { lease: createLease(7) }, differs),
    done(
      "an order of no known format",
      contract({}),
      { order: { ...up, format: "other" } },
      differs,
    ),
  ];
}
