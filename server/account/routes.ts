import { Readable } from "node:stream";
import { deleteAccount, getDeletion, getDeletionReceipt, getExport } from "#api/account.ts";
import type { Account } from "#server/account/account.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import { sessionCookieOptions } from "#server/platform/http/session.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";

/** Archives that this process writes concurrently, and how long further ones wait for a slot. */
const exportsMax = 4;
const exportWaitMs = 10_000;

/** Mounts every call of `api/account.ts`. Only tests give another `waitMs`. */
export function accountRoutes(
  app: App,
  account: Pick<Account, "preview" | "delete" | "receipt" | "export">,
  waitMs = exportWaitMs,
): void {
  route(app, getDeletion, (_input, { session, language }) => account.preview(session, language));
  route(app, deleteAccount, async ({ word, pin, receipt_id: receiptId }, context) => {
    const receipt = await account.delete(context.session, { word, pin, receiptId });
    const { sessionCookie } = app.platform.ctx.config;
    context.setCookie(sessionCookie, null, sessionCookieOptions(context));
    context.clearCache();
    context.message("personal-data.msg.deleted");
    return receipt;
  });
  route(app, getDeletionReceipt, ({ receipt_id: id }) => account.receipt(id));
  mountExport(app, account, waitMs);
}

/** The archive is streamed: one at a time per person, and one a minute. */
function mountExport(app: App, account: Pick<Account, "export">, waitMs: number): void {
  const limit = createRateLimit({ perSecond: 1 / 60, burst: 1 }, app.platform.ctx.realClock);
  const running = new Set<string>();
  const slots = createSemaphore(exportsMax, waitMs);
  /**
   * Takes a slot before the minute's token, so that a person who found no slot can retry
   * immediately.
   */
  const enter = async (userId: string) => {
    const release = await slots.take();
    try {
      const waitSeconds = limit.take(userId);
      if (waitSeconds !== null) {
        throw new ApiError("account.export_too_soon", { retry_after_seconds: waitSeconds });
      }
      if (running.has(userId)) throw new ApiError("account.export_running");
    } catch (error) {
      release();
      throw error;
    }
    running.add(userId);
    return () => {
      running.delete(userId);
      release();
    };
  };
  fileRoute(app, getExport, async (_input, { session: { userId }, language }) => {
    const leave = await enter(userId);
    const stream = Readable.from(account.export(userId, language), { objectMode: false });
    // However it ends, including a lost connection.
    stream.once("close", leave);
    return new FileAnswer("drydock-practice-everything.zip", "application/zip", stream);
  });
}
