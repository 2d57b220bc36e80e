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

test("a screen's chunk is named with all that it imports, once each, and no other screen's", () => {
  expect(chunksOf(outputs, [/HomePage/]).toSorted()).toEqual([
    "assets/home.js",
    "assets/index.js",
    "assets/row.js",
  ]);
});

test("a first screen that moved away fails the build", () => {
  expect(() => chunksOf(outputs, [/Elsewhere/])).toThrow("Elsewhere");
});
