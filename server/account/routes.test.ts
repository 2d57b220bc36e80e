import { afterAll, beforeAll, expect, test } from "vitest";
import { getExport } from "#api/account.ts";
import { accountRoutes } from "#server/account/routes.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

/** Archives whose writing ends only when the test releases them. */
const release = Promise.withResolvers<void>();
let ctx: TestContext;
let app: App;
let startCount = 0;
beforeAll(async () => {
  ctx = await createTestContext();
  const notCalled = () => {
    throw new Error("not called here");
  };
  const account = {
    preview: notCalled,
    delete: notCalled,
    receipt: notCalled,
    export: async function* archive() {
      startCount += 1;
      yield new Uint8Array([1]);
      await release.promise;
    },
  };
  app = await createTestApp(
    ctx,
    (app) => accountRoutes(app, account, 500),
    async (userId) => ({ sessionId: userId, userId, attemptId: userId, expiresAtMs: 9e15 }),
  );
});
afterAll(async () => {
  await app.close();
  await ctx.destroy();
});

const exportFor = async (token: string) => {
  const answer = await app.inject({ url: getExport.path, headers: { token } });
  return answer.statusCode === 200 ? "archive" : answer.json().error;
};

test("an export refused for capacity may be retried immediately", async () => {
  const otherAnswers = ["a", "b", "c", "d"].map(exportFor);
  await expect.poll(() => startCount, { timeout: 10_000 }).toBe(4);
  expect(await exportFor("late")).toBe("server.unavailable");
  release.resolve();
  expect(await Promise.all(otherAnswers)).toEqual(Array(4).fill("archive"));
  expect(await exportFor("late")).toBe("archive");
  expect(await exportFor("late")).toBe("account.export_too_soon");
  ctx.realClock.advanceMs(60_000);
  expect(await exportFor("late")).toBe("archive");
});
