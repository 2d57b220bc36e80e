import { expect, test } from "vitest";
import { chunksOf } from "./firstScreen.ts";

const chunk = (fileName: string, facadeModuleId: string | null, imports: string[] = []) => ({
  type: "chunk" as const,
  fileName,
  facadeModuleId,
  imports,
});
const outputs = [
  chunk("assets/home.js", "/x/web/screens/home/HomePage.tsx", ["assets/row.js", "assets/index.js"]),
  chunk("assets/row.js", null, ["assets/index.js"]),
  chunk("assets/index.js", "/x/web/index.html"),
  chunk("assets/help.js", "/x/web/screens/help/HelpPage.tsx"),
  { type: "asset" as const },
];

test("chunksOf returns a screen's chunk and its imports, once each", () => {
  expect(chunksOf(outputs, [/HomePage/]).toSorted()).toEqual([
    "assets/home.js",
    "assets/index.js",
    "assets/row.js",
  ]);
});

test("a missing first screen fails the build", () => {
  expect(() => chunksOf(outputs, [/Elsewhere/])).toThrow("Elsewhere");
});
