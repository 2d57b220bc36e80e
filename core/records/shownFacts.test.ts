import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  createShownFacts,
  extractFacts,
  findContradiction,
  mergeFacts,
  mergeWithinLimits,
  parseStoredFacts,
  toStored,
} from "./shownFacts.ts";

interface Case {
  name: string;
  entries: string[];
  receipts: unknown[];
  difference: string | null;
}
const load = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../docs/formats/vectors/${name}.json`, import.meta.url), "utf8"),
  );
const { compared, shown } = load("comparison") as {
  compared: Case[];
  shown: { file: string; facts: Record<string, string>; commitments: unknown[] }[];
};
const { files } = load("evidence") as { files: { name: string; file: { receipt: unknown } }[] };

/** All leaves of the log, of which a check reads some. */
const getLeaves = ({ entries }: Case) =>
  new Map(entries.map((entry, index) => [index, hexToBytes(entry)]));

function compareAll(
  { receipts, ...one }: Case,
  merge: typeof mergeWithinLimits,
): (string | null)[] {
  let knownFacts = createShownFacts();
  // The whole log read by one receipt: seconds alone are compared by a check (check.test.ts).
  const leaves =
    one.difference === "seconds_not_ascending" ? getLeaves({ receipts, ...one }) : null;
  return receipts.map((receipt) => {
    const facts = extractFacts(receipt, leaves ?? new Map());
    const contradiction = findContradiction(knownFacts, facts);
    if (!contradiction)
      knownFacts = parseStoredFacts(
        JSON.parse(JSON.stringify(toStored(merge(knownFacts, facts)))),
      )!;
    return contradiction?.difference ?? null;
  });
}

describe("facts shown by receipts", () => {
  const cases = compared.filter(({ difference }) => difference !== "seconds_not_ascending");
  const expected = ({ receipts, difference }: Case) =>
    receipts.map((_, index) => (index === receipts.length - 1 ? difference : null));

  test.each(cases)("$name: $difference", (testCase) => {
    expect(compareAll(testCase, mergeFacts)).toEqual(expected(testCase));
    expect(compareAll(testCase, mergeWithinLimits)).toEqual(expected(testCase));
  });

  test.each(shown)("by $file match the vectors", ({ file: name, facts, commitments }) => {
    const { file } = files.find((file) => file.name === name)!;
    const shownFacts = extractFacts(file.receipt, new Map());
    expect(Object.fromEntries(shownFacts.facts)).toEqual(facts);
    expect(shownFacts.commitments).toEqual(commitments);
  });

  test("of a log with repeated seconds are refused", () => {
    const testCase = compared.find(({ difference }) => difference === "seconds_not_ascending")!;
    const shownFacts = extractFacts(null, getLeaves(testCase));
    expect(findContradiction(createShownFacts(), shownFacts)).toMatchObject({
      difference: "seconds_not_ascending",
    });
  });

  test("a second time for one leaf is refused if it differs", () => {
    const factsAt = (leaf: number, ms: number) => ({
      ...createShownFacts(),
      seconds: new Map([[leaf, ms]]),
    });
    expect(findContradiction(factsAt(5, 1_000), factsAt(5, 1_000))).toBeNull();
    expect(findContradiction(factsAt(5, 1_000), factsAt(5, 2_000))?.difference).toBe(
      "seconds_not_ascending",
    );
    expect(findContradiction(factsAt(5, 1_000), factsAt(4, 1_000))?.difference).toBe(
      "seconds_not_ascending",
    );
    expect(findContradiction(factsAt(5, 1_000), factsAt(6, 1_001))).toBeNull();
  });
});

describe("stored facts", () => {
  const states = (count: number) => {
    const facts = Array.from({ length: count }, (_, index): [string, string] => [
      `state 7 ${index + 100}`,
      String(index).padStart(64, "0"),
    ]);
    return { ...createShownFacts(), facts: new Map(facts) };
  };

  test("keep the ends and some states of a long chain", () => {
    const { facts } = mergeWithinLimits(createShownFacts(), states(10_000));
    expect(facts.has("state 7 100")).toBe(true);
    expect(facts.has("state 7 10099")).toBe(true);
    expect(facts.size).toBeLessThan(70);
    expect(facts.size).toBeGreaterThan(60);
    expect(mergeWithinLimits(createShownFacts(), states(20)).facts.size).toBe(20);
  });

  test("are limited, and the oldest are dropped first", () => {
    const factsFrom = (from: number) => ({
      ...createShownFacts(),
      facts: new Map(
        Array.from(
          { length: 1_500 },
          (_, index) => [`order ${from + index}`, "a".repeat(64)] as const,
        ),
      ),
      commitments: Array.from({ length: 400 }, (_, index) => ({
        account: "7",
        leaf: from + index,
        position: 1,
      })),
      seconds: new Map(
        Array.from({ length: 400 }, (_, index) => [2 * (from + index), from + index]),
      ),
    });
    const merged = mergeWithinLimits(
      mergeWithinLimits(createShownFacts(), factsFrom(0)),
      factsFrom(5_000),
    );
    expect(merged.facts.size).toBe(2_000);
    expect([merged.facts.has("order 999"), merged.facts.has("order 1000")]).toEqual([false, true]);
    expect(merged.commitments).toHaveLength(500);
    expect(merged.seconds.size).toBe(500);
    expect(merged.seconds.has(2 * 5_399)).toBe(true);
  });

  test.each([
    null,
    {},
    { facts: {}, commitments: [], seconds: [] },
    { facts: [["order 1", "no hash"]], commitments: [], seconds: [] },
    { facts: [], commitments: [{ account: 1, leaf: 1, position: 1 }], seconds: [] },
    { facts: [], commitments: [], seconds: [[1]] },
  ])("are null if the stored value is malformed: %j", (storedValue) => {
    expect(parseStoredFacts(storedValue)).toBeNull();
  });
});
