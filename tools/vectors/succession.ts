import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import {
  encodeSuccession,
  type Succession,
  successionText,
} from "#core/transparency-log/successionLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";

const world = "succession";
const startMs = 1_767_571_200_000;
/** The number of leaves of the ended log, and how many of them survived. */
const [endedSize, survived] = [12, 9];

/** Secrets for vectors only; they are public. */
const createSigner = (origin: string, byte: number) => {
  const secret = new Uint8Array(32).fill(byte);
  const key = noteKey(origin, ed25519.getPublicKey(secret));
  const sign = (message: Uint8Array) => ed25519.sign(message, secret);
  return { key, sign, vkey: encodeVkey(key) };
};
const name = (digit: string) => `drydock.invalid/succession/${digit.repeat(8)}`;
const [first, second, third] = ["1", "2", "3"].map((digit, index) =>
  createSigner(name(digit), 0x61 + index),
) as [Signer, Signer, Signer];
const stranger = createSigner(name("1"), 0x71);
type Signer = ReturnType<typeof createSigner>;

function leafAt(index: number): Uint8Array {
  if (index > 0) {
    const second = { secondMs: startMs + index * 1_000, quotes: [], index: [], ...bindOrders([]) };
    return encodeSecond(second, worldTag(world));
  }
  const market = { kind: "simulated", speed: 1 } as const;
  const worldLeaf = {
    world,
    market,
    simulator: 1,
    seedAnchor: new Uint8Array(32).fill(0x55),
    beacon: null,
    recording: null,
    createdAtMs: startMs,
    venues: [],
    symbols: [],
  };
  return encodeWorld(worldLeaf);
}

const leaves = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => leafAt(from + index));
const computeRoot = (entries: readonly Uint8Array[]) => treeRoot(entries.map(leafHash));
const endedLeaves = leaves(0, endedSize);

const succession: Succession = {
  ended: { origin: first.key.name, size: endedSize, root: computeRoot(endedLeaves) },
  survived,
  successor: { origin: second.key.name, vkey: second.vkey },
};

function statement(changed: Partial<Succession> = {}, signers: Signer[] = [first]): Uint8Array {
  const note = signNote(successionText({ ...succession, ...changed }), signers);
  return encodeSuccession({ world, note });
}

/** A log of `origin` over these leaves, as served. */
function serve(entries: readonly Uint8Array[], signer: Signer = second) {
  const root = computeRoot(entries);
  const text = checkpointText({ origin: signer.key.name, size: entries.length, root });
  const checkpoint = signNote(text, [signer]);
  return { entries: entries.map(bytesToHex), vkey: signer.vkey, checkpoint };
}

const successor = (leaf: Uint8Array) => [
  ...endedLeaves.slice(0, survived),
  leaf,
  ...leaves(20, 23),
];
const createKnownLog = (size: number, entries: readonly Uint8Array[] = endedLeaves) => ({
  origin: first.key.name,
  vkeys: [first.vkey],
  size,
  root: bytesToHex(computeRoot(entries.slice(0, size))),
});
const lossAt = (size: number) => ({
  lost: endedSize - survived,
  survived: Math.min(size, survived),
  lost_from_ms: startMs + Math.min(size, survived) * 1_000,
});

export function createSuccessionVectors() {
  const honestLog = serve(successor(statement()));
  const successionIndexes = [survived];
  const createCase = (title: string, size: number) => ({
    name: title,
    known: createKnownLog(size),
    listed: successionIndexes,
    ...honestLog,
    found: lossAt(size),
  });
  const twice = twoSuccessions();
  return {
    about:
      "A log that lost leaves, and its successor, as readers of the ended log find it. The secrets are public: for tests only.",
    world,
    cases: [
      createCase("a reader who saw all of it", endedSize),
      createCase("a reader who saw a leaf that is lost", survived + 1),
      createCase("a reader who saw what survived", survived),
      createCase("a reader who saw less", 4),
      { name: "a successor that was succeeded", known: createKnownLog(endedSize), ...twice },
    ],
    falsified: listFalsified(honestLog, successionIndexes),
  };
}

function twoSuccessions() {
  const once = successor(statement());
  const survivedSize = 11;
  const next = statement(
    {
      ended: { origin: second.key.name, size: once.length, root: computeRoot(once) },
      survived: survivedSize,
      successor: { origin: third.key.name, vkey: third.vkey },
    },
    [second],
  );
  const entries = [...once.slice(0, survivedSize), next, ...leaves(30, 32)];
  return {
    listed: [survived, survivedSize],
    ...serve(entries, third),
    found: { ...lossAt(endedSize), lost: endedSize - survived + once.length - survivedSize },
  };
}

function listFalsified(honestLog: ReturnType<typeof serve>, successionIndexes: readonly number[]) {
  const by = (leaf: Uint8Array) => serve(successor(leaf));
  const all = createKnownLog(endedSize);
  const otherLeaves = leaves(40, 40 + endedSize);
  const signedBy = (signer: Signer) => serve(successor(statement()), signer);
  const impostor = createSigner(second.key.name, 0x72);
  const createFalsified = (title: string, difference: string, changed: object) => ({
    name: title,
    known: all,
    listed: successionIndexes,
    ...honestLog,
    ...changed,
    difference,
  });
  return [
    createFalsified("no succession is listed", "succession_of_another", { listed: [] }),
    createFalsified("a second is listed as one", "succession_misplaced", { listed: [3] }),
    createFalsified(
      "it says that more leaves survived",
      "succession_misplaced",
      by(statement({ survived: 10 })),
    ),
    createFalsified(
      "it says that fewer leaves survived",
      "succession_misplaced",
      by(statement({ survived: 8 })),
    ),
    createFalsified(
      "it ends a third log",
      "succession_of_another",
      by(statement({ ended: { ...succession.ended, origin: third.key.name } }, [third])),
    ),
    createFalsified("nobody's key signed it", "succession_unsigned", by(statement({}, [stranger]))),
    createFalsified(
      "the successor signed it itself",
      "succession_unsigned",
      by(statement({}, [second])),
    ),
    createFalsified(
      "it says that fewer leaves were signed",
      "succession_understates",
      by(
        statement({
          ended: { ...succession.ended, size: 11, root: computeRoot(endedLeaves.slice(0, 11)) },
        }),
      ),
    ),
    createFalsified(
      "it names another tree",
      "succession_contradicts",
      by(statement({ ended: { ...succession.ended, root: computeRoot(otherLeaves) } })),
    ),
    createFalsified(
      "another key signs as the successor",
      "succession_to_another",
      signedBy(impostor),
    ),
    createFalsified("a leaf that survived is another now", "log_changed", {
      known: createKnownLog(5),
      ...serve(successor(statement()).with(2, leafAt(50))),
    }),
  ];
}
