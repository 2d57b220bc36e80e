import { Readable } from "node:stream";
import { deleteAccount, getDeletion, getDeletionReceipt, getExport } from "#api/account.ts";
import type { Account } from "#server/account/account.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { createRateLimit } from "#server/platform/http/rateLimit.ts";
import { route } from "#server/platform/http/route.ts";
import { sessionCookie } from "#server/platform/http/session.ts";

/** Archives written concurrently by this process, for all people together. */
const exportsMax = 4;

/** Mounts every call of `api/account.ts`. */
export function accountRoutes(app: App, account: Account): void {
  route(app, getDeletion, (_input, { session, language }) => account.preview(session, language));
  route(app, deleteAccount, async ({ word, pin, receipt_id: receiptId }, context) => {
    const receipt = await account.delete(context.session, { word, pin, receiptId });
    context.setCookie(sessionCookie, null, { path: "/", httpOnly: true, sameSite: "lax" });
    context.message("account.msg.deleted");
    return receipt;
  });
  route(app, getDeletionReceipt, ({ receipt_id: id }) => account.receipt(id));
  mountExport(app, account);
}

/** The archive is streamed: one at a time per person, and one a minute. */
function mountExport(app: App, account: Account): void {
  const limit = createRateLimit({ perSecond: 1 / 60, burst: 1 }, app.platform.ctx.realClock);
  const running = new Set<string>();
  app.get(getExport.path, async (request, reply) => {
    const { session } = request;
    if (!session) throw new ApiError("session.required");
    const { userId } = session;
    if (running.size >= exportsMax) {
      throw new ApiError("server.unavailable", { retry_after_seconds: 10 });
    }
    const waitSeconds = limit.take(userId);
    if (waitSeconds !== null) {
      throw new ApiError("account.export_too_soon", { retry_after_seconds: waitSeconds });
    }
    if (running.has(userId)) throw new ApiError("account.export_running");
    running.add(userId);
    const stream = Readable.from(account.export(userId, request.language), { objectMode: false });
    // However it ends, including a lost connection.
    stream.once("close", () => running.delete(userId));
    return await reply
      .header("content-disposition", 'attachment; filename="drydock-practice-everything.zip"')
      .header("cache-control", "no-store")
      .type("application/zip")
      .send(stream);
  });
}
