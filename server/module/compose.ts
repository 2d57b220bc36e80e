import type { CollectedField, Contributions, Module, ModuleFields } from "#server/module/module.ts";
import type { BusEvents, BusTopic } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import type { WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";
import { StartError } from "#server/platform/startError.ts";
import { stopAll } from "#server/platform/stopAll.ts";

/** Any module, for use in lists: `never` accepts all needs. */
export type AnyModule = Module<string, never, unknown>;

/** The services of a list of modules, by module name. */
export type ServicesOf<List extends readonly AnyModule[]> = {
  readonly [One in List[number] as One["name"]]: One extends Module<string, never, infer Service>
    ? Service
    : never;
};

/** All modules of one world, created. */
export interface Modules<Services> {
  services: Services;
  /** Names in order of creation. */
  names: readonly string[];
  /** Mounts the calls of all modules. */
  mount: (app: App) => void;
  /** All modules' metrics of the world at `/metrics`. */
  metrics: () => WorldMetrics;
  /**
   * The activities that keep the world awake now, by name; those with a count of zero are absent.
   */
  keptAwakeBy: () => Promise<Readonly<Record<string, number>>>;
  prepare: () => Promise<void>;
  /** Stops modules in reverse order of creation, all of them; throws a StopError if one failed. */
  stop: () => Promise<void>;
}

/** The needs of a module that `Available` lacks, or has with another type. */
type MissingDeps<Deps, Available> = {
  [Need in keyof Deps]-?: Available extends { readonly [Name in Need]: infer Service }
    ? [Service] extends [Deps[Need]]
      ? never
      : Need
    : Need;
}[keyof Deps];

/**
 * The list itself when every need is met; otherwise the modules at fault become a type that no
 * module matches.
 */
type CheckedModules<List extends readonly AnyModule[], Provided> = {
  [Index in keyof List]: List[Index] extends Module<infer Name, infer Deps, unknown>
    ? [MissingDeps<Deps, ServicesOf<List> & Provided & { contributions: Contributions }>] extends [
        never,
      ]
      ? List[Index]
      : {
          error: `${Name} needs ${MissingDeps<Deps, ServicesOf<List> & Provided & { contributions: Contributions }> & string}, which no module offers in that form`;
        }
    : never;
};

/**
 * Creates modules in dependency order, in list order where that leaves a choice, and collects their
 * contributions. `provided` is available to all of them. Throws a StartError on a missing need, a
 * cycle, or a register entry that two modules claim. When one cannot be created, those before it
 * are stopped again.
 */
export async function composeModules<
  const List extends readonly AnyModule[],
  Provided extends Readonly<Record<string, unknown>>,
>(
  ctx: AppContext,
  list: List & CheckedModules<List, Provided>,
  provided: Provided,
): Promise<Modules<ServicesOf<List>>> {
  const sorted = sortByNeeds(list, Object.keys(provided));
  const contributions = collect();
  const available: Record<string, unknown> = { ...provided, contributions: contributions.view };
  const created: { name: string; fields: ModuleFields }[] = [];
  const leave: (() => void)[] = [];
  const stop = async () => {
    for (const end of leave.splice(0)) end();
    await stopAll(
      created.splice(0).map(({ name, fields }) => ({
        what: `the module ${name}`,
        stop: () => fields.stop?.(),
      })),
    );
  };
  try {
    for (const module of sorted) {
      const { name, needs } = module;
      const deps = Object.fromEntries(needs.map((need) => [need, available[need]]));
      // The types of all needs were checked when the list was compiled.
      const fields = await module.create(ctx, deps as never);
      created.push({ name, fields });
      available[name] = fields.service;
      contributions.add(name, fields);
      if (fields.jobs) ctx.jobs.add(fields.jobs);
    }
    contributions.close();
    for (const { fields } of created) leave.push(...listen(ctx, fields));
  } catch (error) {
    await stop().catch(() => {}); // the original error matters more
    throw error;
  }
  return {
    services: Object.fromEntries(
      created.map(({ name, fields }) => [name, fields.service]),
    ) as ServicesOf<List>,
    names: created.map(({ name }) => name),
    mount: (app) => {
      for (const { fields } of created) fields.routes?.(app);
    },
    metrics: () => Object.assign({}, ...contributions.view.metrics),
    keptAwakeBy: async () => {
      const rowCounts: Record<string, number> = {};
      for (const counts of contributions.view.keepsAwake)
        for (const [field, count] of Object.entries(counts)) {
          const rowCount = await count();
          if (rowCount > 0) rowCounts[field] = rowCount;
        }
      return rowCounts;
    },
    prepare: async () => {
      for (const { fields } of created) await fields.prepare?.();
    },
    stop,
  };
}

/** Sorts modules so that each comes after its needs. */
export function sortByNeeds<One extends Pick<AnyModule, "name" | "needs">>(
  list: readonly One[],
  provided: readonly string[],
): One[] {
  const byName = new Map<string, One>();
  for (const item of list) {
    if (byName.has(item.name) || provided.includes(item.name)) {
      throw new StartError(`Two modules are called ${item.name}: rename one of them.`);
    }
    byName.set(item.name, item);
  }
  const sorted = new Set<One>();
  const visit = (item: One, path: readonly string[]) => {
    if (sorted.has(item)) return;
    const from = path.indexOf(item.name);
    if (from >= 0) {
      const circle = [...path.slice(from), item.name].join(" → ");
      throw new StartError(`Modules depend on each other in a cycle: ${circle}.`);
    }
    for (const need of item.needs) {
      if (need === "contributions" || provided.includes(need)) continue;
      const neededModule = byName.get(need);
      if (!neededModule) {
        throw new StartError(
          `The module ${item.name} needs ${need}, but there is no module of that name: add it to server/app/modules.ts.`,
        );
      }
      visit(neededModule, [...path, item.name]);
    }
    sorted.add(item);
  };
  for (const item of list) visit(item, []);
  return [...sorted];
}

/**
 * Registers in which each name belongs to one module: how to get the claimed names from a field's
 * value.
 */
const claims: {
  readonly [Field in CollectedField]?: (
    value: NonNullable<ModuleFields[Field]>,
  ) => readonly string[];
} = {
  records: ({ prefix }) => [prefix],
  attempts: ({ running }) => (running ? [running.product] : []),
  auditChecks: Object.keys,
  personPages: Object.keys,
  classTasks: Object.keys,
  health: Object.keys,
  metrics: Object.keys,
  keepsAwake: Object.keys,
};

function collect() {
  const lists: { [Field in CollectedField]: NonNullable<ModuleFields[Field]>[] } = {
    personalData: [],
    onSecond: [],
    voidsOfDay: [],
    secondsNeededFrom: [],
    records: [],
    attempts: [],
    auditChecks: [],
    onUserCreated: [],
    onOperatorEnded: [],
    personPages: [],
    classTasks: [],
    health: [],
    metrics: [],
    keepsAwake: [],
  };
  const claimed = new Map<string, string>();
  let complete = false;
  const addTo = <Field extends CollectedField>(
    field: Field,
    module: string,
    value: ModuleFields[Field],
  ) => {
    if (value === undefined || value === null) return;
    for (const claim of claims[field]?.(value) ?? []) {
      const otherModule = claimed.get(`${field} ${claim}`);
      if (otherModule !== undefined) {
        throw new StartError(
          `The modules ${otherModule} and ${module} both define ${claim} in ${field}: remove one.`,
        );
      }
      claimed.set(`${field} ${claim}`, module);
    }
    lists[field].push(value);
  };
  const fields = Object.keys(lists) as CollectedField[];
  const view = {} as Contributions;
  for (const field of fields) {
    Object.defineProperty(view, field, {
      enumerable: true,
      get: () => {
        if (!complete) throw new Error(`${field} was read before all modules were created`);
        return lists[field];
      },
    });
  }
  return {
    view,
    add: (module: string, declared: ModuleFields) => {
      for (const field of fields) addTo(field, module, declared[field]);
    },
    close: () => {
      complete = true;
    },
  };
}

function listen({ bus }: Pick<AppContext, "bus">, { events = {} }: ModuleFields): (() => void)[] {
  const topics = Object.keys(events) as BusTopic[];
  return topics.map(<Topic extends BusTopic>(topic: Topic) =>
    bus.subscribe(topic, events[topic] as (event: BusEvents[Topic]) => void),
  );
}
