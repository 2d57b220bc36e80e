import { ed25519 } from "@noble/curves/ed25519.js";
import {
  bytesToBase64,
  bytesToHex,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalText } from "#core/transparency-log/canonical.ts";
import {
  checkpointText,
  encodeVkey,
  keyTypes,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  leafHash,
  treeRoot,
} from "#core/transparency-log/merkle.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { encodeBundle, tilePath, tileWidthAt } from "#core/transparency-log/tile.ts";
import { cosignedBytes } from "#core/transparency-log/witnesses/cosignature.ts";

/** A key for vectors only; its secret is public. */
const vectorSecret = new Uint8Array(32).fill(0x42);
export const vectorOrigin = "drydock.invalid/vector/00000000";
export const vectorKey = noteKey(vectorOrigin, ed25519.getPublicKey(vectorSecret));
export const vectorSigner = {
  key: vectorKey,
  sign: (message: Uint8Array) => ed25519.sign(message, vectorSecret),
};

export function createCanonicalVectors() {
  const values: Canonical[] = [
    {},
    [],
    { b: 1, a: [true, false, null], é: '\u0001"\\/\n', A: -5 },
    { "\ud83d\ude00": "surrogates sort by code unit", "\uff5e": 0 },
    9_007_199_254_740_991,
  ];
  return {
    about: "Canonical JSON: the text of each value; texts that are refused as canonical.",
    canonical: values.map((value) => ({ value, text: canonicalText(value) })),
    refused: ['{"b":1,"a":2}', '{"a":1,"a":1}', '{"a": 1}', "1.0", "1e3", "-0", '"\\u0041"', "01"],
  };
}

export function createMerkleVectors() {
  const entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"];
  entries.push("606162636465666768696a6b6c6d6e6f");
  const hashes = entries.map((entry) => leafHash(hexToBytes(entry)));
  const computeRoot = ({ start, end }: LeafRange) => treeRoot(hashes.slice(start, end));
  const sizes = entries.map((_, index) => index + 1);
  return {
    about: "RFC 9162 over the eight entries of the Certificate Transparency reference tree.",
    entries,
    leaf_hashes: hashes.map(bytesToHex),
    empty_root: bytesToHex(treeRoot([])),
    roots: sizes.map((size) => ({ size, root: bytesToHex(computeRoot({ start: 0, end: size })) })),
    inclusion: sizes.flatMap((size) =>
      Array.from({ length: size }, (_, leaf) => ({
        leaf,
        size,
        path: inclusionRanges(leaf, size).map((range) => bytesToHex(computeRoot(range))),
      })),
    ),
    consistency: sizes.flatMap((to) =>
      Array.from({ length: to }, (_, index) => ({
        from: index + 1,
        to,
        path: consistencyRanges(index + 1, to).map((range) => bytesToHex(computeRoot(range))),
      })),
    ),
  };
}

export function createTileVectors() {
  const ids = [
    { level: 0, index: 0, width: 256 },
    { level: 0, index: 273, width: 112 },
    { level: 2, index: 1_234_067, width: 1 },
    { level: "entries" as const, index: 1_000, width: 256 },
  ];
  const entries = [utf8ToBytes("a"), new Uint8Array(), utf8ToBytes("bc")];
  return {
    about: "Tile paths, the tiles of a tree of 70 000 leaves, and one entry bundle.",
    paths: ids.map((id) => ({ ...id, path: tilePath(id) })),
    refused: ["tile/0/0", "tile/00/000", "tile/64/000", "tile/0/x000/001", "tile/0/000.p/256"],
    widths: [
      [0, 272],
      [0, 273],
      [1, 0],
      [1, 1],
      [2, 0],
    ].map(([level, index]) => ({
      size: 70_000,
      level,
      index,
      width: tileWidthAt(level!, index!, 70_000),
    })),
    bundle: { entries: entries.map(bytesToHex), bytes: bytesToHex(encodeBundle(entries)) },
  };
}

/** A cosignature of the first witness on a tree of the vectors' log, to be mixed into a seed. */
export function createCosignedSource(
  entries: readonly Uint8Array[],
  origin = vectorOrigin,
): SeedSource {
  const tree = { size: entries.length, root: treeRoot(entries.map(leafHash)) };
  const seconds = 1_767_571_190;
  const { vkey, secret } = vectorWitness;
  const message = cosignedBytes(checkpointText({ origin, ...tree }), BigInt(seconds));
  return { kind: "witness", vkey, ...tree, seconds, signature: ed25519.sign(message, secret) };
}

export function createCheckpointVectors() {
  const root = treeRoot([leafHash(utf8ToBytes("a"))]);
  const text = checkpointText({ origin: vectorOrigin, size: 1, root });
  return {
    about: "A C2SP checkpoint signed with Ed25519. The secret is public: for tests only.",
    secret: bytesToHex(vectorSecret),
    vkey: encodeVkey(vectorKey),
    origin: vectorOrigin,
    size: 1,
    root: bytesToHex(root),
    note: signNote(text, [vectorSigner]),
    cosigned: cosignedNote(text),
  };
}

const witnesses = [0x51, 0x52, 0x53].map((byte, index) => {
  const secret = new Uint8Array(32).fill(byte);
  const key = noteKey(
    `witness.example/${index + 1}`,
    ed25519.getPublicKey(secret),
    keyTypes.witness,
  );
  return { key, secret, vkey: encodeVkey(key, keyTypes.witness) };
});

/**
 * The checkpoint with two cosignatures, one of them over another time than it states, and lines
 * that no verifier can check.
 */
function cosignedNote(text: string) {
  const [first, second, absentWitness] = witnesses as [Witness, Witness, Witness];
  const atSeconds = 1_767_571_200;
  const note =
    signNote(text, [vectorSigner]) +
    createCosignature(text, first, BigInt(atSeconds), BigInt(atSeconds)) +
    createCosignature(text, second, BigInt(atSeconds), BigInt(atSeconds + 1)) +
    `\u2014 unknown.example ${bytesToBase64(new Uint8Array(76))}\n`;
  const [ownPolicy, noPolicy] = [
    { witnesses: [first.vkey], signed_at: [atSeconds] },
    { signed_at: [], count: 0 },
  ];
  return {
    note,
    cases: [
      { name: "no key configured", witnesses: [], ...noPolicy },
      { name: "one that cosigned", ...ownPolicy, count: 1 },
      { name: "the same twice", ...ownPolicy, witnesses: [first.vkey, first.vkey], count: 1 },
      { name: "one whose time was altered", witnesses: [second.vkey], ...noPolicy },
      { name: "one that did not cosign", witnesses: [absentWitness.vkey], ...noPolicy },
      {
        name: "the log's own signature is no cosignature",
        witnesses: [encodeVkey(vectorKey)],
        ...noPolicy,
      },
      { name: "all of them", ...ownPolicy, witnesses: witnesses.map(({ vkey }) => vkey), count: 1 },
      { name: "ten minutes later", ...ownPolicy, now: atSeconds + 600, count: 1 },
      { name: "ten minutes and a second later", ...ownPolicy, now: atSeconds + 601, count: 0 },
      { name: "ten minutes before", ...ownPolicy, now: atSeconds - 600, count: 1 },
      { name: "ten minutes and a second before", ...ownPolicy, now: atSeconds - 601, count: 0 },
    ].map((item) => ({ now: atSeconds, ...item })),
  };
}

type Witness = (typeof witnesses)[number];
export const [vectorWitness] = witnesses as [Witness];

/** A signature line over the checkpoint, signed at `signedSeconds` but stating `statedSeconds`. */
export function createCosignature(
  text: string,
  { key, secret }: Witness,
  signedSeconds: bigint,
  statedSeconds: bigint,
) {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, statedSeconds);
  const signature = ed25519.sign(cosignedBytes(text, signedSeconds), secret);
  const bytes = concatBytes(hexToBytes(key.id), time, signature);
  return `\u2014 ${key.name} ${bytesToBase64(bytes)}\n`;
}
