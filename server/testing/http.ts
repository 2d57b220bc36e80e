import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import type { SessionResolver } from "#server/platform/http/session.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";

type HttpContext = Parameters<typeof createHttpApp>[0];

/**
 * An app with the routes that `mount` adds, for `app.inject`. Without a resolver no one is signed
 * in. Close it in `afterAll`.
 */
export async function createTestApp(
  ctx: Omit<HttpContext, "securityLog"> & Partial<HttpContext>,
  mount: (app: App) => void | Promise<void>,
  resolveSession: SessionResolver = async () => null,
): Promise<App> {
  const securityLog = createSecurityLog(ctx.logger, ctx.realClock);
  const app = await createHttpApp({ securityLog, ...ctx }, resolveSession);
  await mount(app);
  await app.ready();
  return app;
}
