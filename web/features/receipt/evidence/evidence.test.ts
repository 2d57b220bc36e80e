import { readFileSync } from "node:fs";
import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, test } from "vitest";
import { formatEvidence } from "#core/evidence/evidence.ts";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { bytesToHex, concatBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  encodeVkey,
  noteKey,
  signNote,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { encodeBundle, parseTilePath, tileWidthAt } from "#core/transparency-log/tile.ts";
import { checkAgainstLog, type ReceiptKind } from "#web/features/receipt/check.ts";
import type { StoredCheckpoint } from "#web/features/receipt/checkpointStore.ts";
import { checkEvidence } from "#web/features/receipt/evidence/checkEvidence.ts";
import { createEvidence } from "#web/features/receipt/evidence/createEvidence.ts";
import { findReceiptKind, type ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { createLogReader } from "#web/features/receipt/logReader.ts";

interface Lie {
  name: string;
  step: string;
  difference: string;
}
interface NamedFile {
  name: string;
  file: { receipt: object; proof: string; found: object | null };
}
type Path = (string | number)[];
// biome-ignore lint/suspicious/noExplicitAny: each file of vectors has its own shape
const readVector = (name: string): any =>
  JSON.parse(
    readFileSync(new URL(`../../../../docs/formats/vectors/${name}.json`, import.meta.url), "utf8"),
  );
const vectors = readVector("evidence") as {
  witness: string;
  files: NamedFile[];
  lies: (NamedFile & Lie)[];
  altered: (Lie & { set: [Path, unknown][] })[];
};
const first = vectors.files[0]!;

const verify = (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
  ed25519.verify(signature, message, key);
const nothingStored = { read: () => null };

async function check(file: unknown, storedCheckpoint: StoredCheckpoint | null = null) {
  const { ok, steps, evidence } = await checkEvidence<ReceiptDetail>(file, {
    kindOf: findReceiptKind,
    store: { read: () => storedCheckpoint },
    witnessKeys: [vectors.witness],
    verify,
  });
  const failed = steps.find((step) => !step.ok);
  expect(ok).toBe(failed === undefined);
  return { fault: failed ? [failed.step, failed.mismatch] : null, evidence, steps };
}

type Members = { [name: string | number]: unknown };

function setMembers(file: unknown, set: readonly [Path, unknown][]): unknown {
  const copy = structuredClone(file) as Members;
  for (const [path, value] of set) {
    const owner = path.slice(0, -1).reduce<Members>((node, name) => node[name] as Members, copy);
    owner[path.at(-1)!] = value;
  }
  return copy;
}

describe("evidence file", () => {
  test.each(vectors.files)("evidence of $name agrees without its log", async ({ file }) => {
    const { fault, evidence, steps } = await check(file);
    expect(fault).toBeNull();
    expect(steps.slice(0, 4).map(({ step }) => step)).toEqual([
      "evidence",
      "note",
      "proofs",
      "form",
    ]);
    expect(evidence).toMatchObject({ key: "unknown", witnesses: { configured: 1, count: 1 } });
  });

  test.each(
    vectors.lies,
  )("evidence of a dishonest log is refused for $name: $difference", async (lie) => {
    const { fault, evidence } = await check(lie.file);
    expect(fault).toEqual([lie.step, lie.difference]);
    expect(evidence?.mismatch).toEqual({ step: lie.step, difference: lie.difference });
  });

  test.each(vectors.altered)("evidence with $name fails at $step: $difference", async (row) => {
    expect((await check(setMembers(first.file, row.set))).fault).toEqual([
      row.step,
      row.difference,
    ]);
  });

  const hash = btoa("\0".repeat(32));
  const run = (count: number) => [{ from: 0, entries: Array.from({ length: count }, () => "") }];
  test.each([
    ["leaves", "leaves", run(65_537), run(65_536)],
    ["hashes", "hashes", Array(262_145).fill(hash), Array(262_144).fill(hash)],
    ["characters of proof", "proof", "x".repeat(65_537), "x".repeat(65_536)],
  ])("too many %s are refused, and the maximum is not", async (_what, name, tooMany, max) => {
    const refusal = await check(setMembers(first.file, [[[name], tooMany]]));
    expect(refusal.fault).toEqual(["evidence", "evidence_too_large"]);
    const result = await check(setMembers(first.file, [[[name], max]]));
    expect(result.fault?.[1]).not.toBe("evidence_too_large");
  });
});

test("evidence above the size limits is not created", () => {
  const file = first.file as unknown as EvidenceFile;
  expect(formatEvidence(file)).not.toBeNull();
  const entries = Array.from({ length: 65_537 }, () => "");
  expect(formatEvidence({ ...file, leaves: [{ from: 0, entries }] })).toBeNull();
  expect(formatEvidence({ ...file, proof: "x".repeat(16_777_216) })).toBeNull();
});

describe("the key of an evidence file", () => {
  const { vkey, origin } = (first.file.receipt as { log: StoredCheckpoint & { vkey: string } }).log;
  const stranger = noteKey(origin, ed25519.getPublicKey(new Uint8Array(32).fill(0x44)));
  const storedCheckpoint = { origin, vkeys: [vkey], size: 7, root: "00".repeat(32) };
  const checkpointWith = (change: Partial<StoredCheckpoint>): StoredCheckpoint => ({
    ...storedCheckpoint,
    firstSeenMs: 1,
    seenMs: 1,
    ...change,
  });
  test.each([
    ["a key that this browser stored for the log is known", checkpointWith({}), "known"],
    [
      "a key among several stored ones is known",
      checkpointWith({ vkeys: [encodeVkey(stranger), vkey] }),
      "known",
    ],
    [
      "a key that differs from the stored one is other",
      checkpointWith({ vkeys: [encodeVkey(stranger)] }),
      "other",
    ],
    [
      "a key is unknown if only another log is stored",
      checkpointWith({ origin: "elsewhere" }),
      "unknown",
    ],
  ])("%s", async (_what, log, key) => {
    const { fault, evidence } = await check(first.file, log);
    expect(fault).toBeNull();
    expect(evidence?.key).toBe(key);
  });

  test("a known key does not excuse a tree that differs from the stored one", async () => {
    const { evidence } = await check(first.file);
    const { fault } = await check(first.file, checkpointWith({ size: evidence!.size }));
    expect(fault).toEqual(["memory", "log_changed"]);
    const proven = await checkEvidence<ReceiptDetail>(first.file, {
      kindOf: findReceiptKind,
      store: nothingStored,
      witnessKeys: [],
      verify,
    });
    const root = String(proven.steps.find(({ step }) => step === "proofs")?.inputs.root);
    expect(
      (await check(first.file, checkpointWith({ size: evidence!.size, root }))).fault,
    ).toBeNull();
  });
});

describe("an altered scalar", { timeout: 120_000 }, () => {
  /** A receipt inside a journal's receipt is read from the log of the outer one. */
  const irrelevant = (path: Path) => /^receipt\.orders\.\d+\.log\./.test(path.join("."));

  test.each(vectors.files)("every altered scalar in $name is refused", async ({ file }) => {
    const passedPaths: Path[] = [];
    for (const [path, value] of getScalars(file))
      if ((await check(setMembers(file, [[path, alterScalar(value)]]))).fault === null)
        passedPaths.push(path);
    expect(passedPaths.filter((path) => !irrelevant(path))).toEqual([]);
  });

  test.each(vectors.lies)("no altered scalar makes a file about $name agree", async ({ file }) => {
    for (const [path, value] of getScalars(file))
      expect((await check(setMembers(file, [[path, alterScalar(value)]]))).fault).not.toBeNull();
  });
});

function getScalars(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => getScalars(inner, [...path, name]));
}

/** Returns another value of the same kind. */
function alterScalar(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "x";
  if (value === "") return "0".repeat(64);
  return value.slice(0, -1) + (value.endsWith("1") ? "2" : "1");
}

describe("saving a checked receipt as evidence", () => {
  const secret = new Uint8Array(32).fill(0x42);
  const key = noteKey("drydock.invalid/vector/00000000", ed25519.getPublicKey(secret));
  const log = { origin: key.name, vkey: encodeVkey(key) };
  const sign = (message: Uint8Array) => ed25519.sign(message, secret);

  /** The files of a log, whose newest cosigned checkpoint has `cosigned` leaves. */
  function serve(entries: Uint8Array[], cosignedSize: number) {
    const hashes = entries.map(leafHash);
    const note = (size: number) => {
      const root = treeRoot(hashes.slice(0, size));
      return signNote(checkpointText({ origin: log.origin, size, root }), [{ key, sign }]);
    };
    return async (url: string) => {
      const path = url.replace("/log/", "");
      if (path === "checkpoint") return new Response(note(entries.length));
      if (path === "cosigned") {
        return cosignedSize === 0
          ? new Response(null, { status: 404 })
          : new Response(`${note(cosignedSize)}\u2014 a.witness ${btoa("x".repeat(76))}\n`);
      }
      const tile = parseTilePath(path)!;
      const { level, index, width } = tile;
      expect(tileWidthAt(level, index, entries.length)).toBeGreaterThanOrEqual(width);
      if (level === "entries")
        return new Response(encodeBundle(entries.slice(index * 256, index * 256 + width)).slice());
      const span = 256 ** level;
      const roots = Array.from({ length: width }, (_, position) =>
        treeRoot(
          hashes.slice((index * 256 + position) * span, (index * 256 + position + 1) * span),
        ),
      );
      return new Response(concatBytes(...roots).slice());
    };
  }

  async function save(receipt: object, entries: Uint8Array[], cosignedSize = 0) {
    const withLog = { ...receipt, log };
    const kind = findReceiptKind(withLog) as ReceiptKind<ReceiptDetail>;
    const checked = await checkAgainstLog(kind, withLog, {
      reader: createLogReader("/log", serve(entries, cosignedSize)),
      servedLog: { origin: log.origin, vkeys: [log.vkey] },
      store: { read: () => null, write: () => {} },
      witnessKeys: [],
      verify,
      nowMs: 1,
    });
    const failed = checked.steps.find(({ ok }) => !ok);
    const mismatch = failed ? { step: failed.step, difference: failed.mismatch! } : null;
    return { checked, found: mismatch, made: await createEvidence(checked.proven!, mismatch) };
  }

  const contracts = readVector("receipt");
  const [journals, mining, hosting] = [
    readVector("journal"),
    readVector("mining"),
    readVector("hosting"),
  ];
  const listEntries = (hex: string[]) => hex.map((entry) => hexToBytes(entry));
  const named = (subject: string, receipts: object[], hex: string[]) =>
    receipts.map((receipt, index) => [`${subject} ${index}`, receipt, listEntries(hex)] as const);
  const all = [
    ...named("contract", contracts.receipts, contracts.entries),
    ...named("journal", journals.receipts, journals.entries),
    ...named("lease", mining.receipts, mining.entries),
    ...named("pool order", hosting.receipts.orders, hosting.leaves),
    ...named("trade", hosting.receipts.trades, hosting.leaves),
    ...named("mark", hosting.receipts.marks, hosting.leaves),
    ...(contracts.journals.receipts as { keep: number; append: string[]; receipt: object }[]).map(
      ({ keep, append, receipt }, index) =>
        [
          `journal of orders ${index}`,
          receipt,
          listEntries([...contracts.entries.slice(0, keep), ...append]),
        ] as const,
    ),
  ] as [string, object, Uint8Array[]][];

  test.each(
    all,
  )("%s can be saved as evidence that verifies on its own", async (_name, receipt, log) => {
    const { checked, made } = await save(receipt, log);
    expect(checked.ok).toBe(true);
    if (!made.ok) throw new Error(made.error);
    expect((await check(JSON.parse(made.text))).fault).toBeNull();
  });

  const falsifiedRows = contracts.falsified as (Lie & {
    at: number;
    remove: number;
    insert: string[];
    receipt: object;
  })[];
  test.each(
    falsifiedRows,
  )("a difference found in a dishonest log can be saved: $name", async (lie) => {
    const log = contracts.entries.toSpliced(lie.at, lie.remove, ...lie.insert);
    const { found, made } = await save(lie.receipt, listEntries(log));
    expect(found).toEqual({ step: lie.step, difference: lie.difference });
    if (!made.ok) throw new Error(made.error);
    expect((await check(JSON.parse(made.text))).fault).toEqual([lie.step, lie.difference]);
  });

  const entries = listEntries(contracts.entries);
  const noteIn = (text: string) => (JSON.parse(text) as { proof: string }).proof;
  test.each([
    ["the cosigned checkpoint if it covers all leaves", 300, "\n300\n"],
    ["the newest checkpoint if the cosigned one covers too little", 60, `\n${entries.length}\n`],
  ])("evidence is saved under %s", async (_which, cosignedSize, size) => {
    const { made } = await save(
      { ...contracts.receipts[0], day_leaf: null },
      entries,
      cosignedSize,
    );
    if (!made.ok) throw new Error(made.error);
    expect(noteIn(made.text)).toContain(size);
    expect(noteIn(made.text).includes("a.witness")).toBe(cosignedSize === 300);
    expect((await check(JSON.parse(made.text))).fault).toBeNull();
  });

  test("a cosigned checkpoint of another history is not used", async () => {
    // Only what a reader of the cosigned tree requests comes from the other history.
    const forgedEntries = entries.with(299, hexToBytes(`${bytesToHex(entries[299]!)}00`));
    const lyingLog = serve(forgedEntries, 300);
    const honestLog = serve(entries, 0);
    const withLog = { ...contracts.receipts[0], log };
    const kind = findReceiptKind(withLog)!;
    let checking = true;
    const send = (url: string) =>
      !checking && /\/cosigned$|\.p\/44$/.test(url) ? lyingLog(url) : honestLog(url);
    const checked = await checkAgainstLog(kind, withLog, {
      reader: createLogReader("/log", send),
      servedLog: { origin: log.origin, vkeys: [log.vkey] },
      store: { read: () => null, write: () => {} },
      witnessKeys: [],
      verify,
      nowMs: 1,
    });
    checking = false;
    const result = await createEvidence(checked.proven!, null);
    expect(result.ok && noteIn(result.text)).toContain(`\n${entries.length}\n`);
  });
});
