import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Acknowledgement, certificateText } from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeVkey, noteKey, signNote } from "#core/transparency-log/checkpoint.ts";
import { leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import {
  createSecondEntry,
  entries,
  findLeafIndex,
  heldUpOrder,
  orders,
  rows,
  world,
} from "./contractLog.ts";
import {
  createPromise,
  firstPromise,
  getKept,
  keptAcknowledgement,
  key,
  laterOrder,
  secret,
  toKey,
} from "./keptAcknowledgements.ts";
import { vectorOrigin, vectorSigner } from "./log.ts";

/** Changes of the log, and of the hashes that it serves for a leaf. */
interface Log {
  at: number;
  remove: number;
  insert: string[];
  hashes?: Record<string, string[]>;
}

/** Falsified acknowledgements and logs, each with the step and the reason of its refusal. */
export function createFalsifiedAcknowledgements() {
  const [first] = orders as [(typeof orders)[0]];
  const acknowledgement = keptAcknowledgement.acknowledgement;
  const end = entries.length;
  const droppedOrder = { ...first.order, salt: "9".repeat(64) };
  const otherHash = "0".repeat(64);
  const falsify = (
    name: string,
    altered: unknown,
    step: string,
    difference: string,
    log?: Log,
  ) => ({
    name,
    kept: altered,
    ...(log ? { log } : {}),
    step: `acknowledgement_${step}`,
    difference,
  });
  const resign = (name: string, change: Partial<Acknowledgement>, step: string, what: string) =>
    falsify(name, getKept({ ...firstPromise, ...change }), step, what);
  const otherKey = { sign: (bytes: Uint8Array) => ed25519.sign(bytes, sha256(secret)) };
  const certificateAlone = certificateText(world.world, vectorOrigin, encodeVkey(key));
  const misnamedKey = noteKey(`${vectorOrigin}/other`, key.publicKey);
  return [
    falsify(
      "no promise",
      { ...keptAcknowledgement, acknowledgement: {} },
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "a member more",
      getKept(firstPromise, (text) => text.replace('{"acc', '{"a":1,"acc')),
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "not canonical",
      getKept(firstPromise, (text) => text.replace(",", ", ")),
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "without the practice mark",
      getKept(firstPromise, (text) => text.replace('"practice":true', '"practice":false')),
      "form",
      "not_practice",
    ),
    falsify(
      "without a certificate",
      { ...keptAcknowledgement, certificate: null },
      "key",
      "acknowledgement_key_unknown",
    ),
    falsify(
      "certified by somebody else",
      {
        ...keptAcknowledgement,
        certificate: signNote(certificateAlone, [{ ...vectorSigner, sign: otherKey.sign }]),
      },
      "key",
      "acknowledgement_key_unknown",
    ),
    falsify(
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
    falsify(
      "certified under another name",
      {
        ...keptAcknowledgement,
        certificate: signNote(certificateText(world.world, vectorOrigin, encodeVkey(misnamedKey)), [
          vectorSigner,
        ]),
      },
      "key",
      "acknowledgement_key_unknown",
    ),
    resign(
      "of another log",
      { log: "drydock.invalid/other/00000000" },
      "key",
      "acknowledgement_key_unknown",
    ),
    falsify(
      "altered after it was signed",
      {
        ...keptAcknowledgement,
        acknowledgement: {
          ...acknowledgement,
          promise: acknowledgement.promise.replace(firstPromise.hash!, otherHash),
        },
      },
      "key",
      "acknowledgement_signature_wrong",
    ),
    falsify(
      "at another place of the batch",
      { ...keptAcknowledgement, acknowledgement: { ...acknowledgement, index: 0 } },
      "key",
      "acknowledgement_signature_wrong",
    ),
    falsify(
      "signed by the log's key",
      {
        ...keptAcknowledgement,
        acknowledgement: {
          ...acknowledgement,
          batch: signNote(`${acknowledgement.batch.split("\n")[0]}\n`, [vectorSigner]),
        },
      },
      "key",
      "acknowledgement_signature_wrong",
    ),
    falsify(
      "of another key than was sent",
      { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, key: toKey(9) } },
      "sent",
      "acknowledged_otherwise",
    ),
    falsify(
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
    falsify(
      "accepted a millisecond more than five seconds after it was sent",
      {
        ...keptAcknowledgement,
        sent: { ...keptAcknowledgement.sent, at_ms: firstPromise.accepted_at_ms - 5_001 },
      },
      "sent",
      "acknowledged_held_up",
    ),
    falsify(
      "sent at no time",
      { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, at_ms: "" } },
      "form",
      "acknowledgement_malformed",
    ),
    resign(
      "due a second later",
      { due_at_ms: firstPromise.due_at_ms + 1000 },
      "due",
      "acknowledged_due_differs",
    ),
    resign(
      "another tree",
      { tree: { ...firstPromise.tree, root: otherHash } },
      "tree",
      "acknowledged_tree_differs",
    ),
    resign(
      "a tree larger than the log",
      { tree: { size: end + 1, root: otherHash } },
      "tree",
      "acknowledged_tree_differs",
    ),
    falsify(
      "an order that was dropped",
      getKept(createPromise(droppedOrder, findLeafIndex(10))),
      "bound",
      "acknowledged_not_bound",
    ),
    falsify(
      "an order that was held back for a second",
      getKept(createPromise(heldUpOrder.order, findLeafIndex(49))),
      "bound",
      "acknowledged_not_bound",
    ),
    falsify(
      "an order bound twenty seconds later",
      keptAcknowledgement,
      "bound",
      "acknowledged_bound_late",
      {
        at: findLeafIndex(10),
        remove: 20,
        insert: [bytesToHex(createSecondEntry({ ...rows[findLeafIndex(10)]!, second: 30 }))],
      },
    ),
    falsify(
      "seconds that do not ascend",
      getKept(createPromise(laterOrder, findLeafIndex(10))),
      "bound",
      "seconds_not_ascending",
      {
        at: findLeafIndex(12),
        remove: 0,
        insert: [bytesToHex(entries[findLeafIndex(11)]!)],
      },
    ),
    falsify(
      "hashes that are not those of the root",
      keptAcknowledgement,
      "bound",
      "orders_hashes_differ",
      {
        at: 0,
        remove: 0,
        insert: [],
        hashes: { [findLeafIndex(10)]: [firstPromise.hash!, otherHash, otherHash] },
      },
    ),
    falsify(
      "fewer hashes than the leaf binds",
      keptAcknowledgement,
      "bound",
      "orders_hashes_differ",
      {
        at: 0,
        remove: 0,
        insert: [],
        hashes: { [findLeafIndex(10)]: [firstPromise.hash!] },
      },
    ),
    ...[
      ["without the practice mark", 2],
      ["of another world", 5],
      ["of another version", 0],
    ].map(([what, replacement]) =>
      falsify(
        `a leaf ${what}, of a kind that is passed over`,
        keptAcknowledgement,
        "bound",
        "leaf_unreadable",
        {
          at: findLeafIndex(10),
          remove: 0,
          insert: [bytesToHex(foreignEntry(replacement as number))],
        },
      ),
    ),
    falsify(
      "a member more in the file",
      { ...keptAcknowledgement, more: 1 },
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "a member more beside the promise",
      { ...keptAcknowledgement, acknowledgement: { ...acknowledgement, more: 1 } },
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "a member more in what was sent",
      { ...keptAcknowledgement, sent: { ...keptAcknowledgement.sent, more: 1 } },
      "form",
      "acknowledgement_malformed",
    ),
    falsify(
      "a file without the practice mark",
      { ...keptAcknowledgement, practice: false },
      "form",
      "not_practice",
    ),
  ];
}

/** A `books` leaf with one byte of its head altered. */
function foreignEntry(index: number): Uint8Array {
  const entry = leafHead("books", worldTag(world.world));
  entry[index]! ^= 1;
  return entry;
}
