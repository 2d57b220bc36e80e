/**
 * Integers in the compact leaves: unsigned LEB128 in its shortest form, with zigzag for signed
 * values.
 */

/** A value takes at most 10 bytes; the reader refuses longer ones. */
const varintBytesMax = 10;

/** Collects the bytes of a leaf. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  /** Appends bytes unchanged. */
  raw(bytes: Iterable<number>): void {
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** Writes a non-negative integer below 2^64. Throws a RangeError otherwise. */
  uint(value: bigint | number): void {
    let remaining = BigInt(value);
    if (remaining < 0n || remaining >= 1n << 64n)
      throw new RangeError(`${value} does not fit a varint`);
    while (remaining >= 0x80n) {
      this.#bytes.push(Number(remaining & 0x7fn) | 0x80);
      remaining >>= 7n;
    }
    this.#bytes.push(Number(remaining));
  }

  /** Writes a signed 63-bit integer: 0, −1, 1, −2 … become 0, 1, 2, 3 … */
  int(value: bigint): void {
    this.uint(value < 0n ? -value * 2n - 1n : value * 2n);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

export type ReadError =
  | "leaf_truncated"
  | "leaf_trailing_bytes"
  | "leaf_varint_malformed"
  | "leaf_version_unknown"
  | "leaf_kind_wrong"
  | "leaf_not_practice"
  | "leaf_world_wrong"
  | "leaf_value_invalid";

/** Carries a named reason out of nested reads; `tryDecode` turns it into a return value. */
export class LeafReadError extends Error {
  readonly reason: ReadError;

  constructor(reason: ReadError) {
    super(reason);
    this.name = "LeafReadError";
    this.reason = reason;
  }
}

/** Reads the bytes of a leaf and refuses anything the writer would not have written. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new LeafReadError("leaf_truncated");
    this.#at += 1;
    return byte;
  }

  raw(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new LeafReadError("leaf_truncated");
    this.#at += count;
    return this.#bytes.slice(this.#at - count, this.#at);
  }

  uint(): bigint {
    let value = 0n;
    for (let count = 0; count < varintBytesMax; count += 1) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte >= 0x80) continue;
      // A final zero byte would be a longer encoding of the same number.
      if ((byte === 0 && count > 0) || value >= 1n << 64n) break;
      return value;
    }
    throw new LeafReadError("leaf_varint_malformed");
  }

  int(): bigint {
    const value = this.uint();
    return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
  }

  /** Reads a count of at most `maximum`. */
  count(maximum: number): number {
    const value = this.uint();
    if (value > BigInt(maximum)) throw new LeafReadError("leaf_value_invalid");
    return Number(value);
  }

  rest(): Uint8Array {
    return this.raw(this.#bytes.length - this.#at);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new LeafReadError("leaf_trailing_bytes");
  }
}

export type Decoded<Value> = { ok: true; value: Value } | { ok: false; error: ReadError };

/** Runs a reader and turns its named reasons into a return value. */
export function tryDecode<Value>(decode: () => Value): Decoded<Value> {
  try {
    return { ok: true, value: decode() };
  } catch (error) {
    if (error instanceof LeafReadError) return { ok: false, error: error.reason };
    throw error;
  }
}
