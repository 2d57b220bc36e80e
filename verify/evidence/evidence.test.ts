import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { findCosignatures, parseWitnessKey } from "../log/note.ts";
import { verifyAll } from "../main.ts";
import type { CheckReport } from "../report.ts";
import { openEvidence } from "./evidence.ts";

interface NamedFile {
  name: string;
  file: { receipt: { log: { vkey: string } }; proof: string } & Record<string, unknown>;
}
type ExpectedMismatch = { name: string; step: string; difference: string };
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/evidence.json"), "utf8"),
) as {
  witness: string;
  files: NamedFile[];
  lies: (NamedFile & ExpectedMismatch)[];
  altered: (ExpectedMismatch & { set: [(string | number)[], unknown][] })[];
};
const folder = mkdtempSync(join(tmpdir(), "evidence-"));
afterAll(() => rmSync(folder, { recursive: true }));
const memory = join(folder, "memory.json");
/** The vectors have several logs of one name, so that each test begins without a memory. */
beforeEach(() => rmSync(memory, { force: true }));
const first = vectors.files[0] as NamedFile;
const { vkey } = first.file.receipt.log;

/** Checks the file as the command line does. No instance answers at port 9. */
async function check(file: unknown, keys: readonly string[] = [vkey]): Promise<CheckReport> {
  const path = join(folder, "evidence.json");
  writeFileSync(path, JSON.stringify(file));
  const report = await verifyAll([path], {
    url: "http://127.0.0.1:9",
    token: undefined,
    memory,
    acceptNewLog: false,
    newest: false,
    address: undefined,
    witnesses: [vectors.witness],
    keys,
  });
  return report.reports[0] as CheckReport;
}

type Members = { [name: string | number]: unknown };

function withChanges(file: unknown, set: readonly [(string | number)[], unknown][]): unknown {
  const copy = structuredClone(file) as Members;
  for (const [path, value] of set) {
    const owner = path.slice(0, -1).reduce<Members>((node, name) => node[name] as Members, copy);
    owner[path.at(-1) as string] = value;
  }
  return copy;
}

describe("an evidence file", () => {
  test.each(vectors.files)("$name agrees without an instance", async ({ file }) => {
    const { agrees, difference, evidence } = await check(file);
    expect(difference).toBeNull();
    expect(agrees).toBe(true);
    expect(evidence).toMatchObject({ key: "known", witnesses: { configured: 1, verified: 1 } });
  });

  test.each(vectors.lies)("a log with $name is refused: $difference", async (testCase) => {
    const { agrees, difference, evidence } = await check(testCase.file);
    expect(agrees).toBe(false);
    expect(difference).toMatchObject({ step: testCase.step, name: testCase.difference });
    expect(evidence?.key).toBe("known");
  });

  test.each(vectors.altered)("a file with $name fails at $step: $difference", async (row) => {
    const { agrees, difference } = await check(withChanges(first.file, row.set));
    expect(agrees).toBe(false);
    expect(difference).toMatchObject({ step: row.step, name: row.difference });
  });

  const hash = Buffer.alloc(32).toString("base64");
  const run = (count: number) => [{ from: 0, entries: Array.from({ length: count }, () => "") }];
  test.each([
    ["leaves", "leaves", run(65_537), run(65_536)],
    ["hashes", "hashes", Array(262_145).fill(hash), Array(262_144).fill(hash)],
    ["characters of proof", "proof", "x".repeat(65_537), "x".repeat(65_536)],
  ])("too many %s are refused, and the maximum is not", async (_what, name, above, most) => {
    const refusal = await check(withChanges(first.file, [[[name], above]]));
    expect(refusal.difference).toMatchObject({ step: "evidence", name: "evidence_too_large" });
    const report = await check(withChanges(first.file, [[[name], most]]));
    expect(report.difference?.name).not.toBe("evidence_too_large");
  });

  const stranger = vectors.altered.find(({ name }) => name === "another key of that name");
  test.each([
    ["another key is reported as other", [stranger?.set[0]?.[1] as string], "other"],
    ["no key is reported as unknown", [], "unknown"],
    [
      "a known key among others is reported as known",
      [stranger?.set[0]?.[1] as string, vkey],
      "known",
    ],
  ])("the file reports whether the reader knows its log: %s", async (_how, keys, key) => {
    const { agrees, evidence } = await check(first.file, keys);
    expect(agrees).toBe(true);
    expect(evidence?.key).toBe(key);
  });

  test("a file under a known key is compared with the facts of earlier files, and its facts are stored", async () => {
    expect((await check(first.file)).steps.at(-1)?.message).toContain("No earlier receipt");
    expect((await check(first.file)).steps.at(-1)?.message).toContain("2 of the facts");
    const storedMemory = JSON.parse(readFileSync(memory, "utf8"));
    const [firstShown] = Object.values<{ facts: Record<string, string> }>(storedMemory.shown);
    for (const subject of Object.keys(firstShown!.facts))
      firstShown!.facts[subject] = "0".repeat(64);
    writeFileSync(memory, JSON.stringify(storedMemory));
    const { difference } = await check(first.file);
    expect(difference).toMatchObject({ step: "compared", name: "receipts_contradict" });
    expect((await check(first.file, [])).agrees).toBe(true);
  });

  test("a tree that differs from the stored one of the same size is refused", async () => {
    const { checkpoint } = openEvidence(first.file);
    const logs = {
      [checkpoint.origin]: { vkey, checkpoint: openEvidence(first.file).note },
    };
    const alteredEntries = structuredClone(logs);
    alteredEntries[checkpoint.origin] = {
      vkey,
      checkpoint: otherRoot(openEvidence(first.file).note),
    };
    writeFileSync(memory, JSON.stringify({ logs, instances: {} }));
    expect((await check(first.file, [])).evidence?.key).toBe("known");
    writeFileSync(memory, JSON.stringify({ logs: alteredEntries, instances: {} }));
    const { difference } = await check(first.file, []);
    expect(difference).toMatchObject({ step: "memory", name: "log_changed" });
  });
});

const otherRoot = (note: string) =>
  note.replace(/^(.*\n\d+\n)[^\n]+/u, `$1${Buffer.alloc(32, 7).toString("base64")}`);

test("a file that is too large is refused before parsing", async () => {
  const file = withChanges(first.file, [
    [["found"], { step: "x".repeat(16_777_216), difference: "x" }],
  ]);
  await expect(check(file)).rejects.toThrow("more than 16777216 bytes");
});

/**
 * Alters every scalar of a file in turn: each alteration is refused by name, except for the few
 * scalars that do not concern the receipt.
 */
describe("an altered scalar", { timeout: 120_000 }, () => {
  /** A receipt inside a journal's receipt is checked against the log of the outer one. */
  const irrelevant = (path: Path) => /^receipt\.orders\.\d+\.log\./.test(path.join("."));

  test.each(vectors.files)("every altered scalar in $name is refused", async ({ file }) => {
    const acceptedPaths: Path[] = [];
    for (const [path, value] of getScalars(file))
      if ((await check(withChanges(file, [[path, changeScalar(value)]]))).agrees)
        acceptedPaths.push(path);
    expect(acceptedPaths.filter((path) => !irrelevant(path))).toEqual([]);
  });

  test.each(vectors.lies)("no altered scalar makes a file about $name agree", async ({ file }) => {
    for (const [path, value] of getScalars(file))
      expect((await check(withChanges(file, [[path, changeScalar(value)]]))).agrees).toBe(false);
  });
});

type Path = (string | number)[];

function getScalars(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => getScalars(inner, [...path, name]));
}

/** Another value of the same kind, and of the same form where that is easy. */
function changeScalar(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "x";
  if (value === "") return "0".repeat(64);
  const last = value.at(-1);
  return value.slice(0, -1) + (last === "1" ? "2" : "1");
}

/**
 * A second implementation of C2SP tlog-proof, from https://c2sp.org/tlog-proof, signed-note and RFC
 * 6962 alone: with OpenSSL's Ed25519, the recursive definition of the tree, and no code of this
 * project.
 */
describe("the embedded .tlog-proof", () => {
  const hash = (...parts: Uint8Array[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  function foreignCheck(text: string, entry: Uint8Array, logKey: string): void {
    const [head, index, ...lines] = text.split("\n");
    expect(head).toBe("c2sp.org/tlog-proof@v1");
    expect(index).toMatch(/^index (0|[1-9][0-9]*)$/);
    const blank = lines.indexOf("");
    const path = lines.slice(0, blank).map((line) => Buffer.from(line, "base64"));
    const [origin, size, root, empty, ...signatures] = lines.slice(blank + 1);
    expect(empty).toBe("");
    const [, name, id, encoded] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(logKey) as unknown as string[];
    expect(origin).toBe(name);
    const rawBytes = Buffer.from(encoded as string, "base64");
    expect(rawBytes[0]).toBe(1);
    expect(
      hash(Buffer.from(`${name}\n`), rawBytes)
        .toString("hex")
        .slice(0, 8),
    ).toBe(id);
    const signature = signatures.find((line) => line.startsWith(`\u2014 ${name} `)) ?? "";
    const signatureBytes = Buffer.from(signature.split(" ")[2] ?? "", "base64");
    expect(signatureBytes.subarray(0, 4).toString("hex")).toBe(id);
    const spki = Buffer.concat([
      Buffer.from("302a300506032b6570032100", "hex"),
      rawBytes.subarray(1),
    ]);
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    const body = Buffer.from(`${origin}\n${size}\n${root}\n`);
    expect(verifySignature(null, body, key, signatureBytes.subarray(4))).toBe(true);
    // RFC 6962, 2.1.1: PATH(m, D[n]) ends with the sibling of the largest split.
    const computeRoot = (m: number, n: number, left: Buffer[]): Buffer => {
      if (n === 1) {
        expect(left).toEqual([]);
        return hash(Uint8Array.of(0), entry);
      }
      const k = 2 ** Math.ceil(Math.log2(n) - 1);
      const sibling = left.at(-1) as Buffer;
      const rest = left.slice(0, -1);
      return m < k
        ? hash(Uint8Array.of(1), computeRoot(m, k, rest), sibling)
        : hash(Uint8Array.of(1), sibling, computeRoot(m - k, n - k, rest));
    };
    const m = Number(index?.slice("index ".length));
    expect(computeRoot(m, Number(size), path).toString("base64")).toBe(root);
  }

  test.each([...vectors.files, ...vectors.lies])("the proof of $name verifies independently", ({
    file,
  }) => {
    const runs = file.leaves as { entries: string[] }[];
    const entry = Buffer.from(runs.at(-1)?.entries.at(-1) as string, "base64");
    foreignCheck(file.proof, entry, file.receipt.log.vkey);
    const alteredEntry = Buffer.from(entry);
    alteredEntry[0] = 2;
    expect(() => foreignCheck(file.proof, alteredEntry, file.receipt.log.vkey)).toThrow();
  });

  test("the proof contains the cosignatures", () => {
    const { checkpoint } = openEvidence(first.file);
    expect(findCosignatures(checkpoint, [parseWitnessKey(vectors.witness)])).toHaveLength(1);
  });
});
