import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { sendDownload } from "#server/platform/http/download.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { timeLimits } from "#server/platform/http/limits/timeLimits.ts";
import { route } from "#server/platform/http/route.ts";
import { mountUpload } from "#server/platform/http/upload.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";
import { uploadLimits } from "./uploadLimits.ts";

/** Clients that stop sending or reading, on a real connection. */
const send = defineCall({
  method: "POST",
  path: "/api/test/send",
  summary: "Takes a file",
  access: "user",
  upload: { field: "file", types: ["text/plain"], maxBytes: 1_000_000 },
  input: z.object({}),
  answer: z.object({}),
  errors: ["session.required"],
});
let app: App;
let port: number;
/** Resolved when the endless stream is closed. */
const ended = Promise.withResolvers<string>();
beforeAll(async () => {
  const realClock = createSettableClock(testStartMs);
  const config = readConfig({});
  const ctx = { config, realClock, logger: createLogger("silent"), messages: createMessages() };
  const session = { userId: "u", attemptId: "a", expiresAtMs: testStartMs + 1 };
  const mount = (app: App) => {
    const limits = { ...uploadLimits, idleMs: 300 };
    mountUpload(app, send, { tooLarge: "request.too_large", limits }, (scope) =>
      route(scope, send, () => ({})),
    );
    // Ended by the stall, not by the limit of its call or of the whole request.
    const handlerTimeout = timeLimits.file;
    app.get("/api/test/read", { handlerTimeout }, (_request, reply) => {
      const stream = Readable.from(endlessChunks(), { objectMode: false });
      stream.once("close", () => ended.resolve("ended"));
      void sendDownload(reply.type("text/plain"), stream, { stallMs: 300, totalMs: 600_000 });
    });
    app.get("/api/test/slow", (_request, reply) => {
      const stream = Readable.from(slowChunks(), { objectMode: false });
      void sendDownload(reply.type("text/plain"), stream, { stallMs: 300, totalMs: 5_000 });
    });
  };
  app = await createTestApp(ctx, mount, async (token) => ({ sessionId: token, ...session }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

function* endlessChunks() {
  for (;;) yield Buffer.alloc(64 * 1024, "x");
}

/** The server takes longer than a reader may stall. */
async function* slowChunks() {
  for (let part = 0; part < 4; part += 1) {
    yield Buffer.from(`part ${part}\n`);
    await sleep(400);
  }
}

const boundary = "----slow";
const fileHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`;
const head = (length: number) =>
  [
    `POST ${send.path} HTTP/1.1`,
    "host: 127.0.0.1",
    "token: t",
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${length}`,
    "\r\n",
  ].join("\r\n");

function openSocket(): { socket: Socket; closed: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  return { socket, closed: new Promise((resolve) => socket.on("close", () => resolve(text))) };
}

describe("slow clients", () => {
  test("a client that stops sending is answered with 408 and disconnected", async () => {
    const { socket, closed } = openSocket();
    socket.write(head(500_000) + fileHead + "x".repeat(1_000));
    const text = await closed;
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"request.too_slow"');
  });

  test("a client that sends in pieces with pauses stays connected", async () => {
    const { socket, closed } = openSocket();
    const rest = `\r\n--${boundary}--\r\n`;
    const piece = "x".repeat(60_000);
    socket.write(`${head(fileHead.length + 4 * piece.length + rest.length)}${fileHead}`);
    for (let n = 0; n < 4; n += 1) {
      await sleep(150);
      socket.write(piece);
    }
    socket.write(rest);
    await sleep(200);
    socket.end();
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("a client that stops reading ends its stream", async () => {
    const { socket, closed } = openSocket();
    socket.pause();
    socket.write("GET /api/test/read HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: t\r\n\r\n");
    const isOver = await Promise.race([ended.promise, sleep(8_000, "still open")]);
    expect(isOver).toBe("ended");
    socket.resume();
    await closed;
  });

  test("a client receives a stream that is written slowly", async () => {
    const { socket, closed } = openSocket();
    socket.write(
      "GET /api/test/slow HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: t\r\nconnection: close\r\n\r\n",
    );
    expect(await closed).toContain("part 3");
  });
});
