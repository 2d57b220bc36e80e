import { expect, test } from "vitest";
import { computeWaitMs, isPin, waitMsMax } from "#core/pin/pin.ts";

test.each<[string, boolean]>([
  ["123456", true],
  ["000000", true],
  ["12345", false],
  ["1234567", false],
  ["12345a", false],
  ["１２３４５６", false],
  ["١٢٣٤٥٦", false],
  ["12345\n", false],
  [" 12345", false],
  ["", false],
])("isPin(%j) is %s", (text, is) => {
  expect(isPin(text)).toBe(is);
});

test.each<[number, number]>([
  [0, 0],
  [1, 0],
  [3, 0],
  [4, 30],
  [5, 60],
  [6, 300],
  [7, 900],
  [8, 3_600],
  [9, 3_600],
  [1_000_000, 3_600],
])("after %i wrong PINs in a row the next attempt waits %i s", (failures, seconds) => {
  expect(computeWaitMs(failures)).toBe(seconds * 1_000);
  expect(computeWaitMs(failures)).toBeLessThanOrEqual(waitMsMax);
});
