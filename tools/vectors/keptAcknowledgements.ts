import { ed25519 } from "@noble/curves/ed25519.js";
import { type OrderBody, orderHash } from "#core/contracts/order.ts";
import { hashBody } from "#core/ledger/ids.ts";
import {
  type Acknowledgement,
  acknowledgementKeyName,
  acknowledgementText,
  batchText,
  certificateText,
  computeDueAt,
  type KeptAcknowledgement,
  keptFormat,
} from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey, noteKey, signNote } from "#core/transparency-log/checkpoint.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { entries, findLeafIndex, orders, world } from "./contractLog.ts";
import { vectorOrigin, vectorSigner } from "./log.ts";

/** A key for vectors only; its secret is public. */
export const secret = new Uint8Array(32).fill(0x43);
export const key = noteKey(acknowledgementKeyName(vectorOrigin), ed25519.getPublicKey(secret));
const signer = { key, sign: (message: Uint8Array) => ed25519.sign(message, secret) };
const certificate = signNote(certificateText(world.world, vectorOrigin, encodeVkey(key)), [
  vectorSigner,
]);

export const call = "/api/contract/contractPlaceOrder";
const rootAt = (size: number) => bytesToHex(treeRoot(entries.slice(0, size).map(leafHash)));
export const toKey = (number: number) => `018d0000-0000-7000-8000-00000000000${number}`;

/** The promise made when the order was accepted; the log then had the leaves before `size`. */
export function createPromise(order: OrderBody, size: number): Acknowledgement {
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
    due_at_ms: computeDueAt(order.acceptedAtMs, hash, world.market.speed),
    tree: { size, root: rootAt(size) },
  };
}

type Change = (text: string) => string;

/** Signs the promise in a batch between two others, and keeps it as a client would. */
export function getKept(
  promise: Acknowledgement,
  change: Change = (text) => text,
): KeptAcknowledgement {
  const text = change(acknowledgementText(promise));
  const batch = ["another promise", text, "a third one"].map((leafText) =>
    leafHash(utf8ToBytes(leafText)),
  );
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

const [first] = orders as [(typeof orders)[0]];
/** The promise for the first order, bound by the second after it. */
export const firstPromise = createPromise(first.order, findLeafIndex(10));
export const keptAcknowledgement = getKept(firstPromise);

const secondsOfLog = 300;
/** The first order again, accepted after the newest second of the log. */
export const laterOrder = {
  ...first.order,
  acceptedAtMs: first.order.acceptedAtMs + secondsOfLog * 1000,
};
