import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Comparison } from "./comparison.ts";
import { fromHex, MismatchError } from "./log/bytes.ts";
import { readShownFacts } from "./log/checkpointStore.ts";
import { worldTag } from "./log/leaves.ts";
import { decodeLiabilities, nextCommitment } from "./log/liabilities.ts";
import { checkOne, collectLeaves } from "./receiptCheck.ts";
import { abridgeFacts, createShownFacts, extractFacts } from "./records/comparison.ts";

interface Case {
  name: string;
  entries: string[];
  receipts: { log: { origin: string; vkey: string } }[];
  difference: string | null;
}
const load = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../docs/formats/vectors/${name}.json`), "utf8"),
  );
const { compared, shown } = load("comparison") as {
  compared: Case[];
  shown: {
    file: string;
    facts: Record<string, string>;
    commitments: { account: string; leaf: number; position: number }[];
  }[];
};
const { files } = load("evidence") as { files: { name: string; file: { receipt: unknown } }[] };
const folder = mkdtempSync(join(tmpdir(), "drydock-compared-"));
afterAll(() => rmSync(folder, { recursive: true }));
const newFile = () => join(mkdtempSync(join(folder, "run-")), "memory.json");

type Log = Partial<Parameters<Comparison["compare"]>[0]>;

test("a commitment that claims to be the first is refused where the whole log is read", () => {
  const { entries } = compared.find(({ name }) => name.includes("claims to be the first")) as Case;
  const [, first, second] = entries.map(fromHex) as [Buffer, Buffer, Buffer];
  const tag = worldTag("vector");
  const last = nextCommitment(null, 1, decodeLiabilities(first, tag));
  const next = () => nextCommitment(last, 2, decodeLiabilities(second, tag));
  expect(next).toThrow(expect.objectContaining({ difference: "accounts_fell" }));
});

/** Checks each receipt and compares it; returns the differences, null where there is none. */
async function compareAll(
  { entries, receipts }: Case,
  comparisonFor: (index: number) => Comparison,
  log: Log = {},
): Promise<(string | null)[]> {
  const mismatches: (string | null)[] = [];
  for (const [position, receipt] of receipts.entries()) {
    const { leaf, leaves } = collectLeaves(async (index) => fromHex(entries[index] as string));
    const { origin } = receipt.log;
    const report = await checkOne("receipt", receipt, { origin, size: entries.length }, leaf);
    expect(report.difference).toBeNull();
    const comparison = comparisonFor(position);
    const about = { ...receipt.log, known: true, stored: true, ...log };
    try {
      await comparison.compare(about, receipt, leaves);
      mismatches.push(null);
    } catch (error) {
      if (!(error instanceof MismatchError) || error.step !== "compared") throw error;
      mismatches.push(error.difference);
    }
    await comparison.save();
  }
  return mismatches;
}
const expected = ({ receipts, difference }: Case) =>
  receipts.map((_, index) => (index === receipts.length - 1 ? difference : null));

describe("receipts are compared", () => {
  test.each(compared)("in one run: $name: $difference", async (testCase) => {
    const comparison = new Comparison(newFile());
    expect(await compareAll(testCase, () => comparison)).toEqual(expected(testCase));
  });

  test.each(compared)("from run to run: $name: $difference", async (testCase) => {
    const file = newFile();
    expect(await compareAll(testCase, () => new Comparison(file))).toEqual(expected(testCase));
  });

  test.each(
    shown,
  )("the facts shown by $file equal those of the other implementation", (testCase) => {
    const { file } = files.find(({ name }) => name === testCase.file)!;
    const { facts, committed } = extractFacts(file.receipt, new Map());
    expect(facts).toEqual(testCase.facts);
    const commitments = Object.entries(committed).flatMap(([account, ends]) =>
      ends.map(([leaf, position]) => ({ account, leaf, position })),
    );
    expect(commitments).toEqual(testCase.commitments);
  });

  test("contradicting facts are not stored, and are refused again", async () => {
    const testCase = compared.find(({ difference }) => difference === "account_past_differs")!;
    const repeatedCase = {
      ...testCase,
      receipts: [...testCase.receipts, testCase.receipts[1]!, testCase.receipts[0]!],
    };
    const file = newFile();
    expect(await compareAll(repeatedCase, () => new Comparison(file))).toEqual([
      null,
      "account_past_differs",
      "account_past_differs",
      null,
    ]);
  });

  test("no facts are stored for an archive or under an unknown key", async () => {
    const testCase = compared.find(({ difference }) => difference === "account_past_differs")!;
    for (const log of [{ stored: false }, { known: false, stored: false }]) {
      const file = newFile();
      const aloneResult = await compareAll(testCase, () => new Comparison(file), log);
      expect(aloneResult).toEqual([null, null]);
      expect(readShownFacts(file)).toEqual({});
      const comparison = new Comparison(file);
      expect(await compareAll(testCase, () => comparison, log)).toEqual(expected(testCase));
    }
  });

  test("files under another, unknown key are not compared with the log's", async () => {
    const testCase = compared.find(({ difference }) => difference === "account_past_differs")!;
    const comparison = new Comparison(newFile());
    const [first, second] = testCase.receipts;
    await compareAll({ ...testCase, receipts: [first!] }, () => comparison);
    const otherLog = { known: false, stored: false, vkey: "another" };
    expect(
      await compareAll({ ...testCase, receipts: [second!] }, () => comparison, otherLog),
    ).toEqual([null]);
  });

  test("the store keeps the ends of runs of seconds", () => {
    const seconds = [3, 4, 5, 9].map((leaf): [number, number] => [leaf, leaf * 10]);
    expect(abridgeFacts({ ...createShownFacts(), seconds }).seconds).toEqual([
      [3, 30],
      [5, 50],
      [9, 90],
    ]);
  });

  test("a malformed store is refused", () => {
    const file = newFile();
    const shownThere = { "a/b/c": { facts: { "order 1": "no hash" }, committed: {}, seconds: [] } };
    writeFileSync(file, JSON.stringify({ logs: {}, instances: {}, shown: shownThere }));
    expect(() => new Comparison(file)).toThrow("memory_unreadable");
    writeFileSync(file, JSON.stringify({ logs: {}, instances: {} }));
    expect(readShownFacts(file)).toEqual({});
  });
});
