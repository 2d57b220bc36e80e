import type { PersonalDataSource } from "#server/account/personalData.ts";
import type { AttemptHooks } from "#server/attempts/types.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { SecondHooks } from "#server/market/feed.ts";
import type { PersonPages } from "#server/operator/people/deps.ts";
import type { BusEvents } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { HealthCheck } from "#server/platform/health.ts";
import type { App } from "#server/platform/http/context.ts";
import type { Job } from "#server/platform/jobs.ts";
import type { JournalRecords } from "#server/records/types.ts";

/**
 * What a domain is to the rest of the server: its service, its calls, and what it adds to the
 * registers of other domains. Every module must state `service`, `routes`, `jobs` and
 * `personalData`; the others are left out where it has nothing to add. An unknown field is a type
 * error.
 */
export interface ModuleFields {
  /** What other modules get under this module's name. */
  service: unknown;
  /**
   * Mounts the domain's calls on the web server; null: it has none. Only in a process that serves
   * `web`.
   */
  routes: ((app: App) => void) | null;
  /** Work that runs by itself once all modules are there; null: none. */
  jobs: readonly Job[] | null;
  /**
   * What is held about a person, to be exported and erased (docs/rules/personal-data.md): one entry
   * for each file of the archive that the domain writes into. Null: nothing.
   */
  personalData: readonly PersonalDataSource[] | null;
  /**
   * Hooks in the transaction that closes seconds, with nobody posting meanwhile, in the order of
   * creation. `beforeAppend` gives the order hashes that a second's leaf binds; `afterAppend` runs
   * once the leaves are appended and may append leaves of its own.
   */
  onSecond?: SecondHooks;
  /**
   * The oldest second of the market that still has to be settled from; null: none. Older ones may
   * be removed.
   */
  secondsNeededFrom?: () => Promise<number | null>;
  /**
   * What the domain's journals and its product line say in a person's records, by the prefix of the
   * journals' kind.
   */
  records?: JournalRecords;
  /** What runs, waits or was paid in an attempt. */
  attempts?: AttemptHooks;
  /** Comparisons with the ledger that the audit makes in its snapshot, by name. */
  auditChecks?: Readonly<Record<string, AuditCheck>>;
  /**
   * Called at each sign-in while a person is in their first attempt, in the order of creation: the
   * second time it does nothing, so that what a crash left unfinished is made good.
   */
  onUserCreated?: (who: { userId: string; attemptId: string }) => Promise<void>;
  /**
   * Pages of a person's own that an operator may read with that person's code. Each page is given
   * by one module.
   */
  personPages?: Partial<PersonPages>;
  /** Parts whose health decides whether the instance is ready, by name. */
  health?: Readonly<Record<string, HealthCheck>>;
  /** Listeners on the bus, from the start of the modules until their stop. */
  events?: { readonly [Topic in keyof BusEvents]?: (event: BusEvents[Topic]) => void };
  /**
   * What has to be there before the loops start, in the process that closes seconds; after that of
   * its needs. Idempotent.
   */
  prepare?: () => Promise<void>;
  /** Ends what is neither a job nor a request; before that of its needs. */
  stop?: () => Promise<void> | void;
}

/** Fields that an owning domain reads from all modules. */
export type CollectedField =
  | "personalData"
  | "onSecond"
  | "secondsNeededFrom"
  | "records"
  | "attempts"
  | "auditChecks"
  | "onUserCreated"
  | "personPages"
  | "health";

/**
 * What all modules said under a field, in their order. The domain that owns a register needs
 * `contributions` and reads it when it works: while modules are being created it is not complete,
 * and reading it throws.
 */
export type Contributions = {
  readonly [Field in CollectedField]: readonly NonNullable<ModuleFields[Field]>[];
};

/** A domain as the composition sees it; made by `defineModule`. */
export interface Module<Name extends string, Deps, Service> {
  readonly name: Name;
  readonly needs: readonly string[];
  create(
    ctx: AppContext,
    deps: Deps,
  ): (ModuleFields & { service: Service }) | Promise<ModuleFields & { service: Service }>;
}

/**
 * Declares a domain in `server/<domain>/module.ts`; `server/app/modules.ts` lists it in one line.
 *
 * - `name`: what others name it by in their `needs`, and the key of its service.
 * - `needs`: the names of `Deps`, all of them. Modules are created in the order that these give.
 *   Besides other modules there are `contributions` (above) and what the program gives to all, in
 *   `server/app/modules.ts`.
 * - `Deps`: the least that the domain asks of each, as an interface of its own, because domains do
 *   not import each other. What another module offers under the name must fit, or the list of
 *   modules does not compile.
 * - `create(ctx, deps)`: makes the service and returns the fields (`ModuleFields`).
 *
 * ```ts
 * export const lessonModule = defineModule<LessonDeps>()({
 *   name: "lesson",
 *   needs: ["invites"],
 *   create: (ctx, deps) => {
 *     const service = createLesson(ctx, deps);
 *     return {
 *       service,
 *       routes: (app) => lessonRoutes(app, service),
 *       jobs: null,
 *       personalData: [{ name: "lesson", exportFor: service.exportOf, erase: service.erase }],
 *     };
 *   },
 * });
 * ```
 */
export function defineModule<Deps extends object = object>() {
  return <
    const Name extends string,
    const Needs extends readonly (keyof Deps & string)[],
    Fields extends ModuleFields,
  >(
    definition: {
      name: Name;
      needs: Needs;
      create(ctx: AppContext, deps: Deps): Fields | Promise<Fields>;
    } & Forgotten<Exclude<keyof Deps, Needs[number]>, "is missing in needs"> &
      Forgotten<Unknown<Fields>, "is no field of a module">,
  ): Module<Name, Deps, Fields["service"]> => definition;
}

/**
 * Nothing for an empty set of names; else a property that nobody has, so that the error names them.
 */
type Forgotten<Names, Why extends string> = [Names] extends [never]
  ? unknown
  : { error: `${Names & string} ${Why}` };

/**
 * Names that `Fields`, or an object in one of them, has and `ModuleFields` has not: a misspelled
 * one would do nothing.
 */
type Unknown<Fields> = UnknownKeys<Fields, ModuleFields> | UnknownInside<Omit<Fields, "service">>;
type UnknownInside<Fields> = {
  [Field in keyof Fields & keyof ModuleFields]: UnknownKeys<
    ItemOf<NonNullable<Fields[Field]>>,
    ItemOf<NonNullable<ModuleFields[Field]>>
  >;
}[keyof Fields & keyof ModuleFields];
type UnknownKeys<Some, Known> = Exclude<KeysOf<Some>, KeysOf<Known>>;
/** Of every member of a union. */
type KeysOf<Some> = Some extends unknown ? keyof Some : never;
type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;
