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
  test("all sound choices count as many as there are scenes, and each other choice one less", () => {
    expect(countRight(rightChoice)).toBe(sceneNames.length);
    for (const scene of sceneNames) {
      const other = rightChoice[scene] === "a" ? "b" : "a";
      expect(countRight({ ...rightChoice, [scene]: other } as Answers)).toBe(sceneNames.length - 1);
    }
  });

  test("the sound choice does not stand in one place in every scene", () => {
    expect(new Set(Object.values(rightChoice)).size).toBe(3);
  });

  test("answers that were written are read back, and nothing else is", () => {
    expect(parseAnswers(writeAnswers(rightChoice))).toEqual(rightChoice);
    for (const text of ["", "abc", "abcabd", "abcabca", "ABCABC"]) {
      expect(parseAnswers(text)).toBeNull();
    }
  });
});

describe("a repetition is offered after 30 and after 90 days of the first finishing", () => {
  test.each([
    ["before the 30th day: none", 0, 30 * day - 1, null],
    ["on the 30th day", 0, 30 * day, 30],
    ["repeated too early: still", 29 * day, 31 * day, 30],
    ["repeated in time: none", 30 * day, 60 * day, null],
    ["on the 90th day again", 30 * day, 90 * day, 90],
    ["the first was let pass: the second stands alone", 0, 100 * day, 90],
    ["repeated after the 90th: never again", 90 * day, 900 * day, null],
  ] as const)("%s", (_what, lastAtMs, nowMs, expected) => {
    expect(standingOffer({ firstAtMs: 0, lastAtMs }, nowMs)).toBe(expected);
  });

  test.each([
    [0, 30 * day],
    [30 * day, 90 * day],
    [90 * day, null],
  ])("the next after %i ms comes at %s", (nowMs, expected) => {
    expect(nextOfferAtMs(0, nowMs)).toBe(expected);
  });
});
