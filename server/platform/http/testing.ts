import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { route } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";
import { createLogger } from "#server/platform/logger.ts";
import type { SecurityEvent } from "#server/platform/securityLog.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const echo = defineCall({
  method: "POST",
  path: "/api/test/echo",
  summary: "Says back what it got",
  access: "public",
  input: z.object({
    word: z.string().check(z.maxLength(8)),
    count: z._default(z.coerce.number().check(z.int()), 1),
  }),
  answer: z.object({ word: z.string(), count: z.int() }),
  errors: [],
});
export const ownCall = defineCall({
  method: "GET",
  path: "/api/test/mine",
  summary: "Whose session this is",
  access: "user",
  input: z.object({}),
  answer: z.object({ user_id: z.string() }),
  errors: ["session.required"],
});
export const fail = defineCall({
  method: "GET",
  path: "/api/test/fail",
  summary: "Fails in the way it is asked to",
  access: "public",
  input: z.object({ how: z.string() }),
  answer: z.object({}),
  errors: [],
});

const alice: Session = {
  sessionId: "s1",
  userId: "u1",
  attemptId: "a1",
  expiresAtMs: testStartMs + 1,
};
const config = readConfig({
  PUBLIC_URL: "https://practice.example.org",
  OPERATOR_NAME: "Harbour club",
  OPERATOR_CONTACT: "desk@example.org",
  TRUST_PROXY: "10.0.0.0/8, fd00::1",
});

/** The web server with three calls, in which "good" and "also good" are tokens of one person. */
export async function createHttpWorld() {
  /** Tokens that were looked up. */
  const lookedUp: string[] = [];
  const events: SecurityEvent[] = [];
  const clock = createSettableClock(testStartMs);
  const ctx = {
    config,
    realClock: clock,
    logger: createLogger("silent"),
    securityLog: {
      note: (event: SecurityEvent) => void events.push(event),
      writeDue() {},
      flush() {},
    },
    messages: createMessages(),
  };
  const app = await createTestApp(
    ctx,
    (app) => {
      route(app, echo, ({ word, count }, context) => {
        context.setCookie("w1Token", "abc", { path: "/", httpOnly: true, sameSite: "lax" });
        context.message("request.not_found");
        return { word, count };
      });
      route(app, ownCall, (_input, { session }) => ({ user_id: session.userId }));
      route(app, fail, ({ how }) => {
        if (how === "refusal") throw new ApiError("contracts.no_price");
        throw Object.assign(new Error("secret detail"), how === "error" ? {} : { code: how });
      });
    },
    async (token) => {
      lookedUp.push(token);
      if (token === "good") return alice;
      return token === "also good" ? { ...alice, sessionId: "s2" } : null;
    },
  );
  return {
    app,
    ctx,
    clock,
    events,
    lookedUp,
    post: (payload: unknown, headers: Record<string, string> = {}) =>
      app.inject({ method: "POST", url: echo.path, payload: payload as object, headers }),
    /** So many requests from one address; returns how many of them were answered. */
    many: async (count: number, request: Record<string, unknown>) => {
      let answerCount = 0;
      for (let number = 0; number < count; number += 1) {
        if ((await app.inject(request)).statusCode !== 429) answerCount += 1;
      }
      return answerCount;
    },
  };
}

export type HttpWorld = Awaited<ReturnType<typeof createHttpWorld>>;
