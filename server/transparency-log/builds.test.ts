import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { recordOnceBegun } from "./builds.ts";
import { createTransparencyLog, type TransparencyLog } from "./transparencyLog.ts";

let ctx: TestContext;
let transparencyLog: TransparencyLog;
const directories: string[] = [];

beforeAll(async () => {
  ctx = await createTestContext();
  transparencyLog = createTransparencyLog(ctx);
});
afterAll(async () => {
  await ctx.destroy();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function getPages(list: string): string {
  const directory = mkdtempSync(join(tmpdir(), "drydock-pages-"));
  directories.push(directory);
  writeFileSync(join(directory, "build.json"), list);
  return directory;
}
const computeHash = (list: string) => createHash("sha256").update(list).digest("hex");
const newest = async () => {
  const build = await transparencyLog.newestBuild();
  return build && { leaf: build.leaf, list: bytesToHex(build.build.listHash) };
};

test("a build list is logged once by any number of processes, and again on a change", async () => {
  expect(await newest()).toBe(null);
  const [first, second] = [getPages("first"), getPages("second")];
  // The world's leaf is the first: a web service that starts before the feed waits for it.
  expect(await transparencyLog.recordBuild(first, "0.1.0")).toBe(false);
  const record = () => transparencyLog.recordBuild(first, "0.1.0");
  const stops = [1, 2, 3].map(() => recordOnceBegun(record, ctx.logger));
  expect(await transparencyLog.count()).toBe(0);
  await ctx.database.db
    .transaction()
    .execute((tx) => transparencyLog.append(tx, [{ kind: "world", bytes: new Uint8Array() }]));
  while ((await transparencyLog.count()) < 2) await sleep(50);
  await Promise.all(stops.map((stop) => stop()));
  expect(await newest()).toEqual({ leaf: 1, list: computeHash("first") });
  expect(await transparencyLog.count()).toBe(2);
  await transparencyLog.recordBuild(second, "0.2.0");
  await transparencyLog.recordBuild(first, "0.1.0");
  expect(await newest()).toEqual({ leaf: 3, list: computeHash("first") });
});
