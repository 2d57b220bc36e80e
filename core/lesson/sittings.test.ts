import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  getItem,
  honestTraits,
  type ItemName,
  items,
  media,
  scamTraits,
} from "#core/lesson/items.ts";
import {
  addAnswers,
  drawSitting,
  isRight,
  parseSitting,
  type SittingAnswer,
  type SittingItem,
  scoreSitting,
  writeSitting,
} from "#core/lesson/sittings.ts";
import { discernmentStudy, lessonSources } from "#core/lesson/sources.ts";

/** Whole numbers from a seed (mulberry32), so that a failing draw can be repeated. */
function createRandomBelow(seed: number) {
  let state = seed;
  return (end: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * end);
  };
}

const answerAll = (names: readonly ItemName[], answer: SittingAnswer): SittingItem[] =>
  names.map((item) => ({ item, answer }));

describe("the bank", () => {
  test("it has 48 items, half of them honest in each medium", () => {
    expect(items).toHaveLength(48);
    for (const medium of media) {
      const itemsOfMedium = items.filter((item) => item.medium === medium);
      expect([itemsOfMedium.length, itemsOfMedium.filter(({ honest }) => honest).length]).toEqual([
        12, 6,
      ]);
    }
  });

  test("every item has a trait of its kind and a dated source, and all traits and sources are used", () => {
    const sources = readFileSync(join(import.meta.dirname, "../../docs/sources.md"), "utf8");
    for (const { honest, trait, source } of items) {
      expect((honest ? honestTraits : scamTraits) as readonly string[]).toContain(trait);
      const { authority, title, date, url } = lessonSources[source];
      expect(authority).not.toBe("");
      expect(date).toMatch(/^\d{4}(-\d{2}(-\d{2})?)?$/);
      expect(new URL(url).protocol).toBe("https:");
      expect(sources).toContain(title);
    }
    expect(sources).toContain(discernmentStudy.title);
    const traits = new Set<string>(items.map(({ trait }) => trait));
    expect([...honestTraits, ...scamTraits].filter((trait) => !traits.has(trait))).toEqual([]);
    const usedSources = new Set<string>(items.map(({ source }) => source));
    expect(Object.keys(lessonSources).filter((source) => !usedSources.has(source))).toEqual([]);
  });

  test("every sender uses a reserved name", () => {
    const unreservedItems = items.filter(
      ({ from }) => from !== null && !/^[a-z.@-]+\.example$/.test(from),
    );
    expect(unreservedItems).toEqual([]);
    expect(items.filter(({ from, medium }) => (from === null) !== (medium === "chat"))).toEqual([]);
  });
});

test("in 10 000 sittings a constant answer scores 5 of 10, and no item repeats", () => {
  const randomBelow = createRandomBelow(20261123);
  const people = 2_500;
  const drawCounts = new Map<ItemName, number>();
  const honestAt = Array<number>(10).fill(0);
  let sittings = 0;
  let repeated = 0;
  const rightCounts = { honest: new Set<number>(), scam: new Set<number>() };
  for (let person = 0; person < people; person += 1) {
    const drawnNames: ItemName[] = [];
    for (let index = 0; index < 4; index += 1) {
      const names = drawSitting(drawnNames, randomBelow);
      sittings += 1;
      repeated += names.filter((name) => drawnNames.includes(name)).length;
      drawnNames.push(...names);
      for (const [position, name] of names.entries()) {
        drawCounts.set(name, (drawCounts.get(name) ?? 0) + 1);
        if (getItem(name).honest) honestAt[position]! += 1;
      }
      for (const answer of ["honest", "scam"] as const)
        rightCounts[answer].add(names.filter((name) => isRight(name, answer)).length);
      const { hits, falseAlarms } = scoreSitting(answerAll(names, "scam"))!;
      if (hits !== 5 || falseAlarms !== 5) throw new Error(`${hits} and ${falseAlarms} of 5`);
    }
  }
  expect(sittings).toBe(10_000);
  expect([...rightCounts.honest, ...rightCounts.scam]).toEqual([5, 5]);
  expect(repeated).toBe(0);
  expect(drawCounts.size).toBe(48);
  // Each position is equally likely to hold an honest item: within five standard deviations of 50.
  // Each item reaches 20 of 24 people of its kind: within five standard deviations of 18.6.
  for (const count of honestAt) expect(Math.abs(count - 5_000)).toBeLessThan(250);
  const counts = [...drawCounts.values()];
  process.stdout.write(
    `10 000 sittings of ${people} people: always "honest" right in ${[...rightCounts.honest].join()} of 10, ` +
      `always "scam" in ${[...rightCounts.scam].join()}; ${repeated} repeated; each of ${drawCounts.size} items ` +
      `drawn ${Math.min(...counts)} to ${Math.max(...counts)} times; honest at each place ` +
      `${Math.min(...honestAt)} to ${Math.max(...honestAt)} times\n`,
  );
  for (const count of counts) expect(Math.abs(count - 100_000 / 48)).toBeLessThan(94);
});

test("once all items are seen, the least recently seen ones repeat first", () => {
  const randomBelow = createRandomBelow(7);
  const drawnNames: ItemName[] = [];
  for (let index = 0; index < 4; index += 1)
    drawnNames.push(...drawSitting(drawnNames, randomBelow));
  const fifth = drawSitting(drawnNames, randomBelow);
  const repeatedNames = fifth.filter((name) => drawnNames.includes(name));
  // Four of each kind were left.
  expect(repeatedNames).toHaveLength(2);
  expect(repeatedNames.every((name) => drawnNames.slice(0, 10).includes(name))).toBe(true);
  expect(new Set(fifth).size).toBe(10);
});

test("a sitting has no score before its tenth answer, and an answer cannot be changed", () => {
  const names = drawSitting([], createRandomBelow(1));
  const open = names.map((item) => ({ item, answer: null }));
  const nine = addAnswers(open, answerAll(names.slice(0, 9), "scam"));
  expect(scoreSitting(nine)).toBeNull();
  const allAnswered = addAnswers(nine, answerAll(names, "honest"));
  expect(allAnswered.map(({ answer }) => answer)).toEqual([
    ...Array<string>(9).fill("scam"),
    "honest",
  ]);
  const mistrustedCount = names.slice(0, 9).filter((name) => getItem(name).honest).length;
  expect(scoreSitting(allAnswered)).toEqual({
    hits: 9 - mistrustedCount,
    falseAlarms: mistrustedCount,
  });
});

test("only written sittings parse back", () => {
  const names = drawSitting([], createRandomBelow(2));
  const someAnswered = addAnswers(
    names.map((item) => ({ item, answer: null })),
    answerAll(names.slice(0, 3), "honest"),
  );
  expect(parseSitting(writeSitting(someAnswered))).toEqual(someAnswered);
  for (const text of [
    "",
    "code",
    `${writeSitting(someAnswered)} code`,
    writeSitting(someAnswered).replace(":honest", ":maybe"),
  ])
    expect(parseSitting(text)).toBeNull();
});
