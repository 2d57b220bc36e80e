import { randomInt } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { countPrograms } from "#server/platform/bus/programs.ts";
import type { Config } from "#server/platform/config/config.ts";
import {
  type Db,
  openDatabase,
  type SharedDatabase,
  type Tx,
} from "#server/platform/db/database.ts";
import { migrate, readMigrations } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";

/** The schema of the directory; every other one holds a world. */
const directorySchema = "drydock_directory";

/** A world in the directory. */
export interface WorldEntry {
  name: string;
  /** The code that people type at the world finder. */
  code: string;
  /** Asleep: nothing runs until the first request. Archived: no request wakes it. */
  state: "awake" | "asleep" | "archived";
  /** Its port on a bare address; null for the main world. */
  port: number | null;
  /** The settings that it was created with, by name. */
  settings: Readonly<Record<string, string>>;
  madeAtMs: number;
  /** Real time at which it last fell asleep; null: never. */
  sleptAtMs: number | null;
  /** True if its people must be notified that it will be removed. */
  removalAsked: boolean;
  /** Real time from which it may be removed; null until its people were notified. */
  removeAfterMs: number | null;
}

/** A refusal of the directory, by name, so that it can be shown in any language. */
export class DirectoryError extends StartError {
  readonly reason: DirectoryErrorName;
  /** Values for its sentence on the wire: `until_ms`, the end of a refusal; a `command` to run. */
  readonly data: Readonly<Record<string, string | number>>;

  constructor(
    reason: DirectoryErrorName,
    message: string,
    data: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
    this.name = "DirectoryError";
    this.reason = reason;
    this.data = data;
  }
}
export type DirectoryErrorName =
  | "unknown"
  | "is_main"
  | "name_taken"
  | "full"
  | "too_many_awake"
  | "no_port"
  | "already_so"
  | "never_sleeps"
  | "notice_runs"
  | "recording_missing"
  | "nothing_signed";

/** Maximum worlds in a directory, including archived ones: a thousand asleep, and those awake. */
export const worldsMax = 1_100;

/** 32 unambiguous letters and digits: eight of them hold 40 bits. */
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const codeLength = 8;

function makeCode(): string {
  return Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join(
    "",
  );
}

/** A typed code in the directory's form. */
export function normaliseCode(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** A code as people read it aloud. */
export function formatCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

interface Row {
  name: string;
  code: string;
  state: WorldEntry["state"];
  port: number | null;
  settings: Record<string, string>;
  made_at_ms: bigint;
  slept_at_ms: bigint | null;
  removal_asked: boolean;
  remove_after_ms: bigint | null;
}

function toEntry(row: Row): WorldEntry {
  const { name, code, state, port, settings } = row;
  const times = {
    madeAtMs: Number(row.made_at_ms),
    sleptAtMs: row.slept_at_ms === null ? null : Number(row.slept_at_ms),
    removeAfterMs: row.remove_after_ms === null ? null : Number(row.remove_after_ms),
  };
  return { name, code, state, port, settings, removalAsked: row.removal_asked, ...times };
}

async function readEntries(db: Db | Tx): Promise<WorldEntry[]> {
  const { rows } = await sql<Row>`
    select name, code, state, port, settings, made_at_ms, slept_at_ms, removal_asked,
      remove_after_ms
    from world_entry order by made_at_ms, name`.execute(db);
  return rows.map(toEntry);
}

/** The directory over the connections that worlds share. */
export interface SharedDirectory {
  list(): Promise<WorldEntry[]>;
  setState(name: string, state: WorldEntry["state"]): Promise<void>;
  /** Programs on this external database; see `countPrograms`. */
  countPrograms(): Promise<number>;
}

export function openSharedDirectory(database: SharedDatabase): SharedDirectory {
  const { db } = database.open(directorySchema);
  return {
    list: () => readEntries(db),
    setState: (name, state) => writeState(db, name, state),
    countPrograms: () => countPrograms(db),
  };
}

async function writeState(db: Db, name: string, state: WorldEntry["state"]): Promise<void> {
  await sql`
    update world_entry set state = ${state},
      slept_at_ms = case when ${state} = 'asleep'
        then floor(extract(epoch from clock_timestamp()) * 1000) else slept_at_ms end
    where name = ${name}`.execute(db);
}

/** The directory as the role that owns it: whoever starts the program, and commands. */
export interface Directory {
  list(): Promise<WorldEntry[]>;
  /** Adds the main world unless it is already there. */
  noteMain(name: string): Promise<void>;
  /**
   * Adds a world with a code and the first port from `firstPort` on that no other one has. Throws a
   * StartError if the name is taken, or there are too many.
   */
  add(
    world: Pick<WorldEntry, "name" | "settings">,
    limits: { firstPort: number; awakeMax: number },
  ): Promise<WorldEntry>;
  setState(name: string, state: WorldEntry["state"]): Promise<void>;
  /** Asks the program that serves it to notify its people. */
  askRemoval(name: string): Promise<void>;
  /**
   * Records that its people were notified, and for how long it stays. Returns when it may be
   * removed.
   */
  noteNotice(name: string, noticeMs: number): Promise<number>;
  /** Deletes the entry of a world that was removed. */
  remove(name: string): Promise<void>;
  /** The database's clock. */
  nowMs(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the directory of a database, and creates it on first use. */
export async function openDirectory(urls: { owner: string; app: string }): Promise<Directory> {
  await migrate({
    ownerUrl: urls.owner,
    schema: directorySchema,
    appRole: decodeURIComponent(new URL(urls.app).username),
    migrations: readMigrations(join(import.meta.dirname, "migrations")),
  });
  const database = openDatabase({ url: urls.owner, schema: directorySchema, max: 1 });
  const { db } = database;
  return {
    list: () => readEntries(db),
    noteMain: (name) => insert(db, name, null, {}),
    add: async ({ name, settings }, { firstPort, awakeMax }) => {
      await db.transaction().execute(async (tx) => {
        // Serialises concurrent commands.
        await sql`lock table world_entry in exclusive mode`.execute(tx);
        const all = await readEntries(tx);
        requireRoom(all, name, awakeMax);
        await insert(tx, name, freePort(all, firstPort), settings);
      });
      return (await readEntries(db)).find((entry) => entry.name === name)!;
    },
    setState: (name, state) => writeState(db, name, state),
    askRemoval: async (name) => {
      await sql`update world_entry set removal_asked = true where name = ${name}`.execute(db);
    },
    noteNotice: async (name, noticeMs) => {
      const { rows } = await sql<{ remove_after_ms: bigint }>`
        update world_entry
        set remove_after_ms = floor(extract(epoch from clock_timestamp()) * 1000) + ${noticeMs}
        where name = ${name} returning remove_after_ms`.execute(db);
      return Number(rows[0]!.remove_after_ms);
    },
    remove: async (name) => {
      await sql`delete from world_entry where name = ${name}`.execute(db);
    },
    nowMs: async () => {
      const { rows } = await sql<{ now_ms: bigint }>`
        select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(db);
      return Number(rows[0]!.now_ms);
    },
    close: () => database.close(),
  };
}

/**
 * Deletes a world's entry in the transaction that removes its schema, as the role that owns both.
 */
export async function forgetWorld(client: pg.Client, name: string): Promise<void> {
  await client.query(`delete from ${directorySchema}.world_entry where name = $1`, [name]);
}

async function insert(
  db: Db | Tx,
  name: string,
  port: number | null,
  settings: WorldEntry["settings"],
): Promise<void> {
  await sql`
    insert into world_entry (name, code, port, settings, made_at_ms)
    values (${name}, ${makeCode()}, ${port}, ${JSON.stringify(settings)}::jsonb,
      floor(extract(epoch from clock_timestamp()) * 1000))
    on conflict do nothing`.execute(db);
}

/** Throws a StartError if a world of this name cannot be added. */
function requireRoom(all: readonly WorldEntry[], name: string, awakeMax: number): void {
  const schemaName = (world: string) => world.replaceAll("-", "_");
  if (all.some((entry) => schemaName(entry.name) === schemaName(name)))
    throw new DirectoryError(
      "name_taken",
      `There is a world ${name} already: choose another name.`,
    );
  if (all.length >= worldsMax)
    throw new DirectoryError(
      "full",
      `A directory has room for ${worldsMax} worlds: remove one first.`,
    );
  requireAwakeRoom(all, awakeMax);
}

/** Throws a StartError if no other world may be awake. */
export function requireAwakeRoom(all: readonly WorldEntry[], awakeMax: number): void {
  requireAwakeCapacity(all.filter(({ state }) => state === "awake").length, awakeMax);
}

/** Throws a StartError if this many worlds awake leave no room for another. */
export function requireAwakeCapacity(awakeCount: number, awakeMax: number): void {
  if (awakeCount >= awakeMax)
    throw new DirectoryError(
      "too_many_awake",
      `${awakeMax} ${awakeMax === 1 ? "world is" : "worlds are"} awake, the most that WORLDS_AWAKE allows: put one to sleep or archive one first.`,
    );
}

function freePort(all: readonly WorldEntry[], firstPort: number): number {
  const takenPorts = new Set(all.map(({ port }) => port));
  for (let port = firstPort; port <= 65_535; port += 1) if (!takenPorts.has(port)) return port;
  throw new DirectoryError(
    "no_port",
    "No port is left for another world: set PORT to a lower one.",
  );
}

/** The settings that differ from the program's own for a world of its directory. */
type OwnSettings = Pick<
  Config,
  "world" | "worldSpeed" | "worldStartMs" | "worldClock" | "market" | "liveVenues" | "beacon"
>;

/** The settings of a world in the directory: those it was created with, over the program's own. */
export function toWorldConfig(
  program: Config,
  ownSettings: OwnSettings,
  address: Pick<Config, "port" | "publicUrl" | "sessionCookie">,
): Config {
  const { world, worldSpeed, worldStartMs, worldClock, market, liveVenues, beacon } = ownSettings;
  return {
    ...program,
    ...{ world, worldSpeed, worldStartMs, worldClock, market, liveVenues, beacon },
    ...address,
    servesDirectory: false,
    // Both belong to one log and one address.
    witnessPolicy: null,
    socketUrl: null,
  };
}
