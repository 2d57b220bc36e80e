import { chachaBlock } from "#core/market/simulate/chacha.ts";

/**
 * What the words of a seed are used for; part of the nonce, so that no word serves twice. Fixed for good: a revealed
 * seed must give the same path in every later version.
 */
export const purposes = { second: 1, coarse: 2, book: 3 } as const;
export type Purpose = keyof typeof purposes;

/** √(8 · (2³² − 1) / 12) and √(4 · (2³² − 1) / 12): what the sums of 16-bit uniforms deviate by. */
const eightDeviation = 53509.92;
const fourDeviation = 37837.23;

/**
 * Chance from a 32-byte seed. `seek` goes to the words of one purpose, second and part, which makes each second's
 * draws independent of how many were taken before it.
 */
export class Draws {
  readonly #key: Uint32Array;
  readonly #block = new Uint32Array(16);
  #left = 0;
  #counter = 0;
  #purpose = 0;
  #secondLow = 0;
  #rest = 0;

  constructor(seed: Uint8Array) {
    if (seed.length !== 32) throw new RangeError("a seed has 32 bytes");
    const view = new DataView(seed.buffer, seed.byteOffset, 32);
    this.#key = Uint32Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4, true));
  }

  /** `second` is world time in whole seconds (below 2⁴⁰), `part` below 2²⁴: venue and symbol of a book, else 0. */
  seek(purpose: Purpose, second: number, part = 0): void {
    this.#purpose = purposes[purpose];
    this.#secondLow = second >>> 0;
    this.#rest = (part * 256 + Math.floor(second / 4294967296)) >>> 0;
    this.#counter = 0;
    this.#left = 0;
  }

  /** The next 32-bit word. */
  word(): number {
    if (this.#left === 0) {
      chachaBlock(
        this.#key,
        this.#counter,
        this.#purpose,
        this.#secondLow,
        this.#rest,
        this.#block,
      );
      this.#counter += 1;
      this.#left = 16;
    }
    const word = this.#block[16 - this.#left] as number;
    this.#left -= 1;
    return word;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.word() / 4294967296;
  }

  /** Close to standard normal, exactly symmetric: the sum of eight uniforms of 16 bits. Takes four words. */
  normal(): number {
    return (
      (this.#halves() + this.#halves() + this.#halves() + this.#halves() - 262140) / eightDeviation
    );
  }

  /** A cheaper bell, four uniforms of 16 bits in two words: for what venues add, not for prices. */
  noise(): number {
    return (this.#halves() + this.#halves() - 131070) / fourDeviation;
  }

  #halves(): number {
    const word = this.word();
    return (word >>> 16) + (word & 0xffff);
  }
}
