import type { AppContext } from "#server/platform/context.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import type { SessionResolver } from "#server/platform/http/session.ts";

/**
 * An app with the routes that `mount` adds, for `app.inject`. Without a resolver nobody is signed
 * in. Close it in `afterAll`.
 */
export async function createTestApp(
  ctx: Pick<AppContext, "config" | "realClock" | "logger" | "messages">,
  mount: (app: App) => void | Promise<void>,
  resolveSession: SessionResolver = async () => null,
): Promise<App> {
  const app = await createHttpApp(ctx, resolveSession);
  await mount(app);
  await app.ready();
  return app;
}
