import type { Call } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { createApp } from "#server/app/http.ts";
import { createWorld, type World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { createClient } from "#server/testing/client.ts";
import { createPeople, type People } from "#server/testing/signedIn.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

export interface TestApp {
  ctx: TestContext;
  world: World;
  app: App;
  people: People;
  /** Stops the application and the world, and removes the schema. */
  close: () => Promise<void>;
}

/**
 * Every domain of a world on a fresh schema, with the HTTP application over it. `context` are the
 * options of `createTestContext`; `pages` is the directory of the web app, if any; `onRoute` is
 * called for each mounted route.
 */
export async function createTestApp({
  context,
  pages = null,
  onRoute,
}: {
  context?: Parameters<typeof createTestContext>[0];
  pages?: string | null;
  onRoute?: Parameters<typeof createApp>[3];
} = {}): Promise<TestApp> {
  const ctx = await createTestContext(context);
  const world = await createWorld(ctx);
  await world.prepare();
  const app = await createApp(ctx, world, pages, onRoute);
  const people = createPeople(app, ctx, () => world.services.operator.firstCode());
  const close = async () => {
    await app.close();
    await world.stop();
    await ctx.destroy();
  };
  return { ctx, world, app, people, close };
}

/** A client of an application that is not listening yet. */
export async function listenForClient(app: App): Promise<ReturnType<typeof createClient>> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return createClient({ port: (app.server.address() as { port: number }).port });
}

/** The call at `path`; throws if there is none. */
export function getCall(path: string): Call {
  const call = calls.find((candidate) => candidate.path === path);
  if (!call) throw new Error(`There is no call ${path}.`);
  return call;
}
