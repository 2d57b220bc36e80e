import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { worldTag } from "./log/leaves.ts";
import type { LogReader } from "./log/logReader.ts";
import { checkPage, parseBuildList } from "./page.ts";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const files: Record<string, string> = {
  "/index.html": "<app>",
  "/pages/verify.html": "<verify>",
  "/pages/business/orders.html": "<orders>",
  "/pages/business.contract_id.html": "<trade>",
  "/operator/index.html": "<console>",
  "/start.js": "start",
};

function listOf(texts: Record<string, string>, version = "1.0.0"): Buffer {
  const paths = Object.keys(texts).sort();
  const body = paths.map((path) => `"${path}":"${sha256(texts[path]!)}"`).join();
  const files = `"files":{${body}},"format":"drydock.build/1"`;
  return Buffer.from(`{"backing":"none",${files},"practice":true,"version":"${version}"}`);
}

/** An instance that serves `texts`, with `list` as its list and in the log. */
function instanceWith(texts: Record<string, string>, list: Buffer, inLog = sha256(list)) {
  const servedFiles: Record<string, string | Buffer> = {
    "/home": texts["/index.html"]!,
    "/verify": texts["/pages/verify.html"]!,
    "/business/orders": texts["/pages/business/orders.html"]!,
    "/business?contract_id=1": texts["/pages/business.contract_id.html"]!,
    "/operator": texts["/operator/index.html"]!,
    ...texts,
    "/build.json": list,
  };
  const body = `{"backing":"none","list":"${inLog}","practice":true,"version":"1.0.0","world":"w"}`;
  const leaf = Buffer.concat([Buffer.of(1, 10, 0x50), worldTag("w"), Buffer.from(body)]);
  const page = async (path: string) =>
    path in servedFiles ? new Uint8Array(Buffer.from(servedFiles[path]!)) : null;
  const reader = { checkpoint: { size: 5 }, leaf: async () => leaf } as unknown as LogReader;
  return { instance: { call: async () => ({ build: { leaf: 3 } }), page }, reader };
}

const buildList = parseBuildList(listOf(files));
const getDifferences = async (...served: Parameters<typeof instanceWith>) => {
  const { instance, reader } = instanceWith(...served);
  return (await checkPage(instance, reader, buildList)).differences;
};

test("the same build has no differences", async () => {
  expect(await getDifferences(files, listOf(files))).toEqual([]);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    "a changed script",
    { ...files, "/start.js": "steal" },
    /start\.js is served with other content/,
  ],
  ["a changed page", { ...files, "/index.html": "<lie>" }, /\/home is served with other content/],
  ["an additional file", { ...files, "/more.js": "more" }, /\/more\.js is not in your list/],
])("%s is reported both with a matching list and with the original list", async (_, texts, message) => {
  expect((await getDifferences(texts, listOf(texts))).join("\n")).toMatch(message);
  if (!("/more.js" in texts))
    expect((await getDifferences(texts, listOf(files))).join("\n")).toMatch(message);
});

test("a missing file, another version and another logged list are reported", async () => {
  const { "/start.js": _, ...withoutScript } = files;
  expect(await getDifferences(withoutScript as typeof files, listOf(files))).toEqual([
    "/start.js is not served",
  ]);
  expect(await getDifferences(files, listOf(files, "0.9.0"))).toEqual([
    "leaf 3 of the log names another list",
    "version 0.9.0 is served, your list is of 1.0.0",
  ]);
  expect(await getDifferences(files, listOf(files), "0".repeat(64))).toEqual([
    "leaf 3 of the log names another list",
  ]);
});

test.each([
  "",
  "{}",
  listOf(files).toString().replace("true", "false"),
  listOf(files).toString().replace("drydock.build/1", "drydock.build/2"),
  listOf(files).toString().replace('"/start.js"', '"start.js"'),
  ` ${listOf(files).toString()}`,
])("a malformed build list is refused: %s", (text) => {
  expect(() => parseBuildList(Buffer.from(text))).toThrow("build_list_malformed");
});
