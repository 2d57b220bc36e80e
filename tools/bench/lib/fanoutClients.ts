/**
 * The reading side of tools/bench/fanout.ts: many sockets that count text frames of a known length,
 * over plain TCP, since CPU they use is taken from the measured server.
 */
import { connect } from "node:net";

const [port, count, from, messages, bytes] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
  number,
];
const perAddress = 100;
const connectingAtOnce = 100;
let finished = 0;

/** Resolves once the socket is upgraded; counts complete messages from then on. */
function open(number: number): Promise<void> {
  const address = Math.floor(number / perAddress);
  const localAddress = `127.0.${1 + Math.floor(address / 200)}.${1 + (address % 200)}`;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    let head = "";
    let upgraded = false;
    let messageCount = 0;
    const frames = new FrameCounter();
    socket.write(
      `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ZHJ5ZG9jayBwcmFjdGljZQ==\r\n\r\n`,
    );
    socket.on("data", (chunk: Buffer) => {
      let remaining = chunk;
      if (!upgraded) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!head.startsWith("HTTP/1.1 101")) return reject(new Error(head.slice(0, 200)));
        upgraded = true;
        remaining = Buffer.from(head.slice(end + 4), "latin1");
        resolve();
      }
      messageCount += frames.count(remaining);
      if (messageCount !== messages) return;
      messageCount = Number.NEGATIVE_INFINITY;
      finished += 1;
      if (finished === count) process.send?.({ finished });
    });
    socket.on("error", reject);
  });
}

/** Counts text frames of `bytes` in a fragmented stream; skips other frames (a ping). */
class FrameCounter {
  #remaining = 0;
  #header = Buffer.alloc(0);

  count(chunk: Buffer): number {
    let wholeFrames = 0;
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#remaining > 0) {
        const step = Math.min(this.#remaining, chunk.length - offset);
        this.#remaining -= step;
        offset += step;
        continue;
      }
      const header = this.#header.length
        ? Buffer.concat([this.#header, chunk.subarray(offset)])
        : chunk.subarray(offset);
      const isShort = header.length > 1 && header[1]! < 126;
      const headerBytes = header.length < 2 ? 2 : isShort ? 2 : 4;
      if (header.length < headerBytes) {
        this.#header = Buffer.from(header);
        return wholeFrames;
      }
      const length = isShort ? header[1]! : header.readUInt16BE(2);
      offset += headerBytes - this.#header.length;
      this.#header = Buffer.alloc(0);
      this.#remaining = length;
      if (length === bytes && (header[0]! & 15) === 1) wholeFrames += 1;
    }
    return wholeFrames;
  }
}

process.on("disconnect", () => process.exit(0));
let next = 0;
const connecting = async () => {
  while (next < count) await open(from + next++);
};
await Promise.all(Array.from({ length: connectingAtOnce }, connecting));
process.send?.({ connected: count });
