import { fetchCommand, findMarketPreset } from "#core/market/replay/presets.ts";
import { findTemplate } from "#core/market/templates.ts";
import { getAddress as addressAt } from "#server/app/listen.ts";
import { openRecording } from "#server/market/replay/openRecording.ts";
import { countPrograms } from "#server/platform/bus/programs.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaName } from "#server/platform/world.ts";
import type { AddressedWorld, Removal, WorldAdmin } from "#server/platform/worlds/admin.ts";
import {
  type Directory,
  DirectoryError,
  openDirectory,
  requireAwakeRoom,
  type WorldEntry,
} from "#server/platform/worlds/directory.ts";
import { writeWorldArchive } from "#server/transparency-log/worldArchive.ts";
import { hasPeople, nextRemovalStep, removeWorld, withSchema } from "./removal.ts";
import { getWorldOrigin } from "./worldAddress.ts";

interface WorldAdminDeps {
  /** The program's own settings. */
  config: Config;
  urls: { owner: string; app: string };
  realClock: RealClock;
}

/** Changes the directory of a database. Each method opens it on a separate connection. */
export function createWorldAdmin({ config, urls, realClock }: WorldAdminDeps): WorldAdmin {
  const onDirectory = async <Result>(
    act: (directory: Directory) => Promise<Result>,
  ): Promise<Result> => {
    const directory = await openDirectory(urls);
    try {
      return await act(directory);
    } finally {
      await directory.close();
    }
  };
  const toAddressedWorld = (entry: WorldEntry): AddressedWorld => ({
    ...entry,
    address: entryAddress(config, entry),
  });
  const setState = (name: string, state: WorldEntry["state"]) =>
    onDirectory(async (directory) => {
      const all = await directory.list();
      const entry = requireEntry(all, name);
      const already = `The world ${name} is ${entry.state} already.`;
      if (entry.state === state || (state === "asleep" && entry.state === "archived"))
        throw new DirectoryError("already_so", already);
      if (state === "awake") requireAwakeRoom(all, config.awakeMax);
      await directory.setState(name, state);
    });
  const finishRemoval = (name: string, hadNotice: boolean) =>
    onDirectory(async (directory) => {
      await removeWorld({ ownerUrl: urls.owner, config, realClock }, { name, hadNotice });
      await directory.remove(name);
    });
  return {
    list: () => onDirectory(async (directory) => (await directory.list()).map(toAddressedWorld)),
    create: async ({ name, template, settings }) => {
      const all = { ...(template === null ? null : requireTemplate(template)), ...settings };
      if (name === config.world)
        throw new DirectoryError(
          "name_taken",
          `${name} is the world of the main address: choose another name.`,
        );
      await requireUsable(name, all);
      return onDirectory(async (directory) =>
        toAddressedWorld(
          await directory.add(
            { name, settings: all },
            { firstPort: config.port + 1, awakeMax: config.awakeMax },
          ),
        ),
      );
    },
    requestSleep: async (name) => {
      if (config.databaseUrl !== null && (await hasSeveralPrograms(urls.app)))
        throw new DirectoryError(
          "never_sleeps",
          "Several programs use this database, so no world falls asleep: another one might have somebody in it.",
        );
      await setState(name, "asleep");
    },
    wake: (name) => setState(name, "awake"),
    archive: (name) => setState(name, "archived"),
    remove: (name) =>
      onDirectory(async (directory): Promise<Removal> => {
        const all = await directory.list();
        const entry = requireEntry(all, name);
        const isInhabited = await hasPeople(urls.owner, name);
        const step = nextRemovalStep(entry, isInhabited, await directory.nowMs());
        if (step.what === "wait")
          throw new DirectoryError(
            "notice_runs",
            `Those in the world ${name} have notice that it stays until ${dayOf(step.untilMs)}: run this again from then on.`,
            { until_ms: step.untilMs },
          );
        if (step.what === "remove") {
          await directory.setState(name, "archived");
          const removal = finishRemoval(name, entry.removeAfterMs !== null);
          removal.catch(() => {}); // reported by the caller once the directory is closed
          return { what: "remove", done: removal };
        }
        if (entry.state === "archived") requireAwakeRoom(all, config.awakeMax);
        await directory.setState(name, "awake");
        await directory.askRemoval(name);
        return { what: "give_notice", done: Promise.resolve() };
      }),
    export: async (name, file) => {
      await onDirectory(async (directory) => requireKnown(await directory.list(), name));
      if (!(await wasOpened(urls.owner, name)))
        throw new DirectoryError(
          "nothing_signed",
          `The world ${name} was never opened: there is nothing to export.`,
        );
      const database = openDatabase({ url: urls.owner, schema: schemaName(name), max: 1 });
      try {
        return await writeWorldArchive(database.db, file);
      } finally {
        await database.close();
      }
    },
  };
}

/** Returns true if more than one program is running on the database. */
async function hasSeveralPrograms(url: string): Promise<boolean> {
  const database = openDatabase({ url, schema: "public", max: 1 });
  try {
    return (await countPrograms(database.db)) > 1;
  } finally {
    await database.close();
  }
}

/** Returns true if the world's schema has the tables of a log. */
function wasOpened(ownerUrl: string, name: string): Promise<boolean> {
  return withSchema(ownerUrl, name, async (client, schema) => {
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass($1) is not null as there",
      [`${quoteName(schema)}.log_publication`],
    );
    return rows[0]!.there;
  });
}

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

function requireTemplate(name: string): Readonly<Record<string, string>> {
  const template = findTemplate(name);
  if (!template) throw new StartError(`There is no template ${name}: template lists them.`);
  return template.settings;
}

/** Checks the setting now, with its own error message, rather than when the world is opened. */
async function requireUsable(name: string, settings: Record<string, string>): Promise<void> {
  const config = readConfig({ ...settings, WORLD: name });
  try {
    await openRecording(config);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const preset = findMarketPreset(settings.MARKET ?? "");
    const command = preset ? fetchCommand(preset) : "npm run recordings";
    throw new DirectoryError("recording_missing", error.message, { command });
  }
}

function requireKnown(all: readonly WorldEntry[], name: string): WorldEntry {
  const entry = all.find((worldEntry) => worldEntry.name === name);
  if (!entry)
    throw new DirectoryError(
      "unknown",
      `There is no world ${name}: npm run worlds -- list names them.`,
    );
  return entry;
}

/** Finds an entry that may be changed, which excludes the main world's. */
export function requireEntry(all: readonly WorldEntry[], name: string): WorldEntry {
  const entry = requireKnown(all, name);
  if (entry.port === null)
    throw new DirectoryError(
      "is_main",
      `${name} is the world of the main address, which npm start always serves.`,
    );
  return entry;
}

/** Spelt as `npm start` prints it, because browsers separate stored data by it. */
function entryAddress(config: Config, { name, port }: WorldEntry): string {
  if (port !== null && config.publicUrl !== null)
    return getWorldOrigin(config, { name, port }, config.publicUrl.hostname);
  return addressAt(config, port ?? config.port);
}
