import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { timeLimits } from "#server/platform/http/limits/timeLimits.ts";

/** Real milliseconds. */
export interface DownloadLimits {
  /** How long the reader may take nothing while something waits for them. */
  stallMs: number;
  /** How long all of it may take. */
  totalMs: number;
}

const downloadLimits: DownloadLimits = { stallMs: 30_000, totalMs: timeLimits.file };

/**
 * Returned instead of an envelope by a call with `file`: bytes, or a stream that is sent as it is
 * read. Always an attachment, never rendered as one of our pages, however its URL is opened.
 */
export class FileAnswer {
  readonly name: string;
  readonly type: string;
  readonly contents: Readable | Buffer | string;

  constructor(name: string, type: string, contents: Readable | Buffer | string) {
    this.name = name;
    this.type = type;
    this.contents = contents;
  }

  /** For one that is refused after it was made: its stream will not be read. */
  discard(): void {
    const { contents } = this;
    if (typeof contents !== "string" && !Buffer.isBuffer(contents)) contents.destroy();
  }

  send(reply: FastifyReply): FastifyReply {
    const { name, type, contents } = this;
    void reply.header("content-disposition", `attachment; filename="${name}"`).type(type);
    const isWhole = typeof contents === "string" || Buffer.isBuffer(contents);
    return isWhole ? reply.send(contents) : sendDownload(reply, contents);
  }
}

/**
 * Sends a stream of any length as an answer, and ends both when its reader stops reading or takes
 * too long: a file that is written while it is read would keep its place forever. Time in which
 * the server has nothing to send does not count as a stall.
 */
export function sendDownload(
  reply: FastifyReply,
  stream: Readable,
  { stallMs, totalMs }: DownloadLimits = downloadLimits,
): FastifyReply {
  const { raw } = reply;
  // Refused because it took too long to begin, or the client hung up: it would never be read.
  if (reply.sent || raw.destroyed) {
    stream.destroy();
    return reply;
  }
  const { socket } = reply.request.raw;
  const sinceMs = performance.now();
  let last = { written: -1, atMs: sinceMs };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // The count of written bytes includes those that the system has not taken yet, and stops
    // growing when the stream is paused for a slow reader.
    const bytesWritten = socket.bytesWritten ?? 0;
    const nothingWaits = raw.writableLength === 0 && (socket.writableLength ?? 0) === 0;
    if (bytesWritten !== last.written || nothingWaits)
      last = { written: bytesWritten, atMs: nowMs };
    if (nowMs - last.atMs < stallMs && nowMs - sinceMs < totalMs) return;
    clearInterval(timer);
    stream.destroy();
    socket.destroy();
  }, stallMs / 10);
  timer.unref();
  raw.once("close", () => {
    clearInterval(timer);
    stream.destroy();
  });
  return reply.send(stream);
}
