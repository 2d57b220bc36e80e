import { createCipheriv } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RandomDraws } from "#core/market/simulate/draws.ts";
import { exp, squareRoot } from "#core/market/simulate/exact.ts";
import { logarithm } from "#core/market/simulate/state.ts";

test.each([
  ["second", 1_767_571_200, 0, [1, 1_767_571_200, 0]],
  ["coarse", 2 ** 32 + 7, 60, [2, 7, 60 * 256 + 1]],
  ["book", 5, 2 ** 24 - 1, [3, 5, (2 ** 24 - 1) * 256]],
] as const)("the words for purpose %s equal OpenSSL's ChaCha20", (purpose, second, part, nonce) => {
  const seed = Uint8Array.from({ length: 32 }, (_, i) => 251 - i);
  const count = 300;
  const iv = Buffer.alloc(16);
  for (const [i, word] of nonce.entries()) iv.writeUInt32LE(word, 4 + 4 * i);
  const stream = createCipheriv("chacha20", seed, iv).update(Buffer.alloc(4 * count));
  const expected = Array.from({ length: count }, (_, i) => stream.readUInt32LE(4 * i));
  const draws = new RandomDraws(seed);
  // The number of words taken before determines the chunk size and must not change the words.
  for (const before of [0, 1, 16, 100, 5_000]) {
    draws.seek("book", second + 1);
    for (let i = 0; i < before; i += 1) draws.word();
    draws.seek(purpose, second, part);
    expect(Array.from({ length: count }, () => draws.word())).toEqual(expected);
  }
});

describe("functions of basic arithmetic", () => {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-13 * Math.abs(b);
  test("exp, square root and logarithm agree with the engine to thirteen digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
        expect(isNear(exp(x), Math.exp(x))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (x) => {
        expect(isNear(squareRoot(x), Math.sqrt(x))).toBe(true);
      }),
    );
    for (const value of [0.12, 1, 2, 145, 64_000]) {
      expect(Math.abs(logarithm(value) - Math.log(value))).toBeLessThan(1e-14 * 20);
    }
  });
});

describe("Draws", () => {
  const seed = hexToBytes("42".repeat(32));

  test("the words of a second do not depend on earlier draws", () => {
    const a = new RandomDraws(seed);
    const b = new RandomDraws(seed);
    a.seek("second", 5);
    for (let i = 0; i < 100; i += 1) a.word();
    a.seek("second", 6);
    b.seek("second", 6);
    expect(Array.from({ length: 40 }, () => a.word())).toEqual(
      Array.from({ length: 40 }, () => b.word()),
    );
  });

  test("each purpose, second and part has its own words", () => {
    const draws = new RandomDraws(seed);
    const firsts = new Set<number>();
    for (const purpose of ["second", "coarse", "book"] as const) {
      for (const second of [1, 2, 2 ** 32 + 1]) {
        for (const part of [0, 1]) {
          draws.seek(purpose, second, part);
          firsts.add(draws.word());
        }
      }
    }
    expect(firsts.size).toBe(18);
  });

  test("normal and noise have mean zero and standard deviation one", () => {
    const draws = new RandomDraws(seed);
    draws.seek("second", 1);
    for (const draw of [() => draws.normal(), () => draws.noise()]) {
      const values = Array.from({ length: 100_000 }, draw);
      const mean = values.reduce((a, b) => a + b) / values.length;
      const square = values.reduce((a, b) => a + b * b, 0) / values.length;
      expect(Math.abs(mean)).toBeLessThan(0.012);
      expect(Math.abs(square - 1)).toBeLessThan(0.02);
    }
  });

  test("a seed of the wrong length is refused", () => {
    expect(() => new RandomDraws(new Uint8Array(31))).toThrow(RangeError);
  });
});
