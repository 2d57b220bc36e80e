import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";

const root = mkdtempSync(join(tmpdir(), "drydock-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a directory several levels down is made, and locked once", () => {
  const path = join(root, "a/b/c");
  const first = lockDataDirectory(path);
  expect(existsSync(join(path, "drydock.lock"))).toBe(true);
  first.release();
  expect(existsSync(join(path, "drydock.lock"))).toBe(false);
});

test("a file in the place of the directory is refused in a sentence", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => lockDataDirectory(join(root, "file"))).toThrow(/cannot be written \(ENOTDIR\)/);
});

test("a directory that can be made nowhere is refused at once", (context) => {
  if (!existsSync("/proc/self")) return context.skip("this machine has no /proc");
  expect(() => lockDataDirectory("/proc/drydock")).toThrow(/cannot be written \(ENOENT\)/);
});
