import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-pages-"));
let app: App;
beforeAll(async () => {
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Drydock</title>");
  writeFileSync(join(directory, "assets/home-abc123.js"), "export {};");
  writeFileSync(join(directory, "assets/home-abc123.js.gz"), gzipSync("export {};"));
  mkdirSync(join(directory, "pages"));
  writeFileSync(join(directory, "pages/business.html"), "<!doctype html><title>List</title>");
  writeFileSync(join(directory, "pages/business.tier.html"), "<!doctype html><title>Tier</title>");
  mkdirSync(join(directory, "operator/assets"), { recursive: true });
  writeFileSync(join(directory, "operator/index.html"), "<!doctype html><title>Console</title>");
  writeFileSync(join(directory, "operator/assets/main-abc123.js"), "export const own = 1;");
  writeFileSync(join(directory, "sw.js"), "// worker");
  mkdirSync(join(directory, ".git"));
  writeFileSync(join(directory, ".git/HEAD"), "ref: refs/heads/main");
  const ctx = {
    config: readConfig({}),
    realClock: createSettableClock(testStartMs),
    logger: createLogger("silent"),
    securityLog: createSecurityLog(createLogger("silent"), createSettableClock(testStartMs)),
    messages: createMessages(),
  };
  app = await createHttpApp(ctx, async () => null, {
    directory,
    screens: new Set(["home", "business"]),
    fileAt: (path, parameters) =>
      path === "/business"
        ? `pages/business${parameters.map((name) => `.${name}`).join("")}.html`
        : "index.html",
    startPath: "/home",
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each<[string, string, number, RegExp, string | undefined]>([
  ["a screen gets the app's page without caching", "/home", 200, /<!doctype/, "no-cache"],
  [
    "a nested screen gets the app's page",
    "/business/orders?status=over",
    200,
    /<!doctype/,
    "no-cache",
  ],
  ["a screen gets its own page", "/business", 200, /List/, "no-cache"],
  ["a screen's page depends on its query", "/business?tier=60", 200, /Tier/, "no-cache"],
  ["an unknown address gets the app's page with 404", "/casino", 404, /<!doctype/, "no-cache"],
  [
    "a hashed file is cached for a year",
    "/assets/home-abc123.js",
    200,
    /export/,
    "public, max-age=31536000, immutable",
  ],
  ["the console gets its own page", "/operator", 200, /Console/, "no-cache"],
  [
    "a nested address of the console gets the console's page",
    "/operator/audit?page=2",
    200,
    /Console/,
    "no-cache",
  ],
  [
    "a hashed file of the console is cached for a year",
    "/operator/assets/main-abc123.js",
    200,
    /own/,
    "public, max-age=31536000, immutable",
  ],
  [
    "a missing file of the console gets no page",
    "/operator/assets/gone",
    404,
    /request.not_found/,
    undefined,
  ],
  [
    "a name that starts like the console's gets the app's page",
    "/operators",
    404,
    /Drydock/,
    "no-cache",
  ],
  ["an unhashed file is not cached", "/sw.js", 200, /worker/, "no-cache"],
  ["a missing asset gets no page", "/assets/gone-abc.js", 404, /request.not_found/, undefined],
  ["a missing file gets no page", "/robots.txt", 404, /request.not_found/, undefined],
  ["a folder has no listing", "/assets/", 404, /request.not_found/, undefined],
  ["a folder with a dot exposes no files", "/.git/HEAD", 404, /Drydock/, "no-cache"],
  ["a missing call gets no page", "/api/none", 404, /request.not_found/, "no-store"],
  [
    "a path traversal gets no file",
    "/assets/..%2f..%2fpackage.json",
    404,
    /request.not_found/,
    undefined,
  ],
  ["a path with a NUL is refused", "/home%00", 404, /request.not_found/, undefined],
])("%s", async (_title, url, status, body, cached) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toMatch(body);
  expect(answer.headers["cache-control"]).toBe(cached);
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
});

test("/ redirects to /home and keeps the invite code", async () => {
  const answer = await app.inject({ url: "/?invite=tug" });
  expect([answer.statusCode, answer.headers.location]).toEqual([302, "/home?invite=tug"]);
});

test("a file compressed by the build is sent unchanged", async () => {
  const headers = { "accept-encoding": "gzip" };
  const answer = await app.inject({ url: "/assets/home-abc123.js", headers });
  expect(answer.headers["content-encoding"]).toBe("gzip");
  expect(answer.headers["content-type"]).toMatch(/javascript/);
  expect(answer.rawPayload).toEqual(gzipSync("export {};"));
});

test("every page, call and file excludes search engines", async () => {
  for (const url of ["/home", "/api/health", "/assets/home-abc123.js", "/nowhere"]) {
    const { headers } = await app.inject({ url, headers: { host: "localhost" } });
    expect(headers["x-robots-tag"], url).toBe("noindex, nofollow");
  }
});
