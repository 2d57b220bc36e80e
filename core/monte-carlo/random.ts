import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const label = "drydock.monte-carlo/1 ";

/** Draws from 0 to 2³² − 1. */
export type Draw = () => number;

/**
 * The draws of a seed: xoshiro128** (Blackman and Vigna, 2018) whose four words are the first 16
 * bytes, little-endian, of SHA-256 of "drydock.monte-carlo/1 " and the seed. Not for secrets: the
 * same seed must give everyone the same draws.
 */
export function createDraws(seed: string): Draw {
  const bytes = sha256(utf8ToBytes(label + seed));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let [a, b, c, d] = [0, 4, 8, 12].map((offset) => view.getUint32(offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  const rotateLeft = (word: number, by: number) => (word << by) | (word >>> (32 - by));
  return () => {
    const output = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return output;
  };
}

/** One of `count` places from the upper `bits` of a draw, with a bias below `count` / 2^bits. */
export function scaleDraw(upper: number, bits: number, count: number): number {
  return Math.floor((upper * count) / 2 ** bits);
}
