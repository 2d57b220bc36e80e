import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs one of the commands as a person would; throws with its output if it fails. Returns its
 * output and real seconds.
 */
export async function run(
  script: "backup" | "restore" | "beginSuccession",
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ output: string; seconds: number }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`npm run ${script} exited with status ${status}: ${output}`);
  return { output, seconds: (performance.now() - startedMs) / 1000 };
}

/**
 * Starts Drydock where it must refuse to serve, and returns its last message; null if it is still
 * running after two minutes, when it is stopped.
 */
export async function runRefusedStart(env: Record<string, string>): Promise<string | null> {
  const main = join(import.meta.dirname, "../../server/main.ts");
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), 120_000);
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  return status !== 0 && signal === null ? output.trim() : null;
}

/** The newest backup in a folder. */
export function findLatestBackup(folder: string): string {
  const name = readdirSync(folder).toSorted().at(-1);
  if (!name) throw new Error(`no backup in ${folder}`);
  return join(folder, name);
}
