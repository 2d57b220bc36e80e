import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/postgres/embedded.ts";

/** PostgreSQL as a direct child of this program, with its usual settings: fsync on. */
export class DatabaseVictim {
  readonly #dataDirectory: string;
  #postgres: EmbeddedPostgres | null = null;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  async start(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ dataDirectory: this.#dataDirectory });
  }

  get urls(): { app: string; owner: string } {
    const { appUrl, ownerUrl } = this.#postgres as EmbeddedPostgres;
    return { app: appUrl, owner: ownerUrl };
  }

  /** Sends SIGKILL to the server and all its backends at once, as in a machine failure. */
  async kill(): Promise<void> {
    const postgres = this.#postgres as EmbeddedPostgres;
    const pids = [postgres.process.pid, ...childrenOf(postgres.process.pid)];
    for (const pid of pids) signal(pid, "SIGKILL");
    await postgres.process.ended;
    // A backend being forked at that moment was in no list; it exits by itself once it notices that
    // its parent is gone.
    while (pids.some(lives)) await sleep(5);
    await postgres.stop();
  }

  async stop(): Promise<void> {
    await this.#postgres?.stop();
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return []; // not Linux: they exit by themselves once the parent is gone
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** False for a zombie: a process that has exited but is not yet reaped. */
function lives(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * `node server/main.ts` as another child. While wanted, it is restarted whenever it exits, as a
 * service manager would: a server without a database reports that and exits.
 */
export class ServerVictim {
  readonly #env: Record<string, string>;
  readonly #output: string;
  #child: ChildProcess | null = null;
  #wanted = false;
  #running: Promise<void> = Promise.resolve();
  /** How often it exited without being killed by us. */
  ownEnds = 0;

  constructor(env: Record<string, string>, directory: string) {
    this.#env = env;
    this.#output = join(directory, "server.txt");
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  start(): void {
    this.#wanted = true;
    this.#running = this.#keep();
  }

  async #keep(): Promise<void> {
    while (this.#wanted) {
      const main = join(import.meta.dirname, "../../server/main.ts");
      const child = spawn(process.execPath, [main], {
        env: { PATH: process.env.PATH ?? "", ...this.#env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => appendFileSync(this.#output, chunk));
      this.#child = child;
      await once(child, "close");
      this.#child = null;
      if (!this.#wanted) return;
      this.ownEnds += 1;
      await sleep(100);
    }
  }

  async kill(): Promise<void> {
    this.#wanted = false;
    this.#child?.kill("SIGKILL");
    await this.#running;
  }

  /**
   * Stops it as Ctrl-C would; returns the exit status, or null if it was not running or had to be
   * killed after a minute.
   */
  async stop(): Promise<number | null> {
    this.#wanted = false;
    const child = this.#child;
    child?.kill("SIGTERM");
    const timer = setTimeout(() => child?.kill("SIGKILL"), 60_000);
    await this.#running;
    clearTimeout(timer);
    return child?.exitCode ?? null;
  }
}
