import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../lib/toolError.ts";
import type { Sabotage } from "./list/sabotage.ts";

/**
 * The text with the sabotage in it. Throws a ToolError unless what it replaces occurs exactly once.
 */
export function plantSabotage(text: string, { name, file, find, replace }: Sabotage): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new ToolError(
      `The sabotage "${name}" has to find its text once in ${file}, and finds it ${parts.length - 1} times: the code moved.`,
    );
  return parts.join(replace);
}

/** Plants a sabotage below `root`; the returned function restores the file. */
export function applySabotage(root: string, sabotage: Sabotage): () => void {
  const path = join(root, sabotage.file);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, plantSabotage(before, sabotage));
  return () => writeFileSync(path, before);
}
