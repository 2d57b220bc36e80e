import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { startProgram } from "#server/app/program.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { readPasswords } from "#server/postgres/passwords.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-program-"));
chmodSync(directory, 0o711);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const settings = (extra: Record<string, string> = {}) => ({
  DRYDOCK_DATA: join(directory, "data"),
  PORT: "0",
  LOG_LEVEL: "silent",
  ...extra,
});
const config = (extra: Record<string, string> = {}): Config => readConfig(settings(extra));
const start = (extra: Record<string, string> = {}) => startProgram(config(extra), async () => null);

/** `node server/main.ts` without its web service, which would build the pages. */
function spawnMain(env: Record<string, string>, args: string[] = ["--services=feed,worker"]) {
  const child = spawn(process.execPath, ["server/main.ts", ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    output.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.err += chunk;
  });
  return { child, output, ended: once(child, "close").then(([code]) => code as number | null) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

async function untilRunning({ child, output }: ReturnType<typeof spawnMain>): Promise<void> {
  await until(() => output.out.includes("Drydock is running") || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the program ended: ${output.err}`);
}

const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const postgresPid = (data: string) => {
  const file = join(data, "postgres/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
};

describe("the program", () => {
  test("the program starts, answers, stops cleanly and restarts with its data", async () => {
    const first = await start();
    await until(() => first.services.market.latest() !== null);
    const health = await fetch(`${first.address}/api/health`);
    expect(await health.json()).toMatchObject({ code: 1, data: { ready: true } });
    const firstSecondMs = await first.services.market.firstSecondMs();
    const before = readPasswords(config().dataDirectory);
    const pid = postgresPid(config().dataDirectory)!;
    expect(lives(pid)).toBe(true);
    await first.stop();
    expect(lives(pid)).toBe(false);
    expect(existsSync(join(config().dataDirectory, "drydock.lock"))).toBe(false);

    const startedAtMs = performance.now();
    const second = await start();
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
    expect(await second.services.market.firstSecondMs()).toBe(firstSecondMs);
    const after = readPasswords(config().dataDirectory);
    expect(after.admin).toBe(before.admin);
    expect(new Set([before.app, before.owner, after.app, after.owner]).size).toBe(4);
    await second.stop();
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "another speed",
      { WORLD_SPEED: "2" },
      /^The world harbour was made with speed 1, which cannot change: unset WORLD_SPEED, or choose another WORLD\.$/,
    ],
    [
      "another start",
      { WORLD_START: "2020-01-01" },
      /^The world harbour was made with the start 20.*unset WORLD_START/,
    ],
    [
      "an address that this machine lacks",
      { HOST: "203.0.113.7" },
      /^HOST is wrong: this machine has no address 203\.0\.113\.7\.$/,
    ],
  ])("a start with %s is refused and leaves nothing running", async (_title, extra, message) => {
    await expect(start(extra)).rejects.toThrow(message);
    expect(existsSync(join(config().dataDirectory, "drydock.lock"))).toBe(false);
    expect(postgresPid(config().dataDirectory)).toBeNull();
  });

  test("the program refuses to start on a port in use", async () => {
    const portHolder = createServer().listen(0, "127.0.0.1");
    await once(portHolder, "listening");
    const { port } = portHolder.address() as AddressInfo;
    await expect(start({ PORT: String(port) })).rejects.toThrow(
      `Port ${port} is taken by another program: stop that one, or set PORT to another number.`,
    );
    portHolder.close();
  });
});

describe("the program from the command line", () => {
  test.each<[string, Record<string, string>, string[], number, RegExp]>([
    [
      "a wrong setting",
      { PORT: "eighty" },
      [],
      1,
      /^PORT is wrong: it is a number from 0 to 65535\.\n$/,
    ],
    ["an unknown option", {}, ["--quick"], 1, /^--quick is not an option/],
    [
      "a data directory that cannot be created",
      { DRYDOCK_DATA: "/dev/null/data" },
      [],
      1,
      /^The data directory \/dev\/null\/data cannot be written/,
    ],
    [
      "a database that does not answer",
      {
        DATABASE_URL: "postgres://app:secret@127.0.0.1:1/drydock",
        DATABASE_OWNER_URL: "postgres://owner:secret@127.0.0.1:1/drydock",
      },
      ["--services=feed"],
      1,
      /^DATABASE_OWNER_URL leads to no database that answers: connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/,
    ],
  ])("%s exits with code 1 and one sentence", async (_title, env, args, code, message) => {
    const { output, ended } = spawnMain({ ...settings(), ...env }, args);
    expect(await ended).toBe(code);
    expect(output.err).toMatch(message);
    expect(output.err.trim().split("\n")).toHaveLength(1);
  });

  test("--help lists the settings", async () => {
    const { output, ended } = spawnMain({}, ["--help"]);
    expect(await ended).toBe(0);
    expect(output.out).toContain("WORLD_SPEED");
  });

  test("a second instance on the same data is refused, and a start after kill -9 recovers", async () => {
    const env = settings();
    const first = spawnMain(env);
    await untilRunning(first);
    const pid = postgresPid(env.DRYDOCK_DATA)!;

    const second = spawnMain(env);
    expect(await second.ended).toBe(1);
    expect(second.output.err).toBe(
      `The data directory ${env.DRYDOCK_DATA} is in use by another Drydock (process ${first.child.pid}): stop that one, or set DRYDOCK_DATA to another directory.\n`,
    );

    first.child.kill("SIGKILL");
    await first.ended;
    await until(() => !lives(pid));
    const third = spawnMain(env);
    await untilRunning(third);
    third.child.kill("SIGINT");
    expect(await third.ended).toBe(0);
    expect(postgresPid(env.DRYDOCK_DATA)).toBeNull();
  });

  test("the program reports a PostgreSQL crash, stops and can be restarted", async () => {
    const env = settings();
    const first = spawnMain(env);
    await untilRunning(first);
    // Jobs have run, so that there is something to write while stopping.
    await sleep(1_500);
    process.kill(postgresPid(env.DRYDOCK_DATA)!, "SIGKILL");
    expect(await first.ended).toBe(1);
    expect(first.output.err).toBe(
      "PostgreSQL exited unexpectedly; see postgres/log in the data directory for the reason.\n",
    );
    expect(existsSync(join(env.DRYDOCK_DATA, "drydock.lock"))).toBe(false);
    const second = spawnMain(env);
    await untilRunning(second);
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  test("a stale lock of a killed machine is taken over", async () => {
    const env = settings();
    writeFileSync(join(env.DRYDOCK_DATA, "drydock.lock"), `${process.pid} 1\n`);
    const program = spawnMain(env);
    await untilRunning(program);
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(0);
  });
});

describe("a driven clock", () => {
  test("a driven clock advances over a local socket, in test worlds only", async () => {
    const program = await start({
      WORLD: "test-tide",
      WORLD_CLOCK: "driven",
      WORLD_START: "2026-01-05",
    });
    const socket = connect(join(config().dataDirectory, "clock-test-tide.sock"));
    const sendLine = async (line: string) => {
      socket.write(`${line}\n`);
      return String((await once(socket, "data"))[0]).trim();
    };
    const startMs = Date.UTC(2026, 0, 5);
    expect(await sendLine("")).toBe(String(startMs));
    expect(await sendLine(String(startMs + 5000))).toBe(String(startMs + 5000));
    expect(await sendLine(String(startMs))).toBe("error world time cannot go back");
    expect(await sendLine("soon")).toBe("error not a time in milliseconds");
    socket.destroy();
    await program.stop();
  });
});
