import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import {
  factsShownBy,
  findContradiction,
  fromStored,
  mergeFacts,
  mergeWithinLimits,
  nothingShown,
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
const leavesOf = ({ entries }: Case) => new Map(entries.map((one, at) => [at, hexToBytes(one)]));

function compareAll({ receipts, ...one }: Case, keep: typeof mergeWithinLimits): (string | null)[] {
  let known = nothingShown();
  // The whole log read by one receipt: seconds alone are compared by a check (check.test.ts).
  const leaves = one.difference === "seconds_not_ascending" ? leavesOf({ receipts, ...one }) : null;
  return receipts.map((receipt) => {
    const facts = factsShownBy(receipt, leaves ?? new Map());
    const found = findContradiction(known, facts);
    if (!found) known = fromStored(JSON.parse(JSON.stringify(toStored(keep(known, facts)))))!;
    return found?.difference ?? null;
  });
}

describe("what receipts show", () => {
  const cases = compared.filter(({ difference }) => difference !== "seconds_not_ascending");
  const expected = ({ receipts, difference }: Case) =>
    receipts.map((_, at) => (at === receipts.length - 1 ? difference : null));

  test.each(cases)("$name: $difference", (one) => {
    expect(compareAll(one, mergeFacts)).toEqual(expected(one));
    expect(compareAll(one, mergeWithinLimits)).toEqual(expected(one));
  });

  test.each(shown)("by $file is what the vectors say", ({ file: name, facts, commitments }) => {
    const { file } = files.find((one) => one.name === name)!;
    const found = factsShownBy(file.receipt, new Map());
    expect(Object.fromEntries(found.facts)).toEqual(facts);
    expect(found.commitments).toEqual(commitments);
  });

  test("of a log in which seconds repeat is refused", () => {
    const one = compared.find(({ difference }) => difference === "seconds_not_ascending")!;
    const found = factsShownBy(null, leavesOf(one));
    expect(findContradiction(nothingShown(), found)).toMatchObject({
      difference: "seconds_not_ascending",
    });
  });

  test("another time of the same leaf is refused, the same one is not", () => {
    const at = (leaf: number, ms: number) => ({
      ...nothingShown(),
      seconds: new Map([[leaf, ms]]),
    });
    expect(findContradiction(at(5, 1_000), at(5, 1_000))).toBeNull();
    expect(findContradiction(at(5, 1_000), at(5, 2_000))?.difference).toBe("seconds_not_ascending");
    expect(findContradiction(at(5, 1_000), at(4, 1_000))?.difference).toBe("seconds_not_ascending");
    expect(findContradiction(at(5, 1_000), at(6, 1_001))).toBeNull();
  });
});

describe("what is remembered", () => {
  const states = (count: number) => {
    const facts = Array.from({ length: count }, (_, at): [string, string] => [
      `state 7 ${at + 100}`,
      String(at).padStart(64, "0"),
    ]);
    return { ...nothingShown(), facts: new Map(facts) };
  };

  test("is some states of a long chain, its ends among them", () => {
    const { facts } = mergeWithinLimits(nothingShown(), states(10_000));
    expect(facts.has("state 7 100")).toBe(true);
    expect(facts.has("state 7 10099")).toBe(true);
    expect(facts.size).toBeLessThan(70);
    expect(facts.size).toBeGreaterThan(60);
    expect(mergeWithinLimits(nothingShown(), states(20)).facts.size).toBe(20);
  });

  test("is limited, and the oldest goes first", () => {
    const named = (from: number) => ({
      ...nothingShown(),
      facts: new Map(
        Array.from({ length: 1_500 }, (_, at) => [`order ${from + at}`, "a".repeat(64)] as const),
      ),
      commitments: Array.from({ length: 400 }, (_, at) => ({
        account: "7",
        leaf: from + at,
        position: 1,
      })),
      seconds: new Map(Array.from({ length: 400 }, (_, at) => [2 * (from + at), from + at])),
    });
    const all = mergeWithinLimits(mergeWithinLimits(nothingShown(), named(0)), named(5_000));
    expect(all.facts.size).toBe(2_000);
    expect([all.facts.has("order 999"), all.facts.has("order 1000")]).toEqual([false, true]);
    expect(all.commitments).toHaveLength(500);
    expect(all.seconds.size).toBe(500);
    expect(all.seconds.has(2 * 5_399)).toBe(true);
  });

  test.each([
    null,
    {},
    { facts: {}, commitments: [], seconds: [] },
    { facts: [["order 1", "no hash"]], commitments: [], seconds: [] },
    { facts: [], commitments: [{ account: 1, leaf: 1, position: 1 }], seconds: [] },
    { facts: [], commitments: [], seconds: [[1]] },
  ])("is nothing where storage holds something else: %j", (stored) => {
    expect(fromStored(stored)).toBeNull();
  });
});
