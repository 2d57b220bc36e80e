import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { runningOwnerUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";
import { createClient } from "#server/testing/client.ts";
import { findFreePort, waitUntilReady } from "../../lib/processes.ts";

/**
 * Prints the conditions of a bench's figures: the machine, the load of other programs, and the
 * bench's own parameters.
 */
export function printConditions(...lines: string[]): void {
  const [minute] = loadavg() as [number];
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, node ${process.version}, load average at the start ${minute.toFixed(1)}`,
  );
  for (const line of lines) console.log(line);
}

/** Prints the last line of every bench. */
export function printRatio(ratio: number, aim: number, sense: "least" | "most"): void {
  if (sense === "most") console.log("lower is better");
  console.log(`ratio ${ratio.toFixed(2)} (aim ${aim})`);
}

/** A data directory that PostgreSQL's own account can reach; `remove` deletes it. */
export function createDataDirectory(): { directory: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), "drydock-bench-"));
  chmodSync(parent, 0o711);
  const directory = join(parent, "data");
  mkdirSync(directory);
  return { directory, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

export interface RunningServer {
  port: number;
  pid: number;
  /** The database as the role that owns the tables. */
  ownerUrl: string;
  appUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts `node server/main.ts` as a separate process on a new embedded PostgreSQL with default
 * settings, or on the database that `env` names, and waits until it is ready. `checkout` is the folder of the code: this one, or an older
 * one to compare with. BENCH_NODE_ARGS is passed to its Node, for profiles
 * (`--cpu-prof`).
 */
export async function startServer(
  dataDirectory: string,
  env: Record<string, string> = {},
  checkout = join(import.meta.dirname, "../../.."),
): Promise<RunningServer> {
  const port = await findFreePort();
  const main = join(checkout, "server/main.ts");
  const nodeArgs = process.env.BENCH_NODE_ARGS?.split(" ") ?? [];
  const child = spawn(process.execPath, [...nodeArgs, main], {
    env: {
      PATH: process.env.PATH ?? "",
      PORT: String(port),
      DRYDOCK_DATA: dataDirectory,
      WORLD: "bench",
      LOG_LEVEL: "error",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const client = createClient({ port });
  await waitUntilReady(client, child).finally(() => client.close());
  return {
    port,
    pid: child.pid!,
    ownerUrl: env.DATABASE_OWNER_URL ?? runningOwnerUrl(dataDirectory),
    appUrl: env.DATABASE_URL ?? runningPostgresUrl(dataDirectory),
    stop: async () => {
      // Ctrl-C reaches it as well.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closing = once(child, "close");
      child.kill("SIGTERM");
      await closing;
    },
  };
}
