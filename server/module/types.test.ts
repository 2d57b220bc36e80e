import { expect, test } from "vitest";
import { composeModules } from "#server/module/compose.ts";
import { defineModule } from "#server/module/module.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Code that the compiler rejects: `npm run check` fails when the line under an expectation
 * compiles. The assertions show that only the compiler would have caught the error, or that
 * start-up reports it too.
 */
const ctx = { bus: createLocalBus(() => {}) } as AppContext;
const noFields = { routes: null, jobs: null, personalData: null } as const;
const clock = defineModule()({
  name: "clock",
  needs: [],
  create: () => ({ ...noFields, service: { nowMs: () => 1 } }),
});
const alarm = defineModule<{ clock: { nowMs(): number } }>()({
  name: "alarm",
  needs: ["clock"],
  create: () => ({ ...noFields, service: null }),
});

test("a dependency with the right type compiles, whether from a module or provided", async () => {
  const { services } = await composeModules(ctx, [alarm, clock], {});
  expect(services.clock.nowMs().toFixed()).toBe("1");
  const modules = await composeModules(ctx, [alarm], { clock: { nowMs: () => 1 } });
  expect(modules.names).toEqual(["alarm"]);
});

test("a missing dependency does not compile", async () => {
  // @ts-expect-error alarm needs clock
  const composing = composeModules(ctx, [alarm], {});
  await expect(composing).rejects.toThrow("The module alarm needs clock");
});

test("a dependency of another type does not compile", async () => {
  const sundial = defineModule()({
    name: "clock",
    needs: [],
    create: () => ({ ...noFields, service: { nowMs: () => "noon" } }),
  });
  // @ts-expect-error nowMs returns a string
  expect((await composeModules(ctx, [alarm, sundial], {})).names).toEqual(["clock", "alarm"]);
  // @ts-expect-error nowMs is missing
  expect((await composeModules(ctx, [alarm], { clock: {} })).names).toEqual(["alarm"]);
});

test("an unknown service does not compile", async () => {
  const { services } = await composeModules(ctx, [clock], {});
  // @ts-expect-error there is no alarm in this list
  expect(services.alarm).toBeUndefined();
});

test("needs must list exactly the keys of Deps to compile", () => {
  const define = defineModule<{ clock: { nowMs(): number } }>();
  const create = () => ({ ...noFields, service: null });
  // @ts-expect-error clock is missing in needs
  expect(define({ name: "alarm", needs: [], create }).needs).toEqual([]);
  // @ts-expect-error Deps has no ledger
  expect(define({ name: "alarm", needs: ["clock", "ledger"], create }).needs).toHaveLength(2);
});

const define = defineModule();
const a = { name: "a", needs: [] } as const;

test("a module without a required field does not compile", async () => {
  // @ts-expect-error personalData is missing
  const silent = define({ ...a, create: () => ({ service: null, routes: null, jobs: null }) });
  const otherFields = { service: null, personalData: null };
  // @ts-expect-error routes is missing
  const closed = define({ ...a, create: () => ({ ...otherFields, jobs: null }) });
  // @ts-expect-error jobs is missing
  const idle = define({ ...a, create: () => ({ ...otherFields, routes: null }) });
  // @ts-expect-error service is missing
  const empty = define({ ...a, create: async () => noFields });
  for (const module of [silent, closed, idle, empty]) {
    expect((await composeModules(ctx, [module], {})).names).toEqual(["a"]);
  }
});

test("a misspelled or malformed field does not compile", async () => {
  const fields = { ...noFields, service: null };
  // @ts-expect-error auditCheck is not a field of a module
  const misspelled = define({ ...a, create: () => ({ ...fields, auditCheck: {} }) });
  const line = { prefix: "a", inLine: 1 };
  // @ts-expect-error a line is a function
  const misshapen = define({ ...a, create: () => ({ ...fields, records: line }) });
  const rows = [{ name: "a" }];
  // @ts-expect-error erase is missing: null would mean that nothing is erased
  const defined = define({ ...a, create: () => ({ ...fields, personalData: rows }) });
  const events = { "second.closed": () => {}, "log.append": () => {} };
  // @ts-expect-error no such event
  const withoutListener = define({ ...a, create: () => ({ ...fields, events }) });
  const wallet = [{ name: "a", erase: null, list: {} }];
  // @ts-expect-error the lists of a source are named lists
  const withoutData = define({ ...a, create: () => ({ ...fields, personalData: wallet }) });
  for (const module of [misspelled, misshapen, defined, withoutListener, withoutData]) {
    expect((await composeModules(ctx, [module], {})).names).toEqual(["a"]);
  }
});
