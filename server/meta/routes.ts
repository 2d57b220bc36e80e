import { getConfig, getHealth, getTerms, reportError } from "#api/meta.ts";
import type { Meta } from "#server/meta/meta.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { socketUrlFor } from "#server/platform/http/headers.ts";
import { createRateLimit } from "#server/platform/http/rateLimit.ts";
import { route } from "#server/platform/http/route.ts";

/** Error reports per minute and network address, so that a page in a loop cannot fill the table. */
const reportsPerMinute = 10;

export function metaRoutes(app: App, index: Meta): void {
  const { ctx } = app.platform;
  const reports = createRateLimit(
    { perSecond: reportsPerMinute / 60, burst: reportsPerMinute },
    ctx.realClock,
  );
  route(app, getConfig, async (_input, context) => ({
    ...(await index.config(socketUrlFor(context, ctx.config))),
    signed_in: context.session !== null,
  }));
  route(app, getTerms, (_input, { language }) => {
    const { version, title, paragraphs } = index.terms(language);
    return { version, title, paragraphs };
  });
  route(app, reportError, async (error, { ip }) => {
    const waitSeconds = reports.take(ip);
    if (waitSeconds !== null)
      throw new ApiError("request.too_many", { retry_after_seconds: waitSeconds });
    await index.reportError(error);
    return {};
  });
  route(app, getHealth, async () => {
    const health = await index.health();
    if (health.ready) return health;
    const notes = Object.entries(health.parts).map(([name, { note }]) => [name, note]);
    throw new ApiError("server.unavailable", {
      retry_after_seconds: 5,
      ...Object.fromEntries(notes),
    });
  });
}
