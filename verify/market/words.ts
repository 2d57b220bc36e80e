import { createCipheriv } from "node:crypto";

/** "Words" of docs/formats/simulator.md. */

export const purposes = { second: 1, coarse: 2 } as const;

/** The words of one purpose, second and part of a day's seed. */
export class RandomWords {
  private readonly key: Uint8Array;
  private nonce = Buffer.alloc(16);
  private block = Buffer.alloc(0);
  private counter = 0;
  private at = 0;

  constructor(seed: Uint8Array) {
    this.key = seed;
  }

  start(purpose: keyof typeof purposes, second: number, part = 0): void {
    this.nonce = Buffer.alloc(16);
    this.nonce.writeUInt32LE(purposes[purpose], 4);
    this.nonce.writeUInt32LE(second % 2 ** 32, 8);
    this.nonce.writeUInt32LE(part * 256 + Math.floor(second / 2 ** 32), 12);
    this.counter = 0;
    this.block = Buffer.alloc(0);
    this.at = 0;
  }

  word(): number {
    if (this.at === this.block.length) this.refill();
    this.at += 4;
    return this.block.readUInt32LE(this.at - 4);
  }

  /** OpenSSL's initial vector is the block counter and the nonce of RFC 8439. */
  private refill(): void {
    const blocks = 20;
    this.nonce.writeUInt32LE(this.counter, 0);
    const cipher = createCipheriv("chacha20", this.key, this.nonce);
    this.block = cipher.update(Buffer.alloc(64 * blocks));
    this.counter += blocks;
    this.at = 0;
  }

  uniform(): number {
    return this.word() / 4294967296;
  }

  normal(): number {
    return (this.halves(4) - 262140) / 53509.92;
  }

  noise(): number {
    return (this.halves(2) - 131070) / 37837.23;
  }

  private halves(words: number): number {
    let sum = 0;
    for (let count = 0; count < words; count++) {
      const word = this.word();
      sum += Math.floor(word / 65536) + (word % 65536);
    }
    return sum;
  }
}
