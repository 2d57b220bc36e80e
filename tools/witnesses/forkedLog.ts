import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { concatBytes } from "#core/transparency-log/bytes.ts";
import {
  checkpointText,
  parseCheckpoint,
  signNote,
  splitNote,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import {
  decodeBundle,
  encodeBundle,
  parseTilePath,
  tilePath,
  tileWidth,
  tileWidthAt,
} from "#core/transparency-log/tile.ts";
import type { LogSigner } from "#server/transparency-log/keys.ts";

/**
 * A proxy in front of an instance that can show its readers a split view, as an operator who holds
 * the log's key could: from a chosen leaf on a different history, signed with that key.
 */
export class ForkedLog {
  readonly #base: string;
  readonly #signer: LogSigner;
  #server: Server | null = null;
  #entries: Uint8Array[] = [];
  #hashes: Uint8Array[] = [];
  /** The first leaf that differs; null while the proxy passes everything on unchanged. */
  #from: number | null = null;

  constructor(base: string, signer: LogSigner) {
    this.#base = base;
    this.#signer = signer;
  }

  /** Listens on a loopback port; resolves with its address. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      void this.#answer(request)
        .catch(() => ({ status: 502, type: "text/plain", body: new Uint8Array() }))
        .then(({ status, type, body }) =>
          response.writeHead(status, { "content-type": type }).end(body),
        );
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Serves a different leaf at `from`, and so a different tree, from now on. */
  fork(from: number): void {
    this.#from = from;
    this.#entries = [];
    this.#hashes = [];
  }

  /** Shows the instance's own log again. */
  heal(): void {
    this.#from = null;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? "/";
    if (this.#from === null || !path.startsWith("/log/")) return await this.#pass(path);
    if (path === "/log/checkpoint") return textAnswer(await this.#checkpoint());
    const tile = parseTilePath(path.slice("/log/".length));
    if (!tile) return path === "/log/cosigned" ? notFound : await this.#pass(path);
    if (tileWidthAt(tile.level, tile.index, this.#entries.length) < tile.width) return notFound;
    const first = tile.index * tileWidth;
    if (tile.level === "entries")
      return bytesAnswer(encodeBundle(this.#entries.slice(first, first + tile.width)));
    const leaves = tileWidth ** tile.level;
    const hashes = Array.from({ length: tile.width }, (_, index) =>
      treeRoot(this.#hashes.slice((first + index) * leaves, (first + index + 1) * leaves)),
    );
    return bytesAnswer(concatBytes(...hashes));
  }

  async #pass(path: string): Promise<Answer> {
    const response = await fetch(this.#base + path);
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "application/octet-stream",
      body: new Uint8Array(await response.arrayBuffer()),
    };
  }

  /** The newest tree of the instance with the altered leaf in it, signed with its key. */
  async #checkpoint(): Promise<string> {
    const note = Buffer.from((await this.#pass("/log/checkpoint")).body).toString("utf8");
    const { origin, size } = parseCheckpoint(splitNote(note)!.text)!;
    await this.#readTo(size);
    const root = treeRoot(this.#hashes);
    return signNote(checkpointText({ origin, size: this.#entries.length, root }), [this.#signer]);
  }

  async #readTo(size: number): Promise<void> {
    while (this.#entries.length < size) {
      const index = Math.floor(this.#entries.length / tileWidth);
      const width = tileWidthAt("entries", index, size);
      const { status, body } = await this.#pass(
        `/log/${tilePath({ level: "entries", index, width })}`,
      );
      if (status !== 200) throw new Error(`the instance answered ${status}`);
      for (const entry of decodeBundle(body)!.slice(this.#entries.length - index * tileWidth))
        this.#append(entry);
    }
  }

  #append(entry: Uint8Array): void {
    const stored = this.#entries.length === this.#from ? alterEntry(entry) : entry;
    this.#entries.push(stored);
    this.#hashes.push(leafHash(stored));
  }
}

interface Answer {
  status: number;
  type: string;
  body: Uint8Array;
}

const notFound: Answer = { status: 404, type: "text/plain", body: new Uint8Array() };

const textAnswer = (body: string): Answer => ({
  status: 200,
  type: "text/plain; charset=utf-8",
  body: Buffer.from(body),
});

const bytesAnswer = (body: Uint8Array): Answer => ({
  status: 200,
  type: "application/octet-stream",
  body,
});

function alterEntry(entry: Uint8Array): Uint8Array {
  const stored = entry.slice();
  stored[stored.length - 1]! ^= 1;
  return stored;
}
