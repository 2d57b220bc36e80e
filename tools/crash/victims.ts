import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/postgres/embedded.ts";

/**
 * PostgreSQL as a direct child of this program, with the settings it always runs with: fsync on.
 */
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

  /** SIGKILL to the server and all its backends at once, as when the machine goes away. */
  async kill(): Promise<void> {
    const postgres = this.#postgres as EmbeddedPostgres;
    const pids = [postgres.process.pid, ...childrenOf(postgres.process.pid)];
    for (const pid of pids) signal(pid, "SIGKILL");
    await postgres.process.ended;
    // A backend that was just being made was in no list; it ends by itself when it sees that its
    // parent is gone.
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
    return []; // not Linux: they end by themselves when the parent is gone
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** A process that has ended and waits to be collected does not live. */
function lives(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * `node server/main.ts` as another child. While it is wanted it is started again whenever it ends,
 * as a service manager does: a server that finds no database says so and ends.
 */
export class ServerVictim {
  readonly #env: Record<string, string>;
  readonly #output: string;
  #child: ChildProcess | null = null;
  #wanted = false;
  #running: Promise<void> = Promise.resolve();
  /** How often it ended without being killed by us. */
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
   * As Ctrl-C does; returns the exit status, null when it was not running or had to be killed after
   * a minute.
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
