import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { timeLimits } from "#server/platform/http/limits/timeLimits.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const shape = {
  method: "POST",
  summary: "Answers when it is told to",
  access: "public",
  input: z.object({}),
  answer: z.object({}),
  errors: [],
} as const;
const wait = defineCall({ ...shape, path: "/api/test/wait" });
const file = defineCall({ ...shape, path: "/api/test/file", file: ["text/csv"] });
const streamed = defineCall({ ...shape, path: "/api/test/streamed", file: ["text/csv"] });
const upload = defineCall({
  ...shape,
  path: "/api/test/upload",
  upload: { field: "image", types: ["image/webp"], maxBytes: 1 },
});

let app: App;
/** The contents of a file that is written while it is read. */
let contents: PassThrough;
/** Lets the handlers that wait go on. */
let goOn = Promise.withResolvers<void>();
beforeAll(async () => {
  const ctx = {
    config: readConfig({}),
    realClock: createSettableClock(testStartMs),
    logger: createLogger("silent"),
    messages: createMessages(),
  };
  const neverResolved = new Promise<null>(() => {});
  app = await createTestApp(
    ctx,
    (app) => {
      for (const call of [wait, file, upload]) {
        route(app, call, async () => {
          await goOn.promise;
          return {};
        });
      }
      fileRoute(app, streamed, async () => {
        await goOn.promise;
        return new FileAnswer("all.csv", "text/csv", contents);
      });
    },
    (token) => (token === "stuck" ? neverResolved : Promise.resolve(null)),
  );
});
afterAll(() => app.close());
beforeEach(() => {
  contents = new PassThrough();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  goOn.resolve();
  goOn = Promise.withResolvers();
});

/** Sends a request, and returns a function that returns its answer `ms` after it was sent. */
async function send(path: string, headers: Record<string, string> = {}) {
  let answer: { statusCode: number; json(): { error?: string; msg: string } } | null = null;
  const request = app.inject({ method: "POST", url: path, headers }).then((response) => {
    answer = response;
    return response;
  });
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  let passedMs = 0;
  return {
    sent: request,
    answerAt: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms - passedMs);
      passedMs = ms;
      await new Promise(setImmediate);
      return answer;
    },
  };
}

describe("a request that exceeds its time limit is refused", () => {
  test.each<[string, string, Record<string, string>, number]>([
    ["a call after 10 s", wait.path, {}, 10_000],
    ["a call whose session cannot be looked up after 10 s", wait.path, { token: "stuck" }, 10_000],
    ["a call with a picture after 4 min", upload.path, {}, 240_000],
    ["a file after 10 min", file.path, {}, 600_000],
  ])("%s", async (_title, path, headers, limitMs) => {
    const { sent, answerAt } = await send(path, headers);
    expect(await answerAt(limitMs - 1)).toBeNull();
    await answerAt(limitMs);
    const answer = await sent;
    expect([answer.statusCode, answer.json().error]).toEqual([503, "server.unavailable"]);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json().msg).not.toBe("server.unavailable");
  });

  test("a late answer of a refused call's handler is discarded", async () => {
    const { sent, answerAt } = await send(wait.path);
    await answerAt(10_000);
    expect((await sent).statusCode).toBe(503);
    goOn.resolve();
    await answerAt(10_001);
    const anotherAnswer = await app.inject({ method: "POST", url: wait.path });
    expect(anotherAnswer.statusCode).toBe(200);
  });
});

describe("a streamed file", () => {
  test("a streamed file is sent whole even if it takes longer than a call", async () => {
    goOn.resolve();
    const { sent, answerAt } = await send(streamed.path);
    contents.write("first\n");
    await answerAt(timeLimits.call + 1);
    expect(await answerAt(timeLimits.file - 1)).toBeNull();
    contents.end("last\n");
    const answer = await sent;
    expect([answer.statusCode, answer.body]).toEqual([200, "first\nlast\n"]);
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="all.csv"');
  });

  test("a stream that starts after its call was refused is destroyed", async () => {
    const { sent, answerAt } = await send(streamed.path);
    await answerAt(timeLimits.file);
    expect((await sent).statusCode).toBe(503);
    const closed = new Promise((resolve) => contents.once("close", resolve));
    goOn.resolve();
    await closed;
    expect(contents.destroyed).toBe(true);
  });
});
