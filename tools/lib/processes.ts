import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, NoAnswerError } from "#server/testing/client.ts";

/** A port that is currently free. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Resolves once the server reports ready. Throws if it does not within four minutes, or if `child`,
 * its process, has exited.
 */
export async function waitUntilReady(client: Client, child?: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < 240_000; waitedMs += 100) {
    if (child && child.exitCode !== null) throw new Error("The server exited during start-up.");
    try {
      const health = await client.call<{ ready: boolean }>({ method: "GET", path: "/api/health" });
      if (health.ready) return;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
    await sleep(100);
  }
  throw new Error("The server was not ready within four minutes.");
}

/**
 * Returns the answer given within five seconds, or the reason for its absence: a failed instance
 * may not answer at all.
 */
export function answerWithin(work: Promise<string>): Promise<string> {
  const timeout = sleep(5_000, "no answer within 5 s", { ref: false });
  return Promise.race([work, timeout]).catch((error: Error) => error.message);
}

/** PostgreSQL's process, as the file in its cluster's directory names it; null without that file. */
export function readPostgresPid(cluster: string): number | null {
  try {
    return Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return null;
  }
}

/** Reads `/proc`; false for a zombie, a process that has exited but is not yet reaped. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A process and its children; none if it is gone. */
export function listProcessTree(pid: number): number[] {
  return isAlive(pid) ? [pid, ...listChildren(pid)] : [];
}

/** The children of a process, started by any of its threads; empty except on Linux. */
export function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .trim()
        .split(/\s+/)
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** Sends SIGKILL; a process that has already exited is not an error. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already exited.
  }
}
