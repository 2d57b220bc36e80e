/** One entry of a tar archive as PostgreSQL writes it. */
export interface TarEntry {
  /** Relative to the cluster, without a trailing slash. */
  path: string;
  kind: "file" | "directory" | "link";
  bytes: number;
}

export interface TarReceiver {
  entry(entry: TarEntry): Promise<void>;
  /** Contents of the most recent file. */
  data(bytes: Buffer): Promise<void>;
  /** The most recent file is complete. */
  end(): Promise<void>;
}

const blockBytes = 512;

/**
 * Incremental reader of a ustar archive (POSIX 1003.1-2008, pax "ustar Interchange Format"). Throws
 * an Error for anything else.
 */
export class TarReader {
  readonly #receiver: TarReceiver;
  #head = Buffer.alloc(0);
  /** Bytes still to come of the current file, and of the zeroes that pad its last block. */
  #left = 0;
  #padding = 0;
  #inFile = false;

  constructor(receiver: TarReceiver) {
    this.#receiver = receiver;
  }

  async push(bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#inFile) rest = await this.#file(rest);
      else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, rest.length);
        this.#padding -= skipped;
        rest = rest.subarray(skipped);
      } else rest = await this.#header(rest);
    }
  }

  /** Call at the end of input. Throws if the archive ends in the middle of something. */
  finish(): void {
    if (this.#inFile || this.#padding > 0 || this.#head.length > 0)
      throw new Error("the archive ends in the middle of a file");
  }

  async #file(bytes: Buffer): Promise<Buffer> {
    const part = bytes.subarray(0, this.#left);
    this.#left -= part.length;
    await this.#receiver.data(part);
    if (this.#left === 0) {
      this.#inFile = false;
      await this.#receiver.end();
    }
    return bytes.subarray(part.length);
  }

  async #header(bytes: Buffer): Promise<Buffer> {
    const missingBytes = blockBytes - this.#head.length;
    this.#head = Buffer.concat([this.#head, bytes.subarray(0, missingBytes)]);
    const rest = bytes.subarray(missingBytes);
    if (this.#head.length < blockBytes) return rest;
    const head = this.#head;
    this.#head = Buffer.alloc(0);
    // Two empty blocks end an archive.
    if (head.every((byte) => byte === 0)) return rest;
    const entry = readHeader(head);
    await this.#receiver.entry(entry);
    if (entry.kind !== "file") return rest;
    this.#left = entry.bytes;
    this.#padding = (blockBytes - (entry.bytes % blockBytes)) % blockBytes;
    this.#inFile = entry.bytes > 0;
    if (!this.#inFile) await this.#receiver.end();
    return rest;
  }
}

function readHeader(head: Buffer): TarEntry {
  const text = (from: number, to: number) =>
    head.toString("utf8", from, to).replace(/\0[\s\S]*$/, "");
  let sum = 0;
  for (const [index, byte] of head.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  if (sum !== Number.parseInt(text(148, 156).trim(), 8)) {
    throw new Error("the archive contains a header with a wrong checksum");
  }
  const prefix = text(345, 500);
  const name = `${prefix ? `${prefix}/` : ""}${text(0, 100)}`;
  const path = name.replace(/^\.\//, "").replace(/\/+$/, "");
  const kinds = { "0": "file", "\0": "file", "5": "directory", "2": "link" } as const;
  const kind = kinds[String.fromCharCode(head[156]!) as keyof typeof kinds];
  if (!kind) throw new Error(`the archive contains ${path}, which is not a file`);
  return { path, kind, bytes: kind === "file" ? readSize(head) : 0 };
}

/** Octal, or base 256 if the first bit is set. */
function readSize(head: Buffer): number {
  if ((head[124]! & 0x80) !== 0) {
    return Number(head.readBigUInt64BE(128));
  }
  const bytes = Number.parseInt(head.toString("latin1", 124, 136).trim().replace(/\0.*$/, ""), 8);
  if (!Number.isSafeInteger(bytes)) throw new Error("the archive contains an invalid size");
  return bytes;
}
