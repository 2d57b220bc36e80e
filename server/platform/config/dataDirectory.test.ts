import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";

const root = mkdtempSync(join(tmpdir(), "drydock-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a nested directory is created and locked", () => {
  const path = join(root, "a/b/c");
  const first = lockDataDirectory(path);
  expect(existsSync(join(path, "drydock.lock"))).toBe(true);
  first.release();
  expect(existsSync(join(path, "drydock.lock"))).toBe(false);
});

test("a file in place of the directory is refused", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => lockDataDirectory(join(root, "file"))).toThrow(/cannot be written \(ENOTDIR\)/);
});

test("a directory that cannot be created is refused", (context) => {
  if (!existsSync("/proc/self")) return context.skip("this machine has no /proc");
  expect(() => lockDataDirectory("/proc/drydock")).toThrow(/cannot be written \(ENOENT\)/);
});
