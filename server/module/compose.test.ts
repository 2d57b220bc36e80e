import { expect, test, vi } from "vitest";
import { type AnyModule, composeModules, sortByNeeds } from "#server/module/compose.ts";
import { type Contributions, defineModule, type ModuleFields } from "#server/module/module.ts";
import { type Bus, createLocalBus } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";
import { StartError } from "#server/platform/startError.ts";

const getContext = (bus: Bus = createLocalBus(() => {})) => ({ bus }) as AppContext;
const emptyModule = {
  service: null,
  routes: null,
  jobs: null,
  personalData: null,
} satisfies ModuleFields;

/** Modules by name, with the names of their needs. */
const toModules = (list: Record<string, string[]>) =>
  Object.entries(list).map(([name, needs]) => ({ name, needs }));
const sortNames = (list: Record<string, string[]>) =>
  sortByNeeds(toModules(list), ["clock"]).map(({ name }) => name);

test.each<[string, Record<string, string[]>, string[]]>([
  ["in list order without dependencies", { b: [], a: [] }, ["b", "a"]],
  ["after its dependencies", { a: ["c"], b: [], c: [] }, ["c", "a", "b"]],
  ["after its transitive dependencies", { a: ["b"], b: ["c"], c: [] }, ["c", "b", "a"]],
  ["once for several dependents", { a: ["c"], b: ["c"], c: [] }, ["c", "a", "b"]],
  ["without waiting for provided values", { a: ["clock", "contributions"] }, ["a"]],
])("a module is created %s", (_title, list, order) => {
  expect(sortNames(list)).toEqual(order);
});

test.each<[string, Record<string, string[]>, string]>([
  [
    "missing dependencies",
    { a: ["b"] },
    "The module a needs b, but there is no module of that name:",
  ],
  ["cycles", { x: ["a"], a: ["b"], b: ["c"], c: ["a"] }, "in a cycle: a → b → c → a."],
  ["self-dependencies", { a: ["a"] }, "in a cycle: a → a."],
  ["names of provided values", { clock: [] }, "Two modules are called clock:"],
])("%s stop the start with a sentence", (_title, list, message) => {
  expect(() => sortNames(list)).toThrow(StartError);
  expect(() => sortNames(list)).toThrow(message);
});

test("duplicate module names stop the start", () => {
  expect(() => sortByNeeds(toModules({ a: [] }).concat(toModules({ a: [] })), [])).toThrow(
    "Two modules are called a: rename one of them.",
  );
});

test("a module receives only its dependencies, in any list order", async () => {
  const received: unknown[] = [];
  const second = defineModule<{ first: { answer: number }; unit: string }>()({
    name: "second",
    needs: ["first", "unit"],
    create: (_ctx, deps) => {
      received.push(deps);
      return { ...emptyModule, service: `${deps.first.answer} ${deps.unit}` };
    },
  });
  const first = defineModule()({
    name: "first",
    needs: [],
    create: async () => ({ ...emptyModule, service: { answer: 42 } }),
  });
  const { services, names } = await composeModules(getContext(), [second, first], {
    unit: "pUSDT",
    other: 1,
  });
  expect(services).toEqual({ first: { answer: 42 }, second: "42 pUSDT" });
  expect(received).toEqual([{ first: { answer: 42 }, unit: "pUSDT" }]);
  expect(names).toEqual(["first", "second"]);
});

/** A module that declares only some fields. */
const saying = (name: string, fields: Partial<ModuleFields>): AnyModule =>
  defineModule()({ name, needs: [], create: () => ({ ...emptyModule, ...fields }) });
const compose = (...list: AnyModule[]) => composeModules(getContext(), list as never, {});

test("a registry sees contributions of modules created after it", async () => {
  const registers: Pick<Contributions, "records">[] = [];
  const register = defineModule<{ contributions: Pick<Contributions, "records"> }>()({
    name: "register",
    needs: ["contributions"],
    create: (_ctx, { contributions }) => {
      expect(() => contributions.records).toThrow("read before all modules were created");
      registers.push(contributions);
      return emptyModule;
    },
  });
  const laterModules = [
    saying("mining", { records: { prefix: "mining" } }),
    saying("send", { records: { prefix: "send" } }),
    saying("pin", {}),
  ];
  await compose(register, ...laterModules);
  expect(registers[0]!.records).toEqual([{ prefix: "mining" }, { prefix: "send" }]);
});

test.each<[string, Partial<ModuleFields>, string]>([
  ["records", { records: { prefix: "send" } }, "send in records"],
  [
    "attempts",
    { attempts: { running: { product: "mining", read: async () => new Map() } } },
    "mining in attempts",
  ],
  ["audit checks", { auditChecks: { stock: async () => {} } }, "stock in auditChecks"],
  ["pages", { personPages: { account: async () => null as never } }, "account in personP"],
  ["health", { health: { feed: async () => null as never } }, "feed in health"],
])("duplicate names in %s stop the start", async (_title, fields, message) => {
  const twice = compose(saying("a", fields), saying("b", fields));
  await expect(twice).rejects.toThrow(StartError);
  await expect(twice).rejects.toThrow(`The modules a and b both define ${message}`);
});

test("hooks and personal data may be declared by several modules", async () => {
  const fields: Partial<ModuleFields> = {
    onSecond: {},
    voidsOfDay: async () => null,
    attempts: { onClose: async () => {} },
    personalData: [{ name: "wallet", erase: null }],
  };
  await compose(saying("a", fields), saying("b", fields));
});

test("prepare runs in dependency order, and stop in reverse", async () => {
  const calls: string[] = [];
  const worker = (name: string, needs: string[]) =>
    ({
      name,
      needs,
      create: () => ({
        ...emptyModule,
        prepare: async () => void calls.push(`prepare ${name}`),
        stop: () => void calls.push(`stop ${name}`),
      }),
    }) satisfies AnyModule;
  const modules = await compose(worker("b", ["a"]), worker("a", []));
  await modules.prepare();
  await modules.stop();
  await modules.stop();
  expect(calls).toEqual(["prepare a", "prepare b", "stop b", "stop a"]);
});

test("a module that fails to stop does not prevent others from stopping", async () => {
  const stop = vi.fn();
  const failing = () => {
    throw new Error("no database");
  };
  const modules = await compose(saying("whole", { stop }), saying("broken", { stop: failing }));
  await expect(modules.stop()).rejects.toThrow(
    "Not everything stopped as it should: the module broken.",
  );
  expect(stop).toHaveBeenCalledOnce();
});

test("modules already created are stopped if a later one fails", async () => {
  const stop = vi.fn();
  const brokenModule: AnyModule = {
    name: "broken",
    needs: [],
    create: () => {
      throw new StartError("The key file is missing.");
    },
  };
  await expect(compose(saying("whole", { stop }), brokenModule)).rejects.toThrow("key file");
  expect(stop).toHaveBeenCalledOnce();
});

test("listeners receive events from the start to the stop of the modules", async () => {
  const received: number[] = [];
  const bus = createLocalBus((error) => {
    throw error;
  });
  const listening = saying("a", { events: { "log.appended": ({ next }) => received.push(next) } });
  const modules = await composeModules(getContext(bus), [listening] as never, {});
  bus.publish("log.appended", { next: 1 });
  await modules.stop();
  bus.publish("log.appended", { next: 2 });
  expect(received).toEqual([1]);
});
