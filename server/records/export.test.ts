import { expect, test } from "vitest";
import { toCsvCell } from "#server/records/export.ts";

test.each([
  ["plain", "plain"],
  ["-40.5", "-40.5"],
  ["0", "0"],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1+1", "'-1+1"],
  ["@sum", "'@sum"],
  ["\t=1", "'\t=1"],
  [" =1", "' =1"],
  ["a,b", '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ["=a\nb", '"\'=a\nb"'],
])("cell %j is written as %j", (text, cell) => {
  expect(toCsvCell(text)).toBe(cell);
});
