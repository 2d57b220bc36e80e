import { describe, expect, test } from "vitest";
import { nextOfferAtMs, standingOffer } from "#core/lesson/offers.ts";
import {
  type Answers,
  countRight,
  parseAnswers,
  rightChoice,
  sceneNames,
  writeAnswers,
} from "#core/lesson/scenes.ts";
import { dayMs } from "#core/money/time.ts";

const day = dayMs;

describe("answers", () => {
  test("the score equals the number of scenes, less one for each unsound choice", () => {
    expect(countRight(rightChoice)).toBe(sceneNames.length);
    for (const scene of sceneNames) {
      const other = rightChoice[scene] === "a" ? "b" : "a";
      expect(countRight({ ...rightChoice, [scene]: other } as Answers)).toBe(sceneNames.length - 1);
    }
  });

  test("the sound choice varies in position between scenes", () => {
    expect(new Set(Object.values(rightChoice)).size).toBe(3);
  });

  test("only written answers parse back", () => {
    expect(parseAnswers(writeAnswers(rightChoice))).toEqual(rightChoice);
    for (const text of ["", "abc", "abcabd", "abcabca", "ABCABC"]) {
      expect(parseAnswers(text)).toBeNull();
    }
  });
});

describe("a repetition is offered 30 and 90 days after the first completion", () => {
  test.each([
    ["none before the 30th day", 0, 30 * day - 1, null],
    ["the first on the 30th day", 0, 30 * day, 30],
    ["the first is still offered after an early repetition", 29 * day, 31 * day, 30],
    ["none after a timely repetition", 30 * day, 60 * day, null],
    ["the second on the 90th day", 30 * day, 90 * day, 90],
    ["only the second if the first was skipped", 0, 100 * day, 90],
    ["none after a repetition past the 90th day", 90 * day, 900 * day, null],
  ] as const)("%s", (_what, lastAtMs, nowMs, expected) => {
    expect(standingOffer({ firstAtMs: 0, lastAtMs }, nowMs)).toBe(expected);
  });

  test.each([
    [0, 30 * day],
    [30 * day, 90 * day],
    [90 * day, null],
  ])("the next offer after %i ms is at %s", (nowMs, expected) => {
    expect(nextOfferAtMs(0, nowMs)).toBe(expected);
  });
});
