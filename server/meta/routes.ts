import { getConfig, getHealth, getTerms, reportError } from "#api/meta.ts";
import { newTextsPerNetwork } from "#server/meta/errorLog.ts";
import type { Meta } from "#server/meta/meta.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { getSocketUrl } from "#server/platform/http/headers.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";
import { route } from "#server/platform/http/route.ts";

/**
 * Error reports of a network: enough for a class whose pages all fail together, but not for a page
 * in a loop or a program that would use up everyone's hourly quota.
 */
const reportsOfNetwork = { perSecond: 100 / 3600, burst: 100 };
/** Reports per network that are stored even when others have used up the hour. */
const shareOfNetwork = { perSecond: newTextsPerNetwork / 3600, burst: newTextsPerNetwork };

export function metaRoutes(app: App, index: Meta): void {
  const { ctx } = app.platform;
  const reports = createRateLimit(reportsOfNetwork, ctx.realClock);
  const shares = createRateLimit(shareOfNetwork, ctx.realClock);
  route(app, getConfig, async (_input, context) => ({
    ...(await index.config(getSocketUrl(context, ctx.config))),
    signed_in: context.session !== null,
  }));
  route(app, getTerms, (_input, { language }) => {
    const { version, title, paragraphs } = index.terms(language);
    return { version, title, paragraphs };
  });
  route(app, reportError, async (error, { ip }) => {
    const network = toNetwork(ip);
    reports.require(network, "network_reports");
    await index.reportError(error, shares.take(network) === null);
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
