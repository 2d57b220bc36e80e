import { execFile } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Program, startProgram } from "#server/app/program.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { type Directory, formatCode, openDirectory } from "#server/platform/worlds/directory.ts";
import { runningAdminUrl, runningOwnerUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";
import { createClient, signIn, type TestSession } from "#server/testing/client.ts";
import { hasPeople, nextRemovalStep, removeWorld } from "./removal.ts";

/** One program that serves the main world and two of the directory. */
const directory = mkdtempSync(join(tmpdir(), "drydock-worlds-"));
chmodSync(directory, 0o711);
const data = join(directory, "data");
let program: Program;
let worlds: Directory;
let mainPort: number;
const speeds: Record<string, Record<string, string>> = { alpha: {}, beta: { WORLD_SPEED: "2" } };
const ports: Record<string, number> = {};
const codes: Record<string, string> = {};
let person: TestSession;

beforeAll(async () => {
  const settings = { DRYDOCK_DATA: data, PORT: "0", LOG_LEVEL: "silent" };
  program = await startProgram(readConfig(settings), async () => null);
  mainPort = Number(new URL(program.address!).port);
  const urls = { owner: runningOwnerUrl(data), app: runningPostgresUrl(data) };
  worlds = await openDirectory(urls);
  for (const name of ["alpha", "beta"]) {
    const entry = await worlds.add(
      { name, settings: speeds[name]! },
      { firstPort: await freePort(), awakeMax: 60 },
    );
    ports[name] = entry.port!;
    codes[name] = entry.code;
  }
  for (const port of Object.values(ports)) await until(() => isOpen(port));
  person = await signIn(createClient({ port: ports.alpha! }));
}, 120_000);
afterAll(async () => {
  await worlds.close();
  await program.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Uses `node:http`, because fetch sets the host header itself. */
function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      { host: "127.0.0.1", port, path, headers, agent: false },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (part) => {
          body += part;
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body }),
        );
      },
    );
    httpRequest.on("error", reject).end();
  });
}

const isOpen = (port: number) =>
  ask(port, "/api/health").then(
    ({ status }) => status === 200,
    () => false,
  );

/** The name of the world that answers. */
async function worldAt(port: number, host = `127.0.0.1:${port}`): Promise<string> {
  const { body } = await ask(port, "/api/log/getState", { host });
  return JSON.parse(body).data.origin.split("/")[1];
}

test("each world answers at its own port and under its name at the main address", async () => {
  expect(await worldAt(mainPort)).toBe("harbour");
  for (const [name, port] of Object.entries(ports)) {
    expect(await worldAt(port)).toBe(name);
    expect(await worldAt(mainPort, `${name}.localhost:${mainPort}`)).toBe(name);
  }
  expect(await worldAt(mainPort, `harbour.localhost:${mainPort}`)).toBe("harbour");
});

test("each world without an operator gets its own code, with its address", async () => {
  const first: { world: string; address: string; code: string }[] = [];
  program.onFirstCode((code) => first.push(code));
  expect(first.map(({ world, address }) => [world, address])).toEqual(
    Object.entries(ports).map(([name, port]) => [name, `http://127.0.0.1:${port}`]),
  );
  expect(new Set(first.map(({ code }) => code)).size).toBe(2);
});

test("each world closes its own seconds and pushes them to its own sockets", async () => {
  const heard = async (url: string, host: string) => {
    const socket = new WebSocket(url, { headers: { host } });
    const second = await new Promise<number>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("open", () => socket.send(JSON.stringify({ op: "hello" })));
      socket.on("message", (text: Buffer) => {
        const message = JSON.parse(text.toString());
        if (typeof message.second_ms === "number") resolve(message.second_ms);
      });
      socket.on("close", (code) => reject(new Error(`closed with ${code}`)));
    });
    socket.close();
    return second;
  };
  const url = `ws://127.0.0.1:${mainPort}/ws`;
  const messages = await heard(`ws://127.0.0.1:${ports.alpha}/ws`, `127.0.0.1:${ports.alpha}`);
  const answer = await heard(url, `alpha.localhost:${mainPort}`);
  expect(answer - messages).toBeGreaterThanOrEqual(0);
  expect(answer - messages).toBeLessThan(30_000);
});

test("a session of one world is invalid in another, under either cookie", async () => {
  const fetchAt = async (port: number, cookie: string) => {
    const { body } = await ask(port, "/api/user/getPin", { cookie });
    return JSON.parse(body).error ?? "accepted";
  };
  const { alpha, beta } = ports as { alpha: number; beta: number };
  expect(await fetchAt(alpha, `w1Token_alpha=${person.token}`)).toBe("accepted");
  for (const name of ["w1Token", "w1Token_alpha", "w1Token_beta"]) {
    expect(await fetchAt(beta, `${name}=${person.token}`)).toBe("session.required");
    expect(await fetchAt(mainPort, `${name}=${person.token}`)).toBe("session.required");
  }
  // At its own world, too, under the name of another one's.
  expect(await fetchAt(alpha, `w1Token_beta=${person.token}`)).toBe("session.required");
  expect(await fetchAt(alpha, `w1Token=${person.token}`)).toBe("session.required");
});

test("the world finder redirects a code to its world and reveals no other world", async () => {
  const page = await ask(mainPort, "/", { "accept-language": "de-AT,de;q=0.9" });
  expect(page.status).toBe(200);
  expect(page.body).toContain('<html lang="de">');
  expect(page.body).toContain("Mehrere Welten teilen sich diese Adresse");
  expect(page.body).not.toMatch(/alpha|beta|harbour/);
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");

  const code = formatCode(codes.alpha!).toLowerCase();
  const response = await ask(mainPort, `/worlds?code=${code}`);
  expect(response.body).toContain(`href="http://127.0.0.1:${ports.alpha}/home"`);
  expect(response.body).not.toMatch(/beta|harbour/);

  const wrongAnswer = await ask(mainPort, "/worlds?code=%3Cscript%3E");
  expect(wrongAnswer.status).toBe(404);
  expect(wrongAnswer.body).not.toContain("script");
  expect((await ask(mainPort, "/", { host: `gamma.localhost:${mainPort}` })).status).toBe(404);
  // A session of the main world stays on the main world, and so does every other address of it.
  expect((await ask(mainPort, "/", { cookie: "w1Token=x" })).body).not.toContain("/worlds");
  // A foreign name that resolves to this machine gets no page.
  expect((await ask(mainPort, "/worlds", { host: "evil.example" })).body).toContain("wrong_host");
});

test("only wrong codes are rate limited", async () => {
  const tries = Array.from({ length: 25 }, () => ask(mainPort, "/worlds?code=AAAAAAAA"));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect((await ask(mainPort, `/worlds?code=${codes.beta}`)).status).toBe(200);
});

interface Ran {
  status: number;
  out: string;
  err: string;
}

/** Runs `npm run worlds` beside the running program. */
const command = (...args: string[]): Promise<Ran> => run(["tools/worlds/worlds.ts", ...args]);

function run(args: string[], more: Record<string, string> = {}): Promise<Ran> {
  const env = { PATH: process.env.PATH, DRYDOCK_DATA: data, PORT: String(mainPort), ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), out: stdout, err: stderr });
    });
  });
}

async function execute<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: runningAdminUrl(data) });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Seconds that a world has closed. */
async function seconds(world: string): Promise<number> {
  const [row] = await execute<{ count: number }>(
    `select count(*)::integer as count from world_${world}.market_second`,
  );
  return row!.count;
}

/** Until nothing is added for three seconds. */
async function untilStill(count: () => Promise<number>): Promise<void> {
  for (let before = -1; ; ) {
    const now = await count();
    if (now === before) return;
    before = now;
    await sleep(3_000);
  }
}

/** Counts the program's connections by purpose. */
async function connections(): Promise<Record<string, number>> {
  const rows = await execute<{ name: string; count: number }>(
    `select application_name as name, count(*)::integer from pg_stat_activity
     where application_name like 'drydock%' group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test("three worlds share one set of locks, clocks and pools", async () => {
  const open = await connections();
  // One of each for the program and one for the feed's process.
  expect(open["drydock-locks"]).toBe(2);
  expect(open["drydock-clock"]).toBe(2);
  expect(open.drydock).toBeLessThanOrEqual(2 * 22);
});

test("a world is exported as one file that the verifier reads offline", async () => {
  const file = join(directory, `alpha-${Date.now()}.tar`);
  const { status, out: stdout, err: stderr } = await command("export", "alpha", file);
  expect(status, stderr).toBe(0);
  const [, vkey] = /--key (\S+)/.exec(stdout)!;
  const memory = join(directory, "memory.json");
  const verifyArguments = [
    "verify/main.ts",
    "--archive",
    file,
    "--log",
    "--whole",
    "--memory",
    memory,
  ];
  const checked = await run([...verifyArguments, "--key", vkey!]);
  expect(checked.status, checked.out + checked.err).toBe(0);
  expect(checked.out).toContain("published texts are those that the log names.");
}, 120_000);

test("an archived world closes, keeps its data and resumes when woken", async () => {
  const port = ports.alpha!;
  await worlds.setState("alpha", "archived");
  await until(async () => !(await isOpen(port)));
  expect(await worldAt(ports.beta!)).toBe("beta");
  const answer = await ask(mainPort, `/worlds?code=${codes.alpha}`);
  expect(answer.status).toBe(410);
  await worlds.setState("alpha", "awake");
  await until(() => isOpen(port));
  const cookie = `w1Token_alpha=${person.token}`;
  const { body } = await ask(port, "/api/user/getPin", { cookie });
  expect(JSON.parse(body).code).toBe(1);
});

test("an unused world falls asleep on command, and the first request wakes it", async () => {
  const port = ports.beta!;
  await sleep(1_500);
  expect((await command("sleep", "beta")).out).toBe(
    "The world beta is asleep: the next request wakes it.\n",
  );
  const readClosedCount = () => seconds("beta");
  await untilStill(readClosedCount);
  const before = await readClosedCount();
  const beganMs = performance.now();
  expect(await worldAt(port)).toBe("beta");
  // Half a second on a quiet machine; measured by the trial.
  expect(performance.now() - beganMs).toBeLessThan(10_000);
  const entry = (await worlds.list()).find(({ name }) => name === "beta");
  expect(entry?.state).toBe("awake");
  await until(async () => (await readClosedCount()) > before);
  // The log records that it slept, before the next second.
  const [sleepLeaf] = await execute<{ leaf: string; next: string; body: string }>(
    `select leaf, (select min(leaf) from world_beta.log_leaf n
         where kind = 2 and n.leaf > l.leaf) as next,
       convert_from(substr(bytes, 12), 'utf8') as body
     from world_beta.log_leaf l where kind = 15 order by leaf desc`,
  );
  expect(Number(sleepLeaf!.next)).toBeGreaterThan(Number(sleepLeaf!.leaf));
  const { last_second_ms: last, woke_at_ms: woke } = JSON.parse(sleepLeaf!.body);
  expect(woke - last).toBeGreaterThan(5_000);
});

test("a world that fails to fall asleep keeps answering and falls asleep later", async () => {
  const port = ports.beta!;
  // The command's wake-up note is dropped, and the program's own, once the world is idle, is kept.
  await execute(`
    create sequence drydock_directory.refusals;
    grant usage on sequence drydock_directory.refusals to drydock_app;
    create function drydock_directory.refuse() returns trigger language plpgsql as $$
    begin perform nextval('drydock_directory.refusals'); raise 'the directory is unreachable'; end $$;
    create trigger refuse before update on drydock_directory.world_entry for each row
      when (old.state = 'asleep' and new.state = 'asleep')
      execute function drydock_directory.refuse()`);
  const wasRefused = async () => {
    const [row] = await execute<{ is_called: boolean }>(
      "select is_called from drydock_directory.refusals",
    );
    return row!.is_called;
  };
  await sleep(1_500);
  await worlds.setState("beta", "asleep");
  await until(wasRefused);
  expect(await worldAt(port)).toBe("beta");
  await execute("drop function drydock_directory.refuse() cascade");
  await execute("drop sequence drydock_directory.refusals");
  await worlds.setState("beta", "asleep");
  await untilStill(() => seconds("beta"));
  expect(await worldAt(port)).toBe("beta");
}, 120_000);

test("a world with an active person or pending work stays awake", async () => {
  const port = ports.alpha!;
  const getState = async () => (await worlds.list()).find(({ name }) => name === "alpha")?.state;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await new Promise((resolve) => socket.once("open", resolve));
  await sleep(1_500);
  await worlds.setState("alpha", "asleep");
  await until(async () => (await getState()) === "awake");
  expect(await isOpen(port)).toBe(true);
  socket.close();
  await new Promise((resolve) => socket.once("close", resolve));

  await execute(
    `insert into world_alpha.exchange_quote values (gen_random_uuid(), 'somebody', 'attempt',
     'pUSDT', 'pUSDC', 1, 1, 1, '[]', 0, 0, 4102444800000)`,
  );
  await sleep(1_500);
  await worlds.setState("alpha", "asleep");
  await until(async () => (await getState()) === "awake");
  await execute("delete from world_alpha.exchange_quote");
  await sleep(1_500);
  await worlds.setState("alpha", "asleep");
  await untilStill(() => seconds("alpha"));
  expect(await getState()).toBe("asleep");
  // It answers under its name, too.
  expect(await worldAt(mainPort, `alpha.localhost:${mainPort}`)).toBe("alpha");
  expect(await getState()).toBe("awake");
});

test("a world is removed with all of its data after thirty days' notice to its people", async () => {
  const owner = runningOwnerUrl(data);
  const find = async () => (await worlds.list()).find(({ name }) => name === "alpha");
  const dayMs = 86_400_000;
  expect(await hasPeople(owner, "alpha")).toBe(true);
  expect(await hasPeople(owner, "beta")).toBe(false);
  expect(nextRemovalStep((await find())!, true, 0)).toEqual({ what: "give_notice" });

  await worlds.askRemoval("alpha");
  await until(async () => (await find())?.removeAfterMs !== null);
  const { removeAfterMs } = (await find())!;
  const nowMs = await worlds.nowMs();
  expect(removeAfterMs! - nowMs).toBeGreaterThan(30 * dayMs - 60_000);
  expect(nextRemovalStep((await find())!, true, nowMs)).toEqual({
    what: "wait",
    untilMs: removeAfterMs,
  });
  expect(nextRemovalStep((await find())!, true, removeAfterMs!)).toEqual({ what: "remove" });
  const notice = () => ask(ports.alpha!, "/api/index/findNotice?type=bar", { language: "de" });
  await until(async () => (await notice()).body.includes("Diese Welt wird"));

  const listFiles = (name: string) =>
    readdirSync(data).filter((file) => file.includes(`-${name}.`));
  const config = readConfig({ DRYDOCK_DATA: data });
  await worlds.setState("alpha", "archived");
  const program = { ownerUrl: owner, config, realClock };
  await expect(removeWorld(program, { name: "alpha", hadNotice: false })).rejects.toThrow(
    "Somebody has signed in to the world alpha meanwhile",
  );
  await removeWorld(program, { name: "alpha", hadNotice: true });
  await worlds.remove("alpha");
  expect(listFiles("alpha")).toEqual([]);
  expect(listFiles("beta").length).toBeGreaterThan(2);
  const schemas = await execute<{ name: string }>(
    "select schema_name as name from information_schema.schemata where schema_name like 'world_%' order by 1",
  );
  expect(schemas.map(({ name }) => name)).toEqual(["world_beta", "world_harbour"]);
  expect(globSync("keys/person/*/*", { cwd: data })).toEqual([
    expect.stringMatching(new RegExp(`${person.userId}\\.gone$`)),
  ]);
  expect(await worldAt(ports.beta!)).toBe("beta");
});

test("the command lists worlds with codes and addresses, and explains refusals", async () => {
  const outputLines = (await command("list")).out.split("\n");
  expect(outputLines.find((line) => line.startsWith("beta"))).toMatch(
    new RegExp(
      `^beta  (awake|asleep)  ${formatCode(codes.beta!)}  http://127\\.0\\.0\\.1:${ports.beta}  made`,
    ),
  );
  expect(await command("archive", "gamma")).toMatchObject({
    status: 1,
    err: "There is no world gamma: npm run worlds -- list names them.\n",
  });
  expect((await command("create", "harbour")).err).toMatch(
    /^harbour is the world of the main address/,
  );
  expect((await command("create", "gamma", "--speed", "99")).err).toMatch(/^WORLD_SPEED is wrong/);
  expect((await command("fly", "beta")).status).toBe(2);
});

test("a world is created from a template, and a missing recording is refused with the command that fetches it", async () => {
  expect(await command("create", "gamma", "--template", "calm-fortnight")).toMatchObject({
    status: 1,
    err: "The recording calm-2023 is not here yet: npm run recordings -- --preset calm-2023 fetches it.\n",
  });
  const result = await command("create", "delta", "--template", "mining-month", "--speed", "20");
  expect(result.out, result.err).toContain("turn them off under Classes");
  const entry = (await worlds.list()).find(({ name }) => name === "delta")!;
  expect(entry.settings).toEqual({ MARKET: "simulated", WORLD_SPEED: "20" });
  await until(() => isOpen(entry.port!));
  const { body } = await ask(entry.port!, "/log/tile/entries/000.p/1");
  expect(body).toContain('"speed":20');
  await worlds.setState("delta", "archived");
}, 120_000);

test("a duplicate name and a world beyond the limit are refused", async () => {
  const add = (name: string, awakeMax: number) =>
    worlds.add({ name, settings: {} }, { firstPort: 9_000, awakeMax });
  await expect(add("beta", 60)).rejects.toThrow(
    "There is a world beta already: choose another name.",
  );
  const awakeCount = (await worlds.list()).filter(({ state }) => state === "awake").length;
  await expect(add("epsilon", awakeCount)).rejects.toThrow(
    `${awakeCount} worlds are awake, the most that WORLDS_AWAKE allows: put one to sleep or archive one first.`,
  );
});

test("a sleeping world moves to another database, where its log continues", async () => {
  await execute("create database elsewhere owner drydock_owner");
  const toElsewhere = (url: string) => url.replace(/\/[^/?]+(\?|$)/, "/elsewhere$1");
  const to = {
    owner: toElsewhere(runningOwnerUrl(data)),
    app: toElsewhere(runningPostgresUrl(data)),
  };
  const move = () =>
    run(["tools/worlds/worlds.ts", "move", "beta"], {
      TO_DATABASE_URL: to.app,
      TO_DATABASE_OWNER_URL: to.owner,
    });
  expect((await move()).err).toBe("The world beta is awake: npm run worlds -- sleep beta first.\n");
  const memory = join(directory, "moved.json");
  const verify = (url: string) =>
    run(["verify/main.ts", "--log", "--whole", "--url", url, "--memory", memory]);
  const before = await verify(`http://127.0.0.1:${ports.beta}`);
  expect(before.status, before.out + before.err).toBe(0);
  await worlds.setState("beta", "archived");
  const moveResult = await move();
  expect(moveResult.status, moveResult.err).toBe(0);
  expect(moveResult.out).toMatch(
    /^The world beta is moved: \d+ rows of \d+ tables, all compared\./,
  );
  expect((await worlds.list()).some(({ name }) => name === "beta")).toBe(false);
  const remainder = await execute(
    "select 1 from information_schema.schemata where schema_name = 'world_beta'",
  );
  expect(remainder).toEqual([]);

  const settings = { ...{ DRYDOCK_DATA: data, PORT: "0", LOG_LEVEL: "silent" }, WORLD: "beta" };
  const urls = { DATABASE_URL: to.app, DATABASE_OWNER_URL: to.owner };
  const movedProgram = await startProgram(readConfig({ ...settings, ...urls }), async () => null);
  try {
    const after = await verify(`http://127.0.0.1:${new URL(movedProgram.address!).port}`);
    // At a new address no log was known; the log is the same as before.
    expect(after.status, after.out + after.err).toBe(0);
    expect(after.out).toMatch(/continues the one remembered/);
  } finally {
    await movedProgram.stop();
  }
}, 300_000);
