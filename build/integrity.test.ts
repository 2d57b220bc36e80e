import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addIntegrity, writeBuildList } from "./integrity.ts";

let directory: string;
const page = `<link rel="icon" href="/icon.svg">
<script type="module" crossorigin src="/assets/a.js"></script>
<link rel="modulepreload" crossorigin href="/assets/b.js">
<link rel="stylesheet" crossorigin href="/assets/c.css">
<script async src="/start.js" ></script>`;
const files: Record<string, string> = {
  "index.html": page,
  "operator/index.html": `<script src="/start.js"></script>`,
  "assets/a.js": "a",
  "assets/a.js.map": "map",
  "assets/b.js": "b",
  "assets/c.css": "c",
  "start.js": "start",
  "start.js.br": "packed",
  "manifest.json": "{}",
  "manifest.webmanifest": "{}",
};
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text);
const sri = (text: string) => `integrity="sha384-${digest("sha384", text).digest("base64")}"`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "drydock-build-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("every script, style and preload of a page gets an integrity attribute", () => {
  addIntegrity(directory);
  const html = readFileSync(join(directory, "index.html"), "utf8");
  expect(html.split("\n")).toEqual([
    `<link rel="icon" href="/icon.svg">`,
    `<script type="module" crossorigin src="/assets/a.js" ${sri("a")}></script>`,
    `<link rel="modulepreload" crossorigin href="/assets/b.js" ${sri("b")}>`,
    `<link rel="stylesheet" crossorigin href="/assets/c.css" ${sri("c")}>`,
    `<script async src="/start.js" ${sri("start")} ></script>`,
  ]);
  expect(readFileSync(join(directory, "operator/index.html"), "utf8")).toContain(sri("start"));
});

test("the build list contains the files that a browser may load, hashed as served", () => {
  writeBuildList(directory, "1.2.3");
  const list = JSON.parse(readFileSync(join(directory, "build.json"), "utf8"));
  expect(list).toMatchObject({ format: "drydock.build/1", practice: true, version: "1.2.3" });
  expect(Object.keys(list.files)).toEqual([
    "/assets/a.js",
    "/assets/b.js",
    "/assets/c.css",
    "/index.html",
    "/manifest.webmanifest",
    "/operator/index.html",
    "/start.js",
  ]);
  expect(list.files["/start.js"]).toBe(digest("sha256", "start").digest("hex"));
  expect(list.files["/index.html"]).not.toBe(digest("sha256", page).digest("hex"));
});
