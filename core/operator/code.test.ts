import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeBytes, hashCode, parseCode, writeCode } from "#core/operator/code.ts";
import { parseName } from "#core/operator/name.ts";

describe("one-time codes", () => {
  test("a code has 140 bits in seven groups of four, without letters that look alike", () => {
    expect(writeCode(new Uint8Array(codeBytes))).toBe("0000-0000-0000-0000-0000-0000-0000");
    expect(writeCode(new Uint8Array(codeBytes).fill(255))).toBe(
      "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ",
    );
    expect(() => writeCode(new Uint8Array(codeBytes - 1))).toThrow(RangeError);
  });

  test("each of the first 140 bits changes the code", () => {
    const codes = new Set<string>();
    for (let bit = 0; bit < 140; bit += 1) {
      const bytes = new Uint8Array(codeBytes);
      bytes[bit >> 3] = 128 >> (bit & 7);
      codes.add(writeCode(bytes));
    }
    expect(codes.size).toBe(140);
  });

  test("a code is accepted in any case, grouping and with look-alike letters", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: codeBytes, maxLength: codeBytes }), (bytes) => {
        const code = writeCode(bytes);
        const input = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("1", "l")}`;
        return parseCode(input) === code.replaceAll("-", "");
      }),
    );
  });

  test.each([
    "",
    "0",
    "0".repeat(27),
    "0".repeat(29),
    "U".repeat(28),
    "💥".repeat(28),
  ])("%j is not a code", (input) =>
    expect([parseCode(input), hashCode(input)]).toEqual([null, null]));
});

test.each<[string, string | null]>([
  ["  Anna   B. ", "Anna B."],
  ["", null],
  [" \t ", null],
  ["あ".repeat(40), "あ".repeat(40)],
  ["x".repeat(41), null],
])("the name %j is normalised to %j", (input, name) => expect(parseName(input)).toBe(name));
