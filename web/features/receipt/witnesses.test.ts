import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import { utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  openNote,
  parseCheckpoint,
  parseVkey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { verifyEd25519 } from "#web/features/receipt/ed25519.ts";
import { LogReadError, type LogReader } from "#web/features/receipt/logReader.ts";
import { type LogView, toLogView } from "#web/features/receipt/logView.ts";
import { readCosignatures } from "#web/features/receipt/witnesses.ts";

const file = new URL("../../../docs/formats/vectors/checkpoint.json", import.meta.url);
const { cosigned, vkey } = JSON.parse(readFileSync(file, "utf8")) as {
  vkey: string;
  cosigned: {
    note: string;
    cases: {
      name: string;
      witnesses: string[];
      now: number;
      signed_at: number[];
      count: number;
    }[];
  };
};
const key = parseVkey(vkey)!;
const result = openNote(cosigned.note, [key], verifyEd25519);
const checkpoint = parseCheckpoint(result.ok ? result.text : "")!;
const view: LogView = {
  checkpoint,
  note: cosigned.note,
  key,
  entries: () => Promise.reject(new Error("not read")),
  hashes: async () => [],
  continues: async () => true,
};

/** Serves the cosigned note and, of tiles, the first hashes of `leaves`. */
function getReader(note: string | null, leaves: readonly Uint8Array[] = []): LogReader {
  return {
    checkpoint: () => Promise.reject(new Error("not read")),
    cosigned: async () => note,
    handovers: async () => [],
    entries: () => Promise.reject(new Error("not read")),
    tile: async ({ level, width }) => {
      if (level !== 0 || width > leaves.length) throw new LogReadError("log_unreachable", "tile");
      return Buffer.concat(leaves.slice(0, width));
    },
  };
}
const readStandings = (
  keys: string[],
  nowMs: number,
  logView = view,
  note: string | null = cosigned.note,
) => readCosignatures(getReader(note), logView, [vkey], { keys, nowMs }, verifyEd25519);

test.each(cosigned.cases)("$name: $count", async (testCase) => {
  expect(await readStandings(testCase.witnesses, testCase.now * 1_000)).toEqual({
    ok: true,
    report: {
      configured: testCase.witnesses.length,
      count: testCase.count,
      size: testCase.signed_at.length === 0 ? 0 : checkpoint.size,
      atMs: testCase.signed_at.length === 0 ? null : testCase.signed_at[0]! * 1_000,
    },
  });
});

test("a missing cosigned checkpoint counts no witnesses", async () => {
  const none = { configured: 0, count: 0, size: 0, atMs: null };
  expect(await readStandings([], 0, view, null)).toEqual({ ok: true, report: none });
});

test("a cosigned checkpoint of another log or key is refused", async () => {
  const otherView = { ...view, checkpoint: { ...checkpoint, origin: "another.example/log" } };
  expect(await readStandings([], 0, otherView)).toEqual({ ok: false, error: "origin_wrong" });
  const unknown = readCosignatures(
    getReader(cosigned.note),
    view,
    [],
    { keys: [], nowMs: 0 },
    verifyEd25519,
  );
  expect(await unknown).toEqual({ ok: false, error: "key_unknown" });
});

describe("comparing a cosigned tree with the opened one", () => {
  const leaves = (salt: string) =>
    Array.from({ length: 5 }, (_, index) => leafHash(utf8ToBytes(`${index}${salt}`)));
  const secret = new Uint8Array(32).fill(7);
  const [origin, older] = ["drydock.invalid/test/00000000", new Uint8Array(32).fill(8)];
  const [newSigner, oldSigner] = [secret, older].map((signer) =>
    noteKey(origin, ed25519.getPublicKey(signer)),
  );
  const buildTree = (hashes: Uint8Array[]) => ({
    origin,
    size: hashes.length,
    root: treeRoot(hashes),
  });
  const check = async (openedLeaves: Uint8Array[], signedLeaves: Uint8Array[], by = secret) => {
    const tree = buildTree(signedLeaves);
    const signer = {
      key: by === secret ? newSigner! : oldSigner!,
      sign: (m: Uint8Array) => ed25519.sign(m, by),
    };
    const longerLeaves = openedLeaves.length > signedLeaves.length ? openedLeaves : signedLeaves;
    const reader = getReader(signNote(checkpointText(tree), [signer]), longerLeaves);
    const logView = toLogView(reader, buildTree(openedLeaves), "", newSigner!);
    const vkeys = [newSigner!, oldSigner!].map((key) => encodeVkey(key));
    return readCosignatures(reader, logView, vkeys, { keys: [], nowMs: 0 }, verifyEd25519);
  };
  const [leavesA, leavesB] = [leaves(""), leaves("'")];

  test.each([
    [5, 5],
    [5, 3],
    [3, 5],
  ])("agreement and difference are detected with %i and %i leaves", async (openedSize, signedSize) => {
    const [openedLeaves, sameLeaves, otherLeaves] = [
      leavesA.slice(0, openedSize),
      leavesA.slice(0, signedSize),
      leavesB.slice(0, signedSize),
    ];
    expect((await check(openedLeaves, sameLeaves)).ok).toBe(true);
    expect(await check(openedLeaves, otherLeaves)).toEqual({ ok: false, error: "log_changed" });
    // After a change of the key, witnesses have cosigned what the older one signed.
    expect((await check(openedLeaves, sameLeaves, older)).ok).toBe(true);
  });
});
