import { describe, expect, test } from "vitest";
import {
  classCodeLength,
  codeAlphabet,
  codeLength,
  formatPrintedCode,
  parseClassCode,
  parseCode,
  writeCode,
} from "#core/invites/code.ts";
import { nameMax, parseShownName } from "#core/invites/rules.ts";

describe("invite codes", () => {
  test("accepted bytes make each letter equally likely", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const code = writeCode(new Uint8Array(codeLength).fill(byte));
      if (code) counts.set(code[0]!, (counts.get(code[0]!) ?? 0) + 1);
    }
    expect(counts.size).toBe(codeAlphabet.length);
    expect(new Set(counts.values()).size).toBe(1);
  });

  test("the alphabet has no two letters that look alike", () => {
    for (const pair of ["0O", "1I", "1L", "2Z", "5S", "8B", "UV"]) {
      expect(Array.from(pair).every((letter) => codeAlphabet.includes(letter))).toBe(false);
    }
  });

  test.each([
    ["34679acdef", "34679ACDEF"],
    [" 34679-ACDEF ", "34679ACDEF"],
    ["34679ACDE", null],
    ["34679ACDEFG", null],
    ["34679ACDE0", null],
    ["", null],
    ["<script>ab", null],
  ])("%j is parsed as %j", (text, expected) => {
    expect(parseCode(text)).toBe(expected);
  });

  test("too few random bytes produce no code", () => {
    expect(writeCode(new Uint8Array(codeLength - 1))).toBeNull();
  });
});

describe("the name shown to the inviter", () => {
  test.each([
    ["  Mia  ", { ok: true, name: "Mia" }],
    ["   ", { ok: true, name: null }],
    ["😀".repeat(nameMax), { ok: true, name: "😀".repeat(nameMax) }],
    ["x".repeat(nameMax + 1), { ok: false, error: "too_long" }],
    ["Mia\u202eaiM", { ok: false, error: "controls" }],
    ["Mia\nVerified", { ok: false, error: "controls" }],
  ])("%j", (text, expected) => {
    expect(parseShownName(text)).toEqual(expected);
  });
});

describe("class codes", () => {
  test.each([
    ["34ac-defg-hjkm", "34ACDEFGHJKM"],
    [" 34AC DEFG HJKM", "34ACDEFGHJKM"],
    ["34679ACDEF", null],
    ["34AC-DEFG-HJK0", null],
  ])("%j is parsed as %j", (text, expected) => {
    expect(parseClassCode(text)).toBe(expected);
  });

  test("twelve letters are drawn, printed in groups of four, and no invite code", () => {
    const code =
      writeCode(
        new Uint8Array(64).map((_, index) => index * 3),
        classCodeLength,
      ) ?? "";
    expect(formatPrintedCode(code)).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    expect(parseClassCode(formatPrintedCode(code))).toBe(code);
    expect(parseCode(code)).toBeNull();
  });
});
