import { join } from "node:path";
import staticFiles from "@fastify/static";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { sendApiError } from "#server/platform/http/errors.ts";

/** The built web app, for whoever serves it. */
export interface Pages {
  directory: string;
  /** First segments of the addresses that the web app draws a screen for. */
  screens: ReadonlySet<string>;
}

/** What the server itself answers under; nothing there is a screen. */
const ownPaths = /^\/(api|log|ws|assets|operator\/assets)(\/|$)/;

/**
 * The console's addresses: one page of a bundle of its own, which says itself what is not there.
 */
const consolePaths = /^\/operator(\/|$)/;

/**
 * Serves the built web app: hashed assets for a year, everything else asked for anew each time; any
 * address without a file of its own gets the app's page, with 404 when no screen has that address.
 * `/` leads to `/home`.
 */
export async function servePages(app: App, { directory, screens }: Pages): Promise<void> {
  await app.register(staticFiles, {
    root: directory,
    index: false,
    wildcard: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = ["assets", "operator/assets"].some((folder) =>
        path.startsWith(join(directory, folder)),
      );
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.get("/", (request, reply) => {
    const query = request.url.indexOf("?");
    return reply.redirect(`/home${query < 0 ? "" : request.url.slice(query)}`, 302);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0]!;
    const isPage = request.method === "GET" || request.method === "HEAD";
    if (!isPage || ownPaths.test(path) || /\.[a-z0-9]+$/i.test(path)) {
      return sendApiError(app.platform, request, reply, new ApiError("request.not_found"));
    }
    if (consolePaths.test(path)) return reply.sendFile("operator/index.html");
    const known = screens.has(path.split("/")[1] ?? "");
    return reply.code(known ? 200 : 404).sendFile("index.html");
  });
}
