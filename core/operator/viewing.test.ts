import { describe, expect, test } from "vitest";
import {
  formatViewCode,
  parseViewCode,
  viewCodeAlphabet,
  writeViewCode,
} from "#core/operator/viewing.ts";

describe("person codes", () => {
  test("a code has eight letters of the alphabet, each equally likely", () => {
    expect(writeViewCode(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 22]))).toBe("34679ACY");
    // 253 to 255 would favour the first three letters and are skipped.
    expect(writeViewCode(new Uint8Array([255, 254, 253, 0, 23, 46, 69, 92, 115, 138, 161]))).toBe(
      "33333333",
    );
    expect(writeViewCode(new Uint8Array([0, 0, 0, 255, 0, 0, 0, 0]))).toBeNull();
  });

  test("the alphabet has no two letters that look alike", () => {
    for (const pair of ["0O", "1IL", "2Z", "5S", "8B", "UV"]) {
      expect(Array.from(pair).filter((letter) => viewCodeAlphabet.includes(letter))).toHaveLength(
        0,
      );
    }
    expect(new Set(viewCodeAlphabet).size).toBe(viewCodeAlphabet.length);
  });

  test.each([
    ["3467 9ACY", "34679ACY"],
    [" 3467-9acy ", "34679ACY"],
    ["34679AC", null],
    ["34679ACYY", null],
    ["34679AC0", null],
    ["", null],
  ])("%j is parsed as %j", (input, code) => {
    expect(parseViewCode(input)).toBe(code);
  });

  test("a code is displayed in two groups that parse back to it", () => {
    expect(formatViewCode("34679ACY")).toBe("3467 9ACY");
    expect(parseViewCode(formatViewCode("34679ACY"))).toBe("34679ACY");
  });
});
