import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";
import { admissionLimits, createAdmission, type ReleaseAdmission } from "./admission.ts";

const limits = { slots: 1, waiting: 3, waitMs: 60_000, slotMs: 60_000 };
const stays = () => false;

/** Asks for places by name and records who got one, or was refused. */
function createPeople(overrides: Partial<typeof limits> = {}) {
  const admission = createAdmission({ ...limits, ...overrides });
  const events: string[] = [];
  const places: ReleaseAdmission[] = [];
  const ask = (caller: string, isGone = stays) => {
    const key = caller.split(" ")[0]!;
    return admission.enter(key, isGone).then((leave) => {
      events.push(leave ? caller : `not ${caller}`);
      if (leave) places.push(leave);
    });
  };
  const leave = async () => {
    places.shift()?.();
    await sleep(0);
  };
  return { ask, leave, seen: events };
}

test("a flood beyond the queue is logged as one limit", async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(JSON.parse(line)) });
  const goOn = Promise.withResolvers<string>();
  const app = await createTestApp(
    {
      config: readConfig({}),
      realClock: createSettableClock(testStartMs),
      logger,
      messages: createMessages(),
    },
    (app) => {
      app.get("/wait", () => goOn.promise);
    },
  );
  const requests = Array.from(
    { length: admissionLimits.slots + admissionLimits.waiting + 500 },
    () => app.inject({ url: "/wait", headers: { host: "127.0.0.1" } }),
  );
  const first = await Promise.race(requests);
  goOn.resolve("done");
  const refusals = (await Promise.all(requests)).filter(({ statusCode }) => statusCode !== 200);
  expect(refusals.length).toBeGreaterThan(1);
  expect(first.json()).toMatchObject({
    error: "server.unavailable",
    data: { limit: "admission", retry_after_seconds: 8 },
  });
  expect(lines).toEqual([
    expect.objectContaining({ msg: "security", event: "limit.reached", cause: "admission" }),
  ]);
  await app.close();
});

test("a request waits for a free slot, and networks take turns", async () => {
  const { ask, leave, seen } = createPeople({ waiting: 10 });
  for (const caller of ["a 1", "a 2", "a 3", "a 4", "b 1", "c 1"]) void ask(caller);
  await sleep(0);
  expect(seen).toEqual(["a 1"]);
  for (let remaining = 0; remaining < 5; remaining += 1) await leave();
  expect(seen).toEqual(["a 1", "a 2", "b 1", "c 1", "a 3", "a 4"]);
});

test("a full queue refuses its heaviest sender instead of the newcomer", async () => {
  const { ask, leave, seen } = createPeople();
  for (const caller of ["a 1", "a 2", "a 3", "a 4"]) void ask(caller);
  await ask("a 5");
  void ask("b 1");
  await sleep(0);
  expect(seen).toEqual(["a 1", "not a 5", "not a 4"]);
  for (let remaining = 0; remaining < 3; remaining += 1) await leave();
  expect(seen.slice(3)).toEqual(["a 2", "b 1", "a 3"]);
});

test("a request that waits too long is refused, and an aborted one takes no slot", async () => {
  const latePeople = createPeople({ waitMs: 20 });
  await latePeople.ask("a 1");
  await latePeople.ask("b 1");
  expect(latePeople.seen).toEqual(["a 1", "not b 1"]);
  const { ask, leave, seen } = createPeople();
  void ask("a 1");
  void ask("b 1", () => true);
  void ask("c 1");
  await leave();
  await leave();
  expect(seen).toEqual(["a 1", "not b 1", "c 1"]);
});

test("a request that outlasts its slot makes room once", async () => {
  const { ask, leave, seen } = createPeople({ slotMs: 20 });
  void ask("a 1");
  await ask("b 1");
  void ask("c 1");
  await leave(); // of a 1, whose place was given to b 1 already
  expect(seen).toEqual(["a 1", "b 1"]);
});

test("the server handles 128 requests concurrently and queues the others", async () => {
  const resolvers: (() => void)[] = [];
  const app = await createTestApp(
    {
      config: readConfig({}),
      realClock: createSettableClock(testStartMs),
      logger: createLogger("silent"),
      messages: createMessages(),
    },
    (app) => {
      app.get("/wait", () => new Promise((resolve) => resolvers.push(() => resolve("done"))));
    },
  );
  const requests = Array.from({ length: admissionLimits.slots + 1 }, () =>
    app.inject({ url: "/wait", headers: { host: "127.0.0.1" } }),
  );
  await vi.waitFor(() => expect(resolvers.length).toBeGreaterThanOrEqual(admissionLimits.slots));
  await sleep(50);
  expect(resolvers).toHaveLength(admissionLimits.slots);
  resolvers[0]!();
  await vi.waitFor(() => expect(resolvers).toHaveLength(admissionLimits.slots + 1), 500);
  for (const finish of resolvers) finish();
  const answers = await Promise.all(requests);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await app.close();
});
