import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
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
  const found = await transparencyLog.newestBuild();
  return found && { leaf: found.leaf, list: bytesToHex(found.build.listHash) };
};

test("a build list is logged once by any number of processes, and again on a change", async () => {
  expect(await newest()).toBe(null);
  const [first, second] = [getPages("first"), getPages("second")];
  await Promise.all([1, 2, 3].map(() => transparencyLog.recordBuild(first, "0.1.0")));
  expect(await newest()).toEqual({ leaf: 0, list: computeHash("first") });
  expect(await transparencyLog.count()).toBe(1);
  await transparencyLog.recordBuild(second, "0.2.0");
  await transparencyLog.recordBuild(first, "0.1.0");
  expect(await newest()).toEqual({ leaf: 2, list: computeHash("first") });
});
