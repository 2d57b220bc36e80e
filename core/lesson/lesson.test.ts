import { describe, expect, test } from "vitest";
import { findCurrentOffer, nextOfferAtMs } from "#core/lesson/offers.ts";
import {
  type Answers,
  correctChoices,
  countRight,
  getStage,
  parseAnswers,
  sceneNames,
  stages,
  writeAnswers,
} from "#core/lesson/scenes.ts";
import { dayMs } from "#core/money/time.ts";

const day = dayMs;

describe("answers", () => {
  test("the score equals the number of scenes, less one for each wrong choice", () => {
    expect(countRight(correctChoices)).toBe(sceneNames.length);
    for (const scene of sceneNames) {
      const wrongChoice = correctChoices[scene] === "a" ? "b" : "a";
      expect(countRight({ ...correctChoices, [scene]: wrongChoice } as Answers)).toBe(
        sceneNames.length - 1,
      );
    }
  });

  test("each position is the correct choice equally often", () => {
    const counts = Map.groupBy(Object.values(correctChoices), (choice) => choice);
    expect([...counts.values()].map((list) => list.length)).toEqual([4, 4, 4]);
  });

  test("twelve scenes follow the five stages in order", () => {
    expect(sceneNames).toHaveLength(12);
    expect([...new Set(sceneNames.map(getStage))]).toEqual([...stages]);
  });

  test("only written answers parse back", () => {
    expect(parseAnswers(writeAnswers(correctChoices))).toEqual(correctChoices);
    for (const text of ["", "abc", "abcabcabcabd", "abcabcabcabca", "ABCABCABCABC"]) {
      expect(parseAnswers(text)).toBeNull();
    }
  });
});

describe("a sitting is offered 21 and 90 days after the first lesson or sitting", () => {
  test.each([
    ["none before the 21st day", 0, 21 * day - 1, null],
    ["the first on the 21st day", 0, 21 * day, 21],
    ["the first is still offered after an early sitting", 20 * day, 22 * day, 21],
    ["none after a timely sitting", 21 * day, 60 * day, null],
    ["the second on the 90th day", 21 * day, 90 * day, 90],
    ["only the second if the first was skipped", 0, 100 * day, 90],
    ["none after a sitting past the 90th day", 90 * day, 900 * day, null],
  ] as const)("%s", (_what, lastAtMs, nowMs, expected) => {
    expect(findCurrentOffer({ firstAtMs: 0, lastAtMs }, nowMs)).toBe(expected);
  });

  test.each([
    [0, 21 * day],
    [21 * day, 90 * day],
    [90 * day, null],
  ])("the next offer after %i ms is at %s", (nowMs, expected) => {
    expect(nextOfferAtMs(0, nowMs)).toBe(expected);
  });
});
