import type { AuditEvent } from "#core/operator/auditEvents.ts";
import type { PersonalDataSource } from "#server/account/personalData.ts";
import type { AttemptHooks } from "#server/attempts/types.ts";
import type { DoneTasks } from "#server/classes/tasks.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { DayLeavesDeps } from "#server/market/dayLeaves.ts";
import type { SecondHooks } from "#server/market/feed.ts";
import type { PersonPages } from "#server/operator/people/deps.ts";
import type { BusEvents } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { HealthCheck } from "#server/platform/health.ts";
import type { App } from "#server/platform/http/context.ts";
import type { Job } from "#server/platform/jobs.ts";
import type { WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";
import type { JournalRecords } from "#server/records/types.ts";

/**
 * A domain's declaration to the rest of the server: its service, its calls, and its contributions
 * to other domains. Every module must give `service`, `routes`, `jobs` and `personalData`; the
 * others are left out where the domain has nothing to add. An unknown field is a type error.
 */
export interface ModuleFields {
  /** The service that other modules receive under this module's name. */
  service: unknown;
  /**
   * Mounts the domain's calls on the web server, only in a process that serves `web`; null when it
   * has none.
   */
  routes: ((app: App) => void) | null;
  /** Jobs that start once all modules are created; null when there are none. */
  jobs: readonly Job[] | null;
  /**
   * The domain's data about a person, for export and erasure (docs/rules/personal-data.md): one
   * entry for each file of the archive that it writes to. Null when it holds nothing.
   */
  personalData: readonly PersonalDataSource[] | null;
  /**
   * Hooks in the transaction that closes seconds, under the exclusive accept lock, in order of
   * creation. `beforeAppend` returns the order hashes that a second's leaf binds; `afterAppend`
   * runs once the leaves are appended and may append further leaves.
   */
  onSecond?: SecondHooks;
  /**
   * Counts the domain's orders that ended in `[fromMs, toMs)` of world time and are void, for the
   * `day` leaf; null while one of that time is not settled yet.
   */
  voidsOfDay?: DayLeavesDeps["contributions"]["voidsOfDay"][number];
  /**
   * The oldest market second still needed for settlement; null when none is. Older ones may be
   * removed.
   */
  secondsNeededFrom?: () => Promise<number | null>;
  /**
   * Explains the domain's journals and its product line in a person's records, by the prefix of the
   * journals' kind.
   */
  records?: JournalRecords;
  /** The positions of an attempt: running, pending or paid. */
  attempts?: AttemptHooks;
  /** Checks against the ledger that the audit runs in its snapshot, by name. */
  auditChecks?: Readonly<Record<string, AuditCheck>>;
  /**
   * Called at each sign-in while a person is in their first attempt, in order of creation. Must be
   * idempotent: later calls complete work interrupted by a crash.
   */
  onUserCreated?: (owner: { userId: string; attemptId: string }) => Promise<void>;
  /**
   * Called in the transaction that ends an operator, or takes their permission to publish: ends
   * their scheduled actions. `by` is the operator who did it, or the same one. Returns the audit
   * events of it.
   */
  onOperatorEnded?: (
    tx: Tx,
    ended: { operatorId: string; by: string },
  ) => Promise<readonly AuditEvent[]>;
  /**
   * A person's pages that an operator may read with that person's code. Each page is provided by
   * one module.
   */
  personPages?: Partial<PersonPages>;
  /**
   * People who have done a task of a class, from the domain's rows. Each task is answered by one
   * module.
   */
  classTasks?: DoneTasks;
  /** Parts whose health decides whether the instance is ready, by name. */
  health?: Readonly<Record<string, HealthCheck>>;
  /** Figures of the world that are served at `/metrics`, by name. */
  metrics?: WorldMetrics;
  /**
   * Counts of activities that must not be interrupted, by name: a world with a count above zero
   * never falls asleep.
   */
  keepsAwake?: Readonly<Record<string, () => Promise<number>>>;
  /** Bus listeners, subscribed from the modules' start until their stop. */
  events?: { readonly [Topic in keyof BusEvents]?: (event: BusEvents[Topic]) => void };
  /**
   * Setup that must finish before the loops start, in the process that closes seconds; runs after
   * the setup of its needs. Idempotent.
   */
  prepare?: () => Promise<void>;
  /** Stops background work other than jobs and requests; runs before its needs stop. */
  stop?: () => Promise<void> | void;
}

/** Fields that an owning domain reads from all modules. */
export type CollectedField =
  | "personalData"
  | "onSecond"
  | "voidsOfDay"
  | "secondsNeededFrom"
  | "records"
  | "attempts"
  | "auditChecks"
  | "onUserCreated"
  | "onOperatorEnded"
  | "personPages"
  | "classTasks"
  | "health"
  | "metrics"
  | "keepsAwake";

/**
 * The contributions of all modules to each field, in their order. The domain that owns a register
 * needs `contributions` and reads it while working: reading it throws until all modules are
 * created, because it is incomplete until then.
 */
export type Contributions = {
  readonly [Field in CollectedField]: readonly NonNullable<ModuleFields[Field]>[];
};

/** A domain as the composition sees it; created by `defineModule`. */
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
 * - `name`: what other modules call it in their `needs`, and the key of its service.
 * - `needs`: the names in `Deps`, all of them. They determine the order of creation. Besides other
 *   modules there are `contributions` (above) and what the program provides to all, in
 *   `server/app/modules.ts`.
 * - `Deps`: the minimal interface that the domain requires of each need, declared locally because
 *   domains do not import each other. The service of that name must be assignable to it, or the list
 *   of modules does not compile.
 * - `create(ctx, deps)`: creates the service and returns the fields (`ModuleFields`).
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
 *       personalData: [{ name: "lesson", exportFor: service.exportFor, erase: service.erase }],
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
    } & MissingNames<Exclude<keyof Deps, Needs[number]>, "is missing in needs"> &
      MissingNames<UnknownFields<Fields>, "is not a field of a module">,
  ): Module<Name, Deps, Fields["service"]> => definition;
}

/**
 * `unknown` for an empty set of names; otherwise a required property that no module has, so that
 * the compiler error names them.
 */
type MissingNames<Names, Why extends string> = [Names] extends [never]
  ? unknown
  : { error: `${Names & string} ${Why}` };

/**
 * Keys that `Fields`, or an object in one of them, has and `ModuleFields` lacks: a misspelled one
 * would be silently ignored.
 */
type UnknownFields<Fields> =
  | UnknownKeys<Fields, ModuleFields>
  | UnknownNestedFields<Omit<Fields, "service">>;
type UnknownNestedFields<Fields> = {
  [Field in keyof Fields & keyof ModuleFields]: UnknownKeys<
    ItemOf<NonNullable<Fields[Field]>>,
    ItemOf<NonNullable<ModuleFields[Field]>>
  >;
}[keyof Fields & keyof ModuleFields];
type UnknownKeys<Some, Known> = Exclude<KeysOf<Some>, KeysOf<Known>>;
/** Keys of every member of a union. */
type KeysOf<Some> = Some extends unknown ? keyof Some : never;
type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;
