import { expect, test } from "vitest";
import { withoutFallback } from "./leanCss.ts";

test("withoutFallback removes only the @property fallback and keeps its layer", () => {
  const css =
    "@layer properties{@supports ((-webkit-hyphens:none)){*,:before{--tw-x:0;--tw-y:solid}}}" +
    "@layer theme;@layer base{a{color:red}}@property --tw-x{syntax:'*';inherits:false}";
  expect(withoutFallback(css)).toBe(
    "@layer properties;@layer theme;@layer base{a{color:red}}@property --tw-x{syntax:'*';inherits:false}",
  );
});
