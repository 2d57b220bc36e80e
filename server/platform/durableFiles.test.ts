import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDurably, makeDirectories, writeDurably } from "#server/platform/durableFiles.ts";

/** The calls to the file system, with paths relative to `root` and drafts by one name. */
let calls: string[];
let root: string;
let failingCall: string | null = null;

vi.mock("node:fs/promises", async (load) => {
  const real = await load<typeof import("node:fs/promises")>();
  const toShown = (path: string) => relative(root, path).replace(/\.[0-9a-f]{12}\.part$/, ".part");
  const note = (operation: string, ...paths: string[]) => {
    const line = [operation, ...paths.map((path) => toShown(path) || ".")].join(" ");
    if (line === failingCall) throw new Error(`${line} fails`);
    calls.push(line);
  };
  return {
    ...real,
    open: async (path: string, ...rest: [string, number]) => {
      const file = await real.open(path, ...rest);
      const sync = file.sync.bind(file);
      file.sync = () => {
        note("flush", path);
        return sync();
      };
      return file;
    },
    rename: async (from: string, to: string) => {
      note("rename", from, to);
      return real.rename(from, to);
    },
    link: async (from: string, to: string) => {
      note("link", from, to);
      return real.link(from, to);
    },
  };
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "drydock-durable-"));
  calls = [];
  failingCall = null;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const inRoot = (name: string) => join(root, name);

test("a file is flushed before its rename, and its directory afterwards", async () => {
  await writeDurably(inRoot("key"), "one");
  expect(calls).toEqual(["flush key.part", "rename key.part key", "flush ."]);
  expect(statSync(inRoot("key")).mode & 0o777).toBe(0o600);
  await writeDurably(inRoot("key"), "two");
  expect(readFileSync(inRoot("key"), "utf8")).toBe("two");
});

test.each([
  "flush key.part",
  "rename key.part key",
])("a failure of %s keeps the old file and leaves no other", async (step) => {
  await writeDurably(inRoot("key"), "old");
  failingCall = step;
  await expect(writeDurably(inRoot("key"), "new")).rejects.toThrow("fails");
  expect(readFileSync(inRoot("key"), "utf8")).toBe("old");
  expect(readdirSync(root)).toEqual(["key"]);
});

test("the first of several writers wins, and all return when its file is durable", async () => {
  await Promise.all(["one", "two"].map((text) => createDurably(inRoot("key"), text)));
  const first = readFileSync(inRoot("key"), "utf8");
  await createDurably(inRoot("key"), "three");
  expect(readFileSync(inRoot("key"), "utf8")).toBe(first);
  expect(calls.slice(-3)).toEqual(["flush key.part", "link key.part key", "flush ."]);
  expect(readdirSync(root)).toEqual(["key"]);
});

test("each created directory is flushed in its parent", async () => {
  await makeDirectories(inRoot("a/b/c"));
  expect(calls).toEqual(["flush a/b", "flush a", "flush ."]);
  calls = [];
  await makeDirectories(inRoot("a/b/c"));
  expect(calls).toEqual([]);
});
