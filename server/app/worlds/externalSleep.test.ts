import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Program, startProgram } from "#server/app/program.ts";
import { createWorldAdmin } from "#server/app/worlds/worldAdmin.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { type Config, readConfig, type ServiceName } from "#server/platform/config/config.ts";
import { type Directory, openDirectory } from "#server/platform/worlds/directory.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#server/postgres/embedded.ts";

/** One program on an external database, with one world in the directory. */
const directory = mkdtempSync(join(tmpdir(), "drydock-external-"));
chmodSync(directory, 0o711);
const quietMs = 1_000;
let postgres: EmbeddedPostgres;
let config: Config;
let program: Program;
let worlds: Directory;
let port: number;

beforeAll(async () => {
  const dataDirectory = join(directory, "database");
  mkdirSync(dataDirectory);
  postgres = await startEmbeddedPostgres({ dataDirectory, fleeting: true });
  const settings = readConfig({
    ...{ DRYDOCK_DATA: join(directory, "data"), PORT: "0", LOG_LEVEL: "silent" },
    ...{ DATABASE_URL: postgres.appUrl, DATABASE_OWNER_URL: postgres.ownerUrl },
  });
  config = { ...settings, sleepAfterMs: quietMs, awakeMax: 2 };
  worlds = await openDirectory({ owner: postgres.ownerUrl, app: postgres.appUrl });
  port = (
    await worlds.add({ name: "alpha", settings: {} }, { firstPort: await freePort(), awakeMax: 60 })
  ).port!;
  program = await startProgram(config, async () => null);
}, 120_000);
afterAll(async () => {
  await program.stop();
  await worlds.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const state = async () => (await worlds.list()).find(({ name }) => name === "alpha")?.state;
async function untilState(expectedState: string): Promise<void> {
  while ((await state()) !== expectedState) await sleep(50);
}

test("a world falls asleep if its program alone uses the database, and a request wakes it", async () => {
  await untilState("asleep");
  const answer = await fetch(`http://127.0.0.1:${port}/api/log/getState`);
  expect(answer.status).toBe(200);
  expect(await state()).toBe("awake");
}, 120_000);

test("a world stays awake if another program uses the database, and the command explains why", async () => {
  await untilState("asleep");
  const services: ServiceName[] = ["worker"];
  const worker = await startProgram({ ...config, services }, async () => null);
  const urls = { owner: postgres.ownerUrl, app: postgres.appUrl };
  const worldAdmin = createWorldAdmin({ config, urls, realClock });
  try {
    await fetch(`http://127.0.0.1:${port}/api/log/getState`);
    // Long enough for several polls of the directory.
    for (const endMs = performance.now() + quietMs + 7_000; performance.now() < endMs; ) {
      expect(await state()).toBe("awake");
      await sleep(100);
    }
    await expect(worldAdmin.requestSleep("alpha")).rejects.toThrow(
      "Several programs use this database",
    );
  } finally {
    await worker.stop();
  }
  await worldAdmin.requestSleep("alpha");
  await untilState("asleep");
}, 120_000);

test("a world beyond WORLDS_AWAKE stays asleep, and a page in the visitor's language explains why", async () => {
  await untilState("asleep");
  const limits = { firstPort: port + 1, awakeMax: 2 };
  const { port: betaPort } = await worlds.add({ name: "beta", settings: {} }, limits);
  const isOpen = (ofPort: number | null) =>
    fetch(`http://127.0.0.1:${ofPort}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/home`, { headers });
  const browser = { accept: "text/html,*/*;q=0.8", "accept-language": "de-AT,de;q=0.9" };
  // In use, beta stays awake.
  const patience = { timeout: 60_000, interval: 100 };
  await expect
    .poll(async () => (await isOpen(betaPort)) && (await ask({})).status, patience)
    .toBe(503);
  const refusal = await ask(browser);
  expect(refusal.status).toBe(503);
  expect(refusal.headers.get("retry-after")).toBe("10");
  expect(await refusal.text()).toContain("Dieser Server kann nicht noch mehr Welten");
  expect(await (await ask({})).text()).toBe("");

  await worlds.setState("beta", "archived");
  await expect.poll(() => isOpen(port), patience).toBe(true);
}, 180_000);
