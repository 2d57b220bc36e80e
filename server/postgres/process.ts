import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartError } from "#server/platform/startError.ts";
import type { Account } from "#server/postgres/account.ts";

export interface PostgresProcess {
  readonly pid: number;
  /** Resolves when it has ended, expected or not. */
  readonly ended: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/** The watchdog of a run: removes nothing, only ends the server if we died without doing so. */
const watchdogScript = 'cat >/dev/null; kill -INT "$1" 2>/dev/null';

/**
 * Runs `postgres` on a cluster, listening only on a unix socket in `socketDirectory`, and waits
 * until `probeUrl` answers. It has its own process group, so that Ctrl-C reaches us first and
 * requests can finish; a watchdog ends it if our process is killed.
 */
export async function runPostgres(options: {
  postgres: string;
  cluster: string;
  socketDirectory: string;
  account: Account | null;
  settings: Readonly<Record<string, string>>;
  probeUrl: string;
  /** Real milliseconds until it must answer; two minutes if left out. */
  readyMs?: number;
}): Promise<PostgresProcess> {
  const { cluster, account } = options;
  await endOrphan(cluster);
  const args = ["-D", cluster];
  const settings = {
    listen_addresses: "",
    unix_socket_directories: options.socketDirectory,
    unix_socket_permissions: "0700",
    ...options.settings,
  };
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  const child = spawn(options.postgres, args, {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, TZ: "UTC", LC_ALL: "C" },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  const exit = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const watchdog = startWatchdog(child.pid);
  void exit.then(() => watchdog?.kill("SIGKILL"));
  await waitUntilReady(child, options.probeUrl, () => output, options.readyMs ?? 120_000);
  const endOnExit = () => child.kill("SIGINT");
  process.once("exit", endOnExit);
  return {
    pid: child.pid!,
    ended: exit,
    stop: async () => {
      process.removeListener("exit", endOnExit);
      child.kill("SIGINT");
      await exit;
    },
  };
}

function startWatchdog(pid: number | undefined): ChildProcess | null {
  if (pid === undefined) return null;
  const watchdog = spawn("/bin/sh", ["-c", watchdogScript, "drydock-watchdog", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
  });
  watchdog.on("error", () => {});
  watchdog.unref();
  return watchdog;
}

const isRefusal = /the database system is (starting up|not (yet )?accepting connections)/;

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  output: () => string,
  readyMs: number,
): Promise<void> {
  // A server that was killed replays its write-ahead log first, which takes a while on a busy
  // world.
  for (let waitedMs = 0; waitedMs < readyMs; waitedMs += 50) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      const reason = output()
        .trim()
        .split("\n")
        // Our own question is refused in words of that kind, too.
        .find((line) => /FATAL|PANIC|error/i.test(line) && !isRefusal.test(line));
      throw new StartError(
        `PostgreSQL did not start: ${reason ?? (output().trim() || "it gave no reason")}`,
      );
    }
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      // 28P01 and similar: it is up, but does not accept our password.
      if (/^28/.test((error as { code?: string }).code ?? "")) {
        child.kill("SIGINT");
        throw new StartError(`PostgreSQL rejects our own password: ${(error as Error).message}`);
      }
      await sleep(50);
    }
  }
  child.kill("SIGINT");
  throw new StartError(`PostgreSQL did not answer within ${Math.round(readyMs / 60_000)} minutes.`);
}

/** Ends a server left running on this cluster after a process of ours was killed. */
async function endOrphan(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  if (!isPostgresOn(pid, cluster)) return; // a stale file, which postgres detects itself
  process.kill(pid, "SIGINT");
  for (let waitedMs = 0; isPostgresOn(pid, cluster); waitedMs += 50) {
    if (waitedMs > 60_000) {
      throw new StartError(
        `A PostgreSQL server (process ${pid}) still uses ${cluster} and does not stop.`,
      );
    }
    await sleep(50);
  }
}

function isPostgresOn(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(cluster);
  } catch {
    return false;
  }
}
