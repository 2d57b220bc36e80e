import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceName, serviceNames } from "#server/platform/config/config.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { isAlive, kill, listChildren } from "../lib/processes.ts";

/** PostgreSQL as a direct child of this program, with its usual settings: fsync on. */
export class KillableDatabase {
  readonly #dataDirectory: string;
  #postgres: EmbeddedPostgres | null = null;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  async start(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({
      dataDirectory: this.#dataDirectory,
      keepsPasswords: true,
    });
  }

  get urls(): { app: string; owner: string; admin: string } {
    const { appUrl, ownerUrl, adminUrl } = this.#postgres as EmbeddedPostgres;
    return { app: appUrl, owner: ownerUrl, admin: adminUrl };
  }

  /** The process of PostgreSQL and its backends. */
  get pids(): number[] {
    const { pid } = (this.#postgres as EmbeddedPostgres).process;
    return [pid, ...listChildren(pid)];
  }

  /** Sends SIGKILL to the server and all its backends at once, as in a machine failure. */
  async kill(): Promise<void> {
    const postgres = this.#postgres as EmbeddedPostgres;
    const pids = this.pids;
    for (const pid of pids) kill(pid);
    await postgres.process.ended;
    // A backend being forked at that moment was not listed; it exits by itself when it notices that
    // its parent is gone.
    while (pids.some(isAlive)) await sleep(5);
    await postgres.stop();
  }

  async stop(): Promise<void> {
    await this.#postgres?.stop();
  }
}

interface Launch {
  env: Record<string, string>;
  /** Arguments of `server/main.ts`. */
  args?: readonly string[];
  /** Program and arguments put before Node's own, such as those of a wrong clock. */
  prefix?: readonly string[];
  /** Receives the output of the process. */
  output: string;
}

/**
 * `node server/main.ts` as another child. Until it is stopped, it is restarted whenever it exits,
 * as a service manager would: it goes on without its database, but cannot start without one
 * (decision 015).
 */
export class KillableServer {
  readonly #launch: Launch;
  #child: ChildProcess | null = null;
  #shouldRun = false;
  #supervision: Promise<void> = Promise.resolve();
  /** How often it exited without being killed by us. */
  unexpectedExits = 0;

  constructor(launch: Launch) {
    this.#launch = launch;
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts it; `before` replaces the prefix of its command. */
  start(before: readonly string[] = this.#launch.prefix ?? []): void {
    this.#shouldRun = true;
    this.#supervision = this.#keep(before);
  }

  async #keep(before: readonly string[]): Promise<void> {
    const { env, args = [], output } = this.#launch;
    const main = join(import.meta.dirname, "../../server/main.ts");
    while (this.#shouldRun) {
      const [file, ...rest] = [...before, process.execPath, main, ...args] as [string, ...string[]];
      const child = spawn(file, rest, {
        env: { PATH: process.env.PATH ?? "", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => appendFileSync(output, chunk));
      this.#child = child;
      await once(child, "close");
      this.#child = null;
      if (!this.#shouldRun) return;
      this.unexpectedExits += 1;
      await sleep(100);
    }
  }

  async kill(): Promise<void> {
    this.#shouldRun = false;
    this.#child?.kill("SIGKILL");
    await this.#supervision;
  }

  /**
   * Stops it as Ctrl-C would; returns the exit status, or null if it was not running or had to be
   * killed after a minute.
   */
  async stop(): Promise<number | null> {
    this.#shouldRun = false;
    const child = this.#child;
    child?.kill("SIGTERM");
    const timer = setTimeout(() => child?.kill("SIGKILL"), 60_000);
    await this.#supervision;
    clearTimeout(timer);
    return child?.exitCode ?? null;
  }
}

/** The whole product: one process, or one for each service. */
export class ServerGroup {
  readonly members: ReadonlyMap<"server" | ServiceName, KillableServer>;
  readonly #directory: string;

  constructor(env: Record<string, string>, directory: string, isApart: boolean) {
    const names = isApart ? serviceNames : (["server"] as const);
    this.#directory = directory;
    this.members = new Map(
      names.map((name) => {
        const args = isApart ? [`--services=${name}`] : [];
        return [name, new KillableServer({ env, args, output: this.#outputOf(name) })] as const;
      }),
    );
  }

  #outputOf(name: string): string {
    return join(this.#directory, `${name}.txt`);
  }

  get ownEnds(): number {
    return [...this.members.values()].reduce(
      (sum, { unexpectedExits }) => sum + unexpectedExits,
      0,
    );
  }

  /** The members that `name` refers to. */
  of(name: string): KillableServer[] {
    const killableServer = this.members.get(name as ServiceName);
    return killableServer ? [killableServer] : [...this.members.values()];
  }

  start(name = "server"): void {
    for (const killableServer of this.of(name)) killableServer.start();
  }

  async kill(name = "server"): Promise<void> {
    await Promise.all(this.of(name).map((killableServer) => killableServer.kill()));
  }

  /** Exit statuses, web first; see KillableServer.stop. */
  async stop(): Promise<(number | null)[]> {
    const statuses: (number | null)[] = [];
    for (const member of this.members.values()) statuses.push(await member.stop());
    return statuses;
  }

  /** The output of its processes, by name. */
  readOutput(): [name: string, text: string][] {
    return [...this.members.keys()].map((name) => {
      const path = this.#outputOf(name);
      return [name, existsSync(path) ? readFileSync(path, "utf8") : ""];
    });
  }
}
