import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { openDirectory } from "#server/platform/worlds/directory.ts";
import { runningAdminUrl, runningOwnerUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-feed-"));
chmodSync(directory, 0o711);
const settings = (name: string) => ({
  DRYDOCK_DATA: join(directory, name),
  PORT: "0",
  LOG_LEVEL: "silent",
});

/** The feed's processes among the children of a process. */
function getFeeds(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
  return children
    .split(" ")
    .map(Number)
    .filter((pid) => pid > 0 && isFeed(pid));
}

function isFeed(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("feedMain.ts");
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe("the feed in its own process", () => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(readConfig(settings("one")), async () => null);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const latest = () => program.services.market.latest()?.secondMs ?? 0;

  test("the feed closes seconds in its own process and notifies the web service", async () => {
    await until(() => latest() > 0);
    expect(getFeeds(process.pid)).toHaveLength(1);
    const first = latest();
    await until(() => latest() > first);
  });

  test("the feed runs while the web service is busy, and is restarted when it dies", async () => {
    const before = latest();
    const busyUntilMs = performance.now() + 2_500;
    while (performance.now() < busyUntilMs); // nothing else runs in this process at that time
    await until(() => latest() >= before + 2_000);
    const { services } = program;
    const { pending } = await services.transparencyLog.checkpoint().then(async (checkpoint) => ({
      pending: (await services.transparencyLog.count()) - (checkpoint?.size ?? 0),
    }));
    expect(pending).toBeLessThan(3);

    const socket = new WebSocket(`${program.address?.replace("http", "ws")}/ws`);
    await once(socket, "open");
    const closing = once(socket, "close");
    const [pid] = getFeeds(process.pid) as [number];
    process.kill(pid, "SIGKILL");
    const lastSecondMs = latest();
    await until(() => latest() > lastSecondMs + 3_000);
    // It may have committed events that it did not send, so clients must refetch.
    const [event] = (await closing) as [CloseEvent];
    expect([event.code, event.reason]).toEqual([1012, "gap"]);
    const [next] = getFeeds(process.pid) as [number];
    expect(next).not.toBe(pid);
  });

  test("a world whose end is delayed does not stop the feed of other worlds", async () => {
    const data = join(directory, "one");
    const admin = new pg.Client({ connectionString: runningAdminUrl(data) });
    await admin.connect();
    const blocker = new pg.Client({ connectionString: runningAdminUrl(data) });
    await blocker.connect();
    const urls = { owner: runningOwnerUrl(data), app: runningPostgresUrl(data) };
    const worlds = await openDirectory(urls);
    await worlds.add({ name: "stuck", settings: {} }, { firstPort: 47_617, awakeMax: 60 });
    const readPid = async (text: string, values: unknown[] = []): Promise<number | null> => {
      const { rows } = await admin.query<{ pid: number }>(text, values);
      return rows[0]?.pid ?? null;
    };
    const untilPid = async (read: () => Promise<number | null>): Promise<number> => {
      for (;;) {
        const pid = await read();
        if (pid !== null) return pid;
        await sleep(100);
      }
    };
    /** The server's process that holds the lock of the world's feed. */
    const readHolder = () =>
      readPid(
        `select pid from pg_locks where locktype = 'advisory' and granted
           and (classid::bigint << 32) + objid::bigint = $1`,
        [lockKey("world_stuck", "loop/market.feed")],
      );
    const holder = await untilPid(readHolder);
    const [pid] = getFeeds(process.pid);
    // Its next second waits for a table lock in a server process that is then stopped, until the
    // feed abandons that connection.
    await blocker.query("begin");
    await blocker.query("lock table world_stuck.market_second in share mode");
    const writer = await untilPid(() =>
      readPid(
        `select pid from pg_locks where not granted
           and relation = 'world_stuck.market_second'::regclass`,
      ),
    );
    process.kill(writer, "SIGSTOP");
    try {
      await worlds.setState("stuck", "archived");
      const before = latest();
      await until(() => latest() >= before + 3_000);
      expect(getFeeds(process.pid)).toEqual([pid]);
      expect(await readHolder()).toBe(holder);
    } finally {
      process.kill(writer, "SIGCONT");
      await blocker.end();
    }
    // It ends late, and then its lock is free.
    while ((await readHolder()) !== null) await sleep(100);
    expect(getFeeds(process.pid)).toEqual([pid]);
    await worlds.close();
    await admin.end();
  }, 60_000);

  test("the feed ends with the program, even when the program is killed", async () => {
    const child = spawn(process.execPath, ["server/testing/program.ts"], {
      env: { PATH: process.env.PATH, ...settings("two") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await until(() => getFeeds(child.pid!).length === 1);
    const [pid] = getFeeds(child.pid!) as [number];
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(() => !isFeed(pid));
  });
});
