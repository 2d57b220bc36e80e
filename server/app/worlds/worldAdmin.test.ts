import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createOperatorWorld, type OperatorWorld, type Person } from "#server/operator/testing.ts";
import { worldsRoutes } from "#server/operator/worlds/routes.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { createWorldAdmin } from "./worldAdmin.ts";

/**
 * The console of a main world, on the directory of the tests' database; all names are unique to
 * this file.
 */
const urls = inject("postgres");
const data = mkdtempSync(join(tmpdir(), "drydock-acts-"));
let world: OperatorWorld;
let otherConsole: OperatorWorld;
let owner: Person;
let publisher: Person;
const getName = (name: string) => `acts-${process.pid}-${name}`;

beforeAll(async () => {
  const config = readConfig({ DRYDOCK_DATA: data, PORT: "43210" });
  const worldAdmin = createWorldAdmin({
    config,
    urls: { owner: urls.ownerUrl, app: urls.appUrl },
    realClock,
  });
  world = await createOperatorWorld({
    mount: (app, ctx) => worldsRoutes(app, { ...ctx, config, worldAdmin }),
  });
  otherConsole = await createOperatorWorld({ mount: (app, ctx) => worldsRoutes(app, ctx) });
  owner = await world.operator("owner");
  publisher = await world.operator("publisher", owner);
}, 60_000);
afterAll(async () => {
  await world.close();
  await otherConsole.close();
  rmSync(data, { recursive: true, force: true });
});

const request = (name: string) => ({
  name: getName(name),
  template: "blank",
  speed: null,
  start: null,
});

/** Lists this file's worlds by their names without the prefix. */
async function listNames() {
  const { data: answer } = await world.get(owner, "getWorlds");
  expect(answer.here).toBe(true);
  const items: { name: string; state: string; code: string; address: string }[] = answer.items;
  return new Map(
    items
      .filter(({ name }) => name.startsWith(getName("")))
      .map((row) => [row.name.slice(getName("").length), row]),
  );
}

async function events(): Promise<string[]> {
  const { data: answer } = await world.get(owner, "getAudit", { page_size: "50" });
  return answer.items.map(({ what }: { what: string }) => what);
}

test("only an owner can list worlds, and changing one requires elevation", async () => {
  expect((await world.get(publisher, "getWorlds")).error).toBe("operator.not_permitted");
  const stranger = await world.operator("owner", owner);
  for (const [name, input] of [
    ["createWorld", request("never")],
    ["setWorldState", { name: getName("never"), state: "asleep" }],
    ["removeWorld", { name: getName("never") }],
  ] as const)
    expect((await world.post(stranger, name, input)).error).toBe("operator.raise_required");
  expect(await listNames()).toEqual(new Map());
});

test("an idempotency key creates one world, with a code, an address and an audit event", async () => {
  await world.raise(owner);
  const key = world.newKey();
  const input = { ...request("first"), speed: 30, start: "2026-01-31" };
  const { data: createdWorld } = await world.post(owner, "createWorld", input, key);
  expect(createdWorld).toMatchObject({ name: getName("first"), state: "awake", main: false });
  expect(createdWorld.code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  expect(createdWorld.address).toMatch(/^http:\/\/127\.0\.0\.1:\d{5}$/);
  expect((await world.post(owner, "createWorld", input, key)).data).toEqual(createdWorld);
  expect([...(await listNames()).keys()]).toEqual(["first"]);
  expect((await events()).filter((what) => what === "worlds.made")).toHaveLength(1);
  expect((await world.post(owner, "createWorld", input)).error).toBe("worlds.name_taken");
});

test.each([
  ["a day that no world can begin on", { start: "1999-01-01" }, "worlds.start_wrong"],
  ["a speed beyond 60", { speed: 61 }, "request.malformed"],
  ["an unknown template", { template: "none" }, "request.malformed"],
  ["a name with a capital", { name: "Class" }, "request.malformed"],
])("%s is refused and creates nothing", async (_, change, error) => {
  const before = [...(await listNames()).keys()];
  const answer = await world.post(owner, "createWorld", { ...request("other"), ...change });
  expect(answer.error).toBe(error);
  expect([...(await listNames()).keys()]).toEqual(before);
});

test("a missing recording is refused with the command that fetches it", async () => {
  const before = [...(await listNames()).keys()];
  const input = { ...request("other"), template: "calm-fortnight" };
  expect(await world.post(owner, "createWorld", input)).toMatchObject({
    error: "worlds.recording_missing",
    msg: expect.stringContaining("npm run recordings -- --preset calm-2023"),
  });
  expect([...(await listNames()).keys()]).toEqual(before);
});

test("a world can be closed and reopened, and repeating either is refused", async () => {
  const set = (state: string) =>
    world.post(owner, "setWorldState", { name: getName("first"), state });
  expect((await set("awake")).error).toBe("worlds.already_so");
  expect((await set("archived")).code).toBe(1);
  expect((await listNames()).get("first")?.state).toBe("archived");
  expect((await set("asleep")).error).toBe("worlds.already_so");
  expect((await set("awake")).code).toBe(1);
  expect((await set("asleep")).code).toBe(1);
  expect((await listNames()).get("first")?.state).toBe("asleep");
  const unknown = await world.post(owner, "setWorldState", { name: "nobody", state: "awake" });
  expect(unknown.error).toBe("worlds.unknown");
});

test("a world that was never opened has nothing to export and is removed immediately", async () => {
  expect((await world.get(owner, "exportWorld", { name: getName("first") })).error).toBe(
    "worlds.nothing_signed",
  );
  const { data: answer } = await world.post(owner, "removeWorld", { name: getName("first") });
  expect(answer).toEqual({ what: "remove" });
  while ((await listNames()).size > 0) await sleep(50);
  expect(await events()).toContain("worlds.removed");
});

test("only the main world's console lists and changes worlds", async () => {
  const operator = await otherConsole.operator("owner");
  expect((await otherConsole.get(operator, "getWorlds")).data).toEqual({ here: false, items: [] });
  await otherConsole.raise(operator);
  for (const [name, input] of [
    ["createWorld", request("never")],
    ["removeWorld", { name: getName("never") }],
  ] as const)
    expect((await otherConsole.post(operator, name, input)).error).toBe("worlds.not_here");
});
