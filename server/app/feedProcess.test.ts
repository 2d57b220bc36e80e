import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-feed-"));
chmodSync(directory, 0o711);
const settings = (name: string) => ({
  DRYDOCK_DATA: join(directory, name),
  PORT: "0",
  LOG_LEVEL: "silent",
});

/** The feed's processes among the children of a process. */
function feedsOf(parent: number): number[] {
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

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
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
    expect(feedsOf(process.pid)).toHaveLength(1);
    const first = latest();
    await until(() => latest() > first);
  });

  test("the feed runs while the web service is busy, and is restarted when it dies", async () => {
    const before = latest();
    const busyUntilMs = performance.now() + 2_500;
    while (performance.now() < busyUntilMs); // nothing else runs in this process meanwhile
    await until(() => latest() >= before + 2_000);
    const { services } = program;
    const { pending } = await services.transparencyLog.checkpoint().then(async (checkpoint) => ({
      pending: (await services.transparencyLog.count()) - (checkpoint?.size ?? 0),
    }));
    expect(pending).toBeLessThan(3);

    const socket = new WebSocket(`${program.address?.replace("http", "ws")}/ws`);
    await once(socket, "open");
    const closed = once(socket, "close");
    const [pid] = feedsOf(process.pid) as [number];
    process.kill(pid, "SIGKILL");
    const died = latest();
    await until(() => latest() > died + 3_000);
    // It may have committed what it did not send any more: clients are to ask again.
    const [event] = (await closed) as [CloseEvent];
    expect([event.code, event.reason]).toEqual([1012, "gap"]);
    const [next] = feedsOf(process.pid) as [number];
    expect(next).not.toBe(pid);
  });

  test("the feed ends with the program, even when the program is killed", async () => {
    const child = spawn(process.execPath, ["server/testing/program.ts"], {
      env: { PATH: process.env.PATH, ...settings("two") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await until(() => feedsOf(child.pid!).length === 1);
    const [pid] = feedsOf(child.pid!) as [number];
    child.kill("SIGKILL");
    await once(child, "exit");
    await until(() => !isFeed(pid));
  });
});
