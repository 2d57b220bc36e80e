import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withoutStock } from "./viteCharts.ts";

const source = readFileSync(
  join(import.meta.dirname, "../../node_modules/klinecharts/dist/index.esm.js"),
  "utf8",
);

it("the stock indicators and drawing tools of the installed klinecharts are registered no more", () => {
  const bare = withoutStock(source);
  expect(bare).toContain("var extensions$2 = [];");
  expect(bare).toContain("var extensions = [];");
  expect(bare).toContain("var extensions$1 = [circle, line, polygon, rect, text, arc, path];");
});

it("another klinecharts than the one looked at is refused", () => {
  expect(() => withoutStock("var extensions = [];")).toThrow("klinecharts has changed");
});
