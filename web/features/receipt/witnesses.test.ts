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
import { readCosigned } from "#web/features/receipt/witnesses.ts";

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
const opened = openNote(cosigned.note, [key], verifyEd25519);
const checkpoint = parseCheckpoint(opened.ok ? opened.text : "")!;
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
const read = (keys: string[], nowMs: number, seen = view, note: string | null = cosigned.note) =>
  readCosigned(getReader(note), seen, [vkey], { keys, nowMs }, verifyEd25519);

test.each(cosigned.cases)("$name: $count", async (given) => {
  expect(await read(given.witnesses, given.now * 1_000)).toEqual({
    ok: true,
    cosigned: {
      configured: given.witnesses.length,
      count: given.count,
      size: given.signed_at.length === 0 ? 0 : checkpoint.size,
      atMs: given.signed_at.length === 0 ? null : given.signed_at[0]! * 1_000,
    },
  });
});

test("a missing cosigned checkpoint counts no witnesses", async () => {
  const none = { configured: 0, count: 0, size: 0, atMs: null };
  expect(await read([], 0, view, null)).toEqual({ ok: true, cosigned: none });
});

test("a cosigned checkpoint of another log or key is refused", async () => {
  const other = { ...view, checkpoint: { ...checkpoint, origin: "another.example/log" } };
  expect(await read([], 0, other)).toEqual({ ok: false, error: "origin_wrong" });
  const unknown = readCosigned(
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
    Array.from({ length: 5 }, (_, at) => leafHash(utf8ToBytes(`${at}${salt}`)));
  const secret = new Uint8Array(32).fill(7);
  const [origin, older] = ["drydock.invalid/test/00000000", new Uint8Array(32).fill(8)];
  const [now, before] = [secret, older].map((one) => noteKey(origin, ed25519.getPublicKey(one)));
  const buildTree = (hashes: Uint8Array[]) => ({
    origin,
    size: hashes.length,
    root: treeRoot(hashes),
  });
  const check = async (opened: Uint8Array[], signed: Uint8Array[], by = secret) => {
    const tree = buildTree(signed);
    const signer = {
      key: by === secret ? now! : before!,
      sign: (m: Uint8Array) => ed25519.sign(m, by),
    };
    const longer = opened.length > signed.length ? opened : signed;
    const reader = getReader(signNote(checkpointText(tree), [signer]), longer);
    const seen = toLogView(reader, buildTree(opened), "", now!);
    const vkeys = [now!, before!].map((one) => encodeVkey(one));
    return readCosigned(reader, seen, vkeys, { keys: [], nowMs: 0 }, verifyEd25519);
  };
  const [own, another] = [leaves(""), leaves("'")];

  test.each([
    [5, 5],
    [5, 3],
    [3, 5],
  ])("agreement and difference are detected with %i and %i leaves", async (opened, signed) => {
    const [mine, same, other] = [
      own.slice(0, opened),
      own.slice(0, signed),
      another.slice(0, signed),
    ];
    expect((await check(mine, same)).ok).toBe(true);
    expect(await check(mine, other)).toEqual({ ok: false, error: "log_changed" });
    // After a change of the key, witnesses have cosigned what the older one signed.
    expect((await check(mine, same, older)).ok).toBe(true);
  });
});
