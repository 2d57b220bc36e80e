import { calls } from "#api/calls.ts";
import { pageFileAt, screens } from "#core/screens/screens.ts";
import { measureRequests, type ProcessRegistry } from "#server/app/metrics.ts";
import type { World } from "#server/app/modules.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import { describeApi } from "#server/platform/http/openapi.ts";
import { createStream } from "#server/platform/http/stream.ts";

/** First path segments for which the web app has a screen. */
export const screenRoots = new Set(screens.map(({ path }) => path.split("/")[1] ?? ""));

/**
 * Creates the web server with every domain's routes, the stream, and the built pages in `pages`
 * (null: none). `onRoute` is called for each route, with its limit of time. Requests
 * are counted in `metrics`, if given.
 */
export async function createApp(
  ctx: AppContext,
  world: World,
  pages: string | null,
  onRoute: (method: string, path: string, limitMs: number | null) => void = () => {},
  metrics: ProcessRegistry | null = null,
): Promise<App> {
  const { resolve, recordUse } = world.services.session;
  const app = await createHttpApp(
    ctx,
    resolve,
    pages === null
      ? null
      : { directory: pages, screens: screenRoots, fileAt: pageFileAt, startPath: "/home" },
  );
  if (metrics) measureRequests(app, metrics);
  app.addHook("onRoute", ({ method, url, handlerTimeout }) => {
    for (const methods of [method].flat()) onRoute(methods, url, handlerTimeout ?? null);
  });
  world.connect(await createStream(app, ctx.bus, recordUse));
  world.mount(app);
  let description: string | null = null;
  app.get("/api/openapi.json", (_request, reply) => {
    description ??= JSON.stringify(describeApi(calls, world.version, ctx.config.sessionCookie));
    return reply.type("application/json; charset=utf-8").send(description);
  });
  await app.ready();
  return app;
}
