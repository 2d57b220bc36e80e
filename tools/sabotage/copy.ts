import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "../lib/toolError.ts";

/**
 * A copy of the repository's tracked files, as they are now, in the system's temporary directory,
 * with the packages linked. `remove` deletes it.
 */
export function copyRepository(root: string): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "drydock-sabotage-"));
  // PostgreSQL may run as another user than this process.
  chmodSync(directory, 0o755);
  for (const file of trackedFiles(root)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(root, file), join(directory, file));
  }
  symlinkSync(realpathSync(join(root, "node_modules")), join(directory, "node_modules"));
  // After an interrupt, tests that are ending may still write.
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  return { directory, remove };
}

function trackedFiles(root: string): string[] {
  try {
    const output = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
    return output.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
  } catch {
    throw new ToolError("git has to list the tracked files: run this in a clone.");
  }
}
