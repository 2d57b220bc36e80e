import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceName } from "#server/platform/config/config.ts";
import { createClient } from "#server/testing/client.ts";
import { KillableServer } from "../crash/targets.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import type { Cable } from "./cable.ts";

/** A machine that runs a process for each service. */
export interface Machine {
  readonly name: string;
  readonly webPort: number;
  readonly processes: Readonly<Record<ServiceName, KillableServer>>;
  /** Sets its clock wrong by this much; 0 corrects it. */
  setClock(offsetMs: number): void;
  /**
   * Starts a process on it that must refuse to start; returns the last line of its output.
   * `changes` are settings that differ from the machine's.
   */
  refusal(changes: Record<string, string>): Promise<string>;
}

const clockModule = join(import.meta.dirname, "wrongClock.ts");
const main = join(import.meta.dirname, "../../server/main.ts");
/** A process that still runs after this long has not refused. */
const refuseMs = 120_000;

/**
 * Creates the machine without starting it. With a cable, its feed and worker reach the database
 * only over that cable.
 */
export async function createMachine(
  name: string,
  directory: string,
  shared: Record<string, string>,
  cable: Cable | null = null,
): Promise<Machine> {
  const clock = join(directory, `clock-${name}`);
  writeFileSync(clock, "0");
  const webPort = await findFreePort();
  const env = {
    ...shared,
    PORT: String(webPort),
    LOG_LEVEL: "error",
    NODE_OPTIONS: `--import=${clockModule}`,
    DRILL_CLOCK: clock,
  };
  const createProcess = (service: ServiceName) =>
    new KillableServer({
      env,
      args: [`--services=${service}`],
      // Its web stays at the address of this computer, where the balancer looks for it.
      prefix: service === "web" ? [] : (cable?.prefix ?? []),
      output: join(directory, `${name}-${service}.txt`),
    });
  return {
    name,
    webPort,
    processes: {
      web: createProcess("web"),
      feed: createProcess("feed"),
      worker: createProcess("worker"),
    },
    setClock: (offsetMs) => writeFileSync(clock, String(offsetMs)),
    refusal: async (changes) => {
      const child = spawn(process.execPath, [main, "--services=worker"], {
        env: { PATH: process.env.PATH ?? "", ...env, ...changes },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      const timer = setTimeout(() => child.kill("SIGKILL"), refuseMs);
      const [status] = await once(child, "close");
      clearTimeout(timer);
      if (status !== 1) throw new Error(`A process of ${name} did not refuse to start: ${output}`);
      return output.trim().split("\n").at(-1) ?? "";
    },
  };
}

/**
 * Starts all services of the machines, the first machine first, so that its feed is the active one.
 */
export async function startMachines(machines: readonly Machine[]): Promise<void> {
  for (const { processes, webPort } of machines) {
    for (const service of ["web", "feed", "worker"] as const) {
      processes[service].start();
      // One process migrates and creates the keys; the others then find both.
      if (service === "web") await untilAnswering(webPort);
    }
    const client = createClient({ port: webPort });
    await waitUntilReady(client).finally(() => client.close());
  }
}

async function untilAnswering(port: number): Promise<void> {
  const untilMs = performance.now() + refuseMs;
  while (performance.now() < untilMs) {
    const isAnswering = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      () => true,
      () => false,
    );
    if (isAnswering) return;
    await sleep(200);
  }
  throw new Error("A web process did not answer within two minutes.");
}

/** The last lines that the processes of a machine printed, for a drill that failed. */
export function readLastLines(directory: string, { name, processes }: Machine): string[] {
  return Object.keys(processes).flatMap((service) => {
    try {
      const text = readFileSync(join(directory, `${name}-${service}.txt`), "utf8");
      return text.trim().split("\n").slice(-3);
    } catch {
      return [];
    }
  });
}
