import { expect, test } from "vitest";
import {
  isCount,
  isHash,
  isInteger,
  isObject,
  isSigned,
  isText,
  orNull,
  type Test,
} from "#core/transparency-log/schema.ts";

test.each<[string, Test, unknown[], unknown[]]>([
  ["an object", isObject, [{}, { a: 1 }], [null, [], "x", 1]],
  ["a count", isCount, [0, 1, 2 ** 53 - 1], [-1, 0.5, 2 ** 53, "1", null, Number.NaN]],
  ["a text", isText, ["a", "x".repeat(200)], ["", "x".repeat(201), 1, null]],
  ["a hash", isHash, ["0f".repeat(32)], ["0F".repeat(32), "0f".repeat(31), "0g".repeat(32), 1]],
  ["an integer", isInteger(3), ["0", "7", "999"], ["00", "1000", "-1", "", "1\n", 1]],
  ["a signed integer", isSigned(3), ["0", "-7", "999"], ["-0", "-1000", "+1", 1]],
  ["a count or null", orNull(isCount), [null, 0], [undefined, -1]],
])("%s", (_title, fits, fitting, others) => {
  expect(fitting.filter((value) => !fits(value))).toEqual([]);
  expect(others.filter((value) => fits(value))).toEqual([]);
});
