import { relative } from "node:path";
import staticFiles from "@fastify/static";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { sendApiError } from "#server/platform/http/errors.ts";
import { timeLimits } from "#server/platform/http/limits/timeLimits.ts";
import { isHashedFile, isServicePath } from "#server/platform/http/paths.ts";

/** The built web app, for its servers. */
export interface Pages {
  directory: string;
  /** First path segments that the web app has a screen for. */
  screens: ReadonlySet<string>;
  /** The file of the page at an address, by its path and query parameter names. */
  fileAt: (path: string, parameters: readonly string[]) => string;
  /** Where `/` leads. */
  startPath: string;
}

/** The console's paths: a single page in a separate bundle, which shows its own not-found page. */
const consolePaths = /^\/operator(\/|$)/;

/**
 * Serves the built web app: hashed assets cached for a year, everything else revalidated each time.
 * Any path without a file gets the app's page, with 404 if no screen has that path; the page of each
 * screen differs in what it preloads.
 */
export async function servePages(app: App, pages: Pages): Promise<void> {
  const { directory, screens, fileAt, startPath } = pages;
  app.addHook("onRoute", (routeOptions) => {
    if (routeOptions.url === "/*") routeOptions.handlerTimeout = timeLimits.page;
  });
  await app.register(staticFiles, {
    root: directory,
    index: false,
    dotfiles: "ignore",
    wildcard: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = isHashedFile(`/${relative(directory, path)}`);
      reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  app.get("/", (request, reply) => {
    const query = request.url.indexOf("?");
    return reply.redirect(`${startPath}${query < 0 ? "" : request.url.slice(query)}`, 302);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path, query] = request.url.split("?") as [string, string?];
    const isPage = request.method === "GET" || request.method === "HEAD";
    const isOurs = isServicePath(path) || isHashedFile(path);
    if (!isPage || isOurs || /\.[a-z0-9]+$/i.test(path)) {
      return sendApiError(app.platform, request, reply, new ApiError("request.not_found"));
    }
    if (consolePaths.test(path)) return reply.sendFile("operator/index.html");
    const isScreen = screens.has(path.split("/")[1] ?? "");
    const file = fileAt(path, [...new URLSearchParams(query).keys()]);
    return reply.code(isScreen ? 200 : 404).sendFile(file);
  });
}
