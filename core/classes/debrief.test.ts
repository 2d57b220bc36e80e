import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ClassMember,
  computeDebrief,
  describeParts,
  figureNames,
  findResultRange,
  mayCountAgain,
  resultRanges,
} from "#core/classes/debrief.ts";
import { maskCount, peopleMin } from "#core/classes/masking.ts";

const unit = 1_000_000n;
const idle: ClassMember = {
  result: 0n,
  costs: { fees: 0n, spread: 0n, hosting: 0n, mining: 0n },
  orders: { decided: 0, won: 0, stake: 0n, fee: 0n, profit: 0n },
  hasWithdrawnAll: false,
  beliefs: [],
};
const people = (count: number, change: Partial<ClassMember> = {}) =>
  Array.from({ length: count }, () => ({ ...idle, ...change }));
/** Two of three orders won at a rate of 90 % and a fee of 1 %. */
const trader: Partial<ClassMember> = {
  result: -30n * unit,
  costs: { fees: 3n * unit, spread: 15n * unit, hosting: 0n, mining: 0n },
  orders: { decided: 3, won: 2, stake: 300n * unit, fee: 3n * unit, profit: 270n * unit },
};

test.each([
  [4, 30, { size: "few" }],
  [0, 30, { size: "few" }],
  [5, 30, { size: "some", people: 5 }],
  [25, 30, { size: "some", people: 25 }],
  [26, 30, { size: "most" }],
  [30, 30, { size: "most" }],
  [4, 5, { size: "few" }],
  [5, 5, { size: "most" }],
])("%i of %i is %j", (part, all, masked) => {
  expect(maskCount(part, all)).toEqual(masked);
});

test.each([
  [-6_000n, { from: null, to: -5_000 }],
  [-5_000n, { from: -5_000, to: -2_500 }],
  [-50n, { from: -50, to: 0 }],
  [-51n, { from: -100, to: -50 }],
  [0n, { from: 0, to: 0 }],
  [50n, { from: 0, to: 50 }],
  [51n, { from: 50, to: 100 }],
  [5_001n, { from: 5_000, to: null }],
])("a result of %s pUSDT is in %j", (result, range) => {
  expect(resultRanges[findResultRange(result * unit)]).toEqual(range);
});

test("a class of four has no figure", () => {
  expect(Object.values(computeDebrief(people(4, trader)))).toEqual([null, null, null, null, null]);
});

test("a class of thirty", () => {
  const figures = computeDebrief([...people(20, trader), ...people(10)]);
  expect(figures).toEqual({
    results: {
      ranges: [
        { from: null, to: 0, people: 20 },
        { from: 0, to: null, people: 10 },
      ],
      below: { size: "some", people: 20 },
    },
    orders: {
      people: { size: "some", people: 20 },
      decided: 60,
      right_percent: 67,
      // 303 / 570
      break_even_percent: 54,
    },
    beliefs: null,
    costs: {
      people: { size: "some", people: 20 },
      fees: 60,
      spread: 300,
      hosting: null,
      mining: null,
    },
    withdrawals: { size: "few" },
  });
});

describe("no figure over fewer than five people", () => {
  test("figures about only four people are not shown", () => {
    const beliefs = [{ confidence: 80, right: true }];
    const figures = computeDebrief([...people(4, { ...trader, beliefs }), ...people(10)]);
    expect(figures).toMatchObject({ orders: null, beliefs: null, costs: null });
    expect(figures.results!.ranges).toEqual([{ from: null, to: null, people: 14 }]);
    expect(figures.results!.below).toEqual({ size: "few" });
  });

  test("a pool held by only four people is left out of every sum", () => {
    const costs = { fees: 0n, spread: 0n, hosting: -2n * unit, mining: -900n * unit };
    const figures = computeDebrief([
      ...people(5, { costs: { ...costs, hosting: 0n } }),
      ...people(4, { costs: { ...costs, mining: 0n } }),
    ]);
    expect(figures.costs).toMatchObject({ hosting: null, mining: -4_500, fees: null });
  });

  const results = fc.array(fc.bigInt({ min: -9_000n, max: 9_000n }), { maxLength: 60 });
  test("every range of any results covers at least five people", () => {
    fc.assert(
      fc.property(results, (memberResults) => {
        const figures = computeDebrief(
          memberResults.map((result) => ({ ...idle, result: result * unit })),
        );
        if (memberResults.length < peopleMin) return;
        const { ranges } = figures.results!;
        expect(ranges.reduce((sum, range) => sum + range.people, 0)).toBe(memberResults.length);
        expect(Math.min(...ranges.map((range) => range.people))).toBeGreaterThanOrEqual(peopleMin);
        // The ranges adjoin from end to end, so that no edge reveals a single person's result.
        expect([ranges[0]!.from, ranges.at(-1)!.to]).toEqual([null, null]);
        for (const [index, { from }] of ranges.slice(1).entries())
          expect(from).toBe(ranges[index]!.to);
      }),
    );
  });

  const member = fc.record({
    confidence: fc.integer({ min: 50, max: 100 }),
    right: fc.boolean(),
  });
  test("every step of any confidences covers at least five people", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(member, { maxLength: 4 }), { maxLength: 40 }),
        (beliefLists) => {
          const figures = computeDebrief(beliefLists.map((beliefs) => ({ ...idle, beliefs })));
          if (!figures.beliefs) {
            const withBeliefs = beliefLists.filter((beliefs) => beliefs.length > 0);
            expect(withBeliefs.length).toBeLessThan(peopleMin);
            return;
          }
          for (const { from, to } of figures.beliefs.steps) {
            const inRange = beliefLists.filter((beliefs) =>
              beliefs.some(({ confidence }) => confidence >= from && confidence <= to),
            );
            expect(inRange.length).toBeGreaterThanOrEqual(peopleMin);
          }
          expect(figures.beliefs.steps.at(-1)!.to).toBe(100);
        },
      ),
    );
  });
});

describe("repeated counts", () => {
  const before = new Map(["a", "b", "c", "d", "e", "f"].map((id) => [id, "1"]));
  const withChanges = (...ids: string[]) =>
    new Map([...before, ...ids.map((id) => [id, "2"] as const)]);
  const earlierCounts = [{ people: 6, parts: before }];

  test.each([
    ["nobody changed", before, true],
    ["one changed", withChanges("a"), false],
    ["four changed", withChanges("a", "b", "c", "d"), false],
    ["five changed", withChanges("a", "b", "c", "d", "e"), true],
    ["four changed and one came", withChanges("a", "b", "c", "d", "g"), true],
    ["somebody without a part came", new Map([...before, ["g", ""]]), true],
  ])("%s: %s", (_title, now, expected) => {
    expect(mayCountAgain(now, earlierCounts)).toBe(expected);
  });

  test("a person who deleted their account counts as changed", () => {
    const afterLeaving = new Map([...before].slice(1));
    expect(mayCountAgain(afterLeaving, [{ people: 6, parts: afterLeaving }])).toBe(false);
  });

  test("all earlier counts are compared, not only the last", () => {
    const second = { people: 6, parts: withChanges("a", "b", "c", "d", "e") };
    // Five against the last, one against the first.
    expect(mayCountAgain(withChanges("f"), [second])).toBe(true);
    expect(mayCountAgain(withChanges("f"), [...earlierCounts, second])).toBe(false);
  });
});

test("equal parts describe equal figures", () => {
  const member = { ...idle, ...trader, result: -30n * unit };
  const similarMember = { ...member, result: -31n * unit };
  expect(describeParts(similarMember)).toEqual(describeParts(member));
  expect(computeDebrief(people(9, similarMember))).toEqual(computeDebrief(people(9, member)));
  expect(Object.keys(describeParts(idle))).toEqual([...figureNames]);
  expect(describeParts(idle)).toMatchObject({
    orders: "",
    beliefs: "",
    costs: "",
    withdrawals: "",
  });
});
