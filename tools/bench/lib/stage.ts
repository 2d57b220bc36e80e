import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { createClient, NoAnswerError, type SignedIn, signIn } from "#server/testing/client.ts";

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
export function makeDataDirectory(): { directory: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), "drydock-bench-"));
  chmodSync(parent, 0o711);
  const directory = join(parent, "data");
  mkdirSync(directory);
  return { directory, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

export interface RunningServer {
  port: number;
  pid: number;
  /** The embedded database as the role that owns the tables. */
  ownerUrl: string;
  appUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts `node server/main.ts` as a separate process on a new embedded PostgreSQL with default
 * settings, and waits until it is ready. `checkout` is the folder of the code: this one, or an older
 * one to compare with. BENCH_NODE_ARGS is passed to its Node, for profiles
 * (`--cpu-prof`).
 */
export async function startServer(
  dataDirectory: string,
  env: Record<string, string> = {},
  checkout = join(import.meta.dirname, "../../.."),
): Promise<RunningServer> {
  // Start it once here, to learn the URLs of its roles.
  const postgres = await startEmbeddedPostgres({ dataDirectory });
  await postgres.stop();
  const { ownerUrl, appUrl } = postgres;
  const port = await freePort();
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
  await untilReady(child, port);
  return {
    port,
    pid: child.pid!,
    ownerUrl,
    appUrl,
    stop: async () => {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const client = createClient({ port });
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 200) {
    if (child.exitCode !== null) throw new Error("the server exited during start-up");
    try {
      const health = await client.call<{ ready: boolean }>({ method: "GET", path: "/api/health" });
      if (health.ready) return client.close();
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
    await sleep(200);
  }
  throw new Error("the server was not ready within two minutes");
}

/**
 * Signs people in over HTTP, fifty from each loopback address, since the number of nonces per
 * address is limited.
 */
export async function signInMany(port: number, count: number): Promise<SignedIn[]> {
  const people: SignedIn[] = [];
  for (let from = 0; from < count; from += 50) {
    const client = createClient({
      port,
      localAddress: `127.0.0.${2 + from / 50}`,
      connections: 8,
    });
    const many = Array.from({ length: Math.min(50, count - from) }, () => signIn(client));
    people.push(...(await Promise.all(many)));
    client.close();
  }
  return people;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** The value below which a share of `sorted` (ascending) lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
