import { chacha20 } from "@noble/ciphers/chacha.js";
import { swap32IfBE } from "@noble/ciphers/utils.js";

/**
 * Uses of a seed's words; part of the nonce, so that no word serves twice. Fixed for good: a
 * revealed seed must give the same path in every later version.
 */
const purposes = { second: 1, coarse: 2, book: 3, history: 4 } as const;
export type Purpose = keyof typeof purposes;

/** Words per block of the cipher. */
const blockWords = 16;
/** Blocks of keystream per cipher call, initially and at most. */
const firstBlocks = 4;
const mostBlocks = 64;
const zeros = new Uint8Array(mostBlocks * blockWords * 4);

/**
 * √(8 · (2³² − 1) / 12) and √(4 · (2³² − 1) / 12): the standard deviations of the sums of 16-bit
 * uniforms.
 */
const eightDeviation = 53509.92;
const fourDeviation = 37837.23;

/**
 * Random numbers from a 32-byte seed: the words of ChaCha20 (RFC 8439) keyed by the seed. A cipher
 * rather than a fast generator, because its output becomes public second by second: prices must not
 * reveal the state, and with it the rest of the day. `seek` selects the words of one purpose,
 * second and part, so each second's draws are independent of how many were taken before.
 */
export class RandomDraws {
  readonly #seed: Uint8Array;
  /** Purpose, second and part, as little-endian words: the cipher's nonce. */
  readonly #nonce = new Uint32Array(3);
  readonly #nonceBytes = new Uint8Array(this.#nonce.buffer);
  #chunk = new Uint8Array(firstBlocks * blockWords * 4);
  #words = new Uint32Array(this.#chunk.buffer);
  #next = this.#words.length;
  #counter = 0;

  constructor(seed: Uint8Array) {
    if (seed.length !== 32) throw new RangeError("a seed must be 32 bytes");
    this.#seed = seed.slice();
  }

  /**
   * `second` is world time in whole seconds (below 2⁴⁰); `part` (below 2²⁴) is the venue and symbol
   * of a book, else 0.
   */
  seek(purpose: Purpose, second: number, part = 0): void {
    this.#fitChunk();
    this.#nonce[0] = purposes[purpose];
    this.#nonce[1] = second;
    this.#nonce[2] = part * 256 + Math.floor(second / 4294967296);
    swap32IfBE(this.#nonce);
    this.#counter = 0;
    this.#next = this.#words.length;
  }

  /** The next 32-bit word. */
  word(): number {
    if (this.#next === this.#words.length) this.#refill();
    const word = this.#words[this.#next] as number;
    this.#next += 1;
    return word;
  }

  #refill(): void {
    const { length } = this.#chunk;
    chacha20(this.#seed, this.#nonceBytes, zeros.subarray(0, length), this.#chunk, this.#counter);
    swap32IfBE(this.#words);
    this.#counter += this.#words.length / blockWords;
    this.#next = 0;
  }

  /**
   * Sizes the chunk to the last second's use: the next takes as many words, so one cipher call
   * generates exactly those. Most of a second's computing time is spent in the cipher.
   */
  #fitChunk(): void {
    const usedWords = this.#counter * blockWords - (this.#words.length - this.#next);
    const blocks = Math.min(Math.ceil(usedWords / blockWords), mostBlocks);
    if (usedWords <= 0 || blocks * blockWords === this.#words.length) return;
    this.#chunk = new Uint8Array(blocks * blockWords * 4);
    this.#words = new Uint32Array(this.#chunk.buffer);
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.word() / 4294967296;
  }

  /**
   * Approximately standard normal, exactly symmetric: the sum of eight 16-bit uniforms. Takes four
   * words.
   */
  normal(): number {
    return (
      (this.#halves() + this.#halves() + this.#halves() + this.#halves() - 262140) / eightDeviation
    );
  }

  /**
   * A cheaper approximation: four 16-bit uniforms in two words. For venue noise, not for prices.
   */
  noise(): number {
    return (this.#halves() + this.#halves() - 131070) / fourDeviation;
  }

  #halves(): number {
    const word = this.word();
    return (word >>> 16) + (word & 0xffff);
  }
}
