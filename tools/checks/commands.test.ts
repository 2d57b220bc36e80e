import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../commands.ts";

test.each(commands)("npm run $family -- $name runs a file that exists", ({ file }) => {
  expect(existsSync(join(import.meta.dirname, "..", file))).toBe(true);
});
