/**
 * `npm run worlds`: the worlds that one program serves. Reaches the database of a running Drydock,
 * which follows within seconds, or starts the embedded one for the duration. Exits with status 0
 * once it is done, 1 if nothing was done, 2 on wrong options.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findTemplate, worldTemplates } from "#core/market/templates.ts";
import { getAddress as addressAt } from "#server/app/listen.ts";
import { moveWorld } from "#server/app/move.ts";
import { hasPeople, nextRemovalStep, removeWorld } from "#server/app/removal.ts";
import { worldOrigin } from "#server/app/worldAddress.ts";
import { openRecording } from "#server/market/replay/openRecording.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaName } from "#server/platform/world.ts";
import {
  awakeMax,
  type Directory,
  openDirectory,
  requireAwakeRoom,
  shownCode,
  type WorldEntry,
  worldsMax,
} from "#server/platform/worlds/directory.ts";
import { sizeText } from "#server/postgres/backup/files.ts";
import {
  runningOwnerUrl,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";
import { writeWorldArchive } from "#server/transparency-log/worldArchive.ts";
import { runCommand, UsageError } from "../backup/command.ts";

const usage = `The worlds that npm start serves besides the one it is for.

  npm run worlds -- list
  npm run worlds -- create <name> [--template blank] [--market simulated] [--speed 1] [--start 2026-01-31]
  npm run worlds -- template
  npm run worlds -- sleep <name>
  npm run worlds -- archive <name>
  npm run worlds -- wake <name>
  npm run worlds -- move <name>
  npm run worlds -- export <name> <file>
  npm run worlds -- remove <name>

A world has a code, which people type at the world finder, and an address of its own: a name below a public PUBLIC_URL, and otherwise a port.
--market, --speed and --start are what MARKET, WORLD_SPEED and WORLD_START are to npm start; --template gives all three a start, and template lists what there is.
A world that nobody has used for SLEEP_AFTER minutes, and of which nothing runs, falls asleep by itself; sleep has it do so now. The next request wakes it.
archive closes a world and keeps everything; no request opens it, wake does.
move brings a world that is asleep or archived to another database, TO_DATABASE_URL with TO_DATABASE_OWNER_URL, and forgets it here; its files stay in DRYDOCK_DATA.
export writes what a world published as one file: its log with all that proves it, and its published texts; no key, and nothing of a person. npm run verify -- --archive <file> reads it, without any instance.
remove gives those in a world notice, and thirty days later removes it with everything that is theirs; one that nobody ever signed in to at once.
At most ${awakeMax} are awake at once, and ${worldsMax} in all. npm start serves them unless WORLD names one.
Settings: those of npm start (DRYDOCK_DATA, PORT, PUBLIC_URL; DATABASE_URL with DATABASE_OWNER_URL).
Exit status: 0 done; 1 not done, with the reason printed; 2 wrong options.`;

const options = {
  template: { type: "string" },
  market: { type: "string" },
  speed: { type: "string" },
  start: { type: "string" },
} as const;

/** How long a running Drydock may take to look, to close a world, and to say so. */
const fallsAsleepMs = 60_000;

process.exitCode = await runCommand(usage, async (args) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [action, name, ...more] = positionals;
  const config = readConfig({ ...process.env, WORLD: "" });
  if (!action) throw new UsageError("Say what to do.");
  if (action === "export") {
    const [file, ...others] = more;
    if (name === undefined || file === undefined || others.length > 0)
      throw new UsageError("export takes the name of a world and a file.");
    return onDirectory(config, (directory, _isRunning, ownerUrl) =>
      exportWorld({ directory, ownerUrl }, name, file),
    );
  }
  if (more.length > 0) throw new UsageError(`${action} takes at most one name.`);
  if (action === "list") {
    if (name !== undefined) throw new UsageError("list takes no name.");
    return onDirectory(config, async (directory) => list(config, await directory.list()));
  }
  if (action === "template") {
    if (name !== undefined) throw new UsageError("template takes no name: create does.");
    return listTemplates();
  }
  if (name === undefined) throw new UsageError(`${action} takes the name of a world.`);
  switch (action) {
    case "create":
      return onDirectory(config, (directory) => create(config, directory, name, values));
    case "sleep":
      return onDirectory(config, (directory, isRunning) =>
        putToSleep(directory, name, isRunning && config.databaseUrl === null),
      );
    case "remove":
      return onDirectory(config, (directory, isRunning, ownerUrl) =>
        remove({ config, directory, isRunning, ownerUrl }, name),
      );
    case "move":
      return onDirectory(config, (directory, _isRunning, ownerUrl) =>
        move({ directory, ownerUrl }, name),
      );
    case "archive":
    case "wake":
      return onDirectory(config, (directory) => setState(directory, name, action));
    default:
      throw new UsageError(
        `${action} is none of list, create, template, sleep, archive, wake, move, export, remove.`,
      );
  }
});

/** Opens the directory of a running Drydock, or of the embedded database started meanwhile. */
async function onDirectory(
  config: Config,
  act: (directory: Directory, isRunning: boolean, ownerUrl: string) => Promise<void>,
): Promise<void> {
  const { urls, stop, isRunning } = await reachOwner(config);
  try {
    const directory = await openDirectory(urls);
    try {
      await act(directory, isRunning, urls.owner);
    } finally {
      await directory.close();
    }
  } finally {
    await stop();
  }
}

async function reachOwner(config: Config): Promise<{
  urls: { owner: string; app: string };
  /** Another program has the database. */
  isRunning: boolean;
  stop: () => Promise<void>;
}> {
  const { databaseUrl: app, databaseOwnerUrl: owner, dataDirectory } = config;
  if (app && owner) return { urls: { owner, app }, isRunning: true, stop: async () => {} };
  const lock = tryLockDataDirectory(dataDirectory);
  if (!lock) {
    const urls = { owner: runningOwnerUrl(dataDirectory), app: runningPostgresUrl(dataDirectory) };
    return { urls, isRunning: true, stop: async () => {} };
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDirectory });
    const stop = async () => {
      await postgres.stop();
      lock.release();
    };
    const urls = { owner: postgres.ownerUrl, app: postgres.appUrl };
    return { urls, isRunning: false, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function list(config: Config, entries: readonly WorldEntry[]): void {
  if (entries.length === 0) {
    console.log("No world yet: npm start makes the first.");
    return;
  }
  for (const entry of entries) {
    const { name, code, state, settings, madeAtMs } = entry;
    const made = new Date(madeAtMs).toISOString().slice(0, 10);
    const own = Object.entries(settings).map(([setting, value]) => ` ${setting}=${value}`);
    console.log(
      `${name}  ${state}  ${shownCode(code)}  ${getAddress(config, entry)}  made ${made}${own.join("")}`,
    );
  }
}

/** Spelt as npm start prints it: browsers keep what they store apart by it. */
function getAddress(config: Config, { name, port }: WorldEntry): string {
  if (port !== null && config.publicUrl !== null)
    return worldOrigin(config, { name, port }, config.publicUrl.hostname);
  return addressAt(config, port ?? config.port);
}

interface CreateOptions {
  template?: string;
  market?: string;
  speed?: string;
  start?: string;
}

async function create(
  config: Config,
  directory: Directory,
  name: string,
  { template: templateName, market, speed, start }: CreateOptions,
): Promise<void> {
  const template = templateName === undefined ? null : findTemplate(templateName);
  if (templateName !== undefined && !template)
    throw new UsageError(`There is no template ${templateName}: template lists them.`);
  const settings: Record<string, string> = {
    ...template?.settings,
    ...(market === undefined ? {} : { MARKET: market }),
    ...(speed === undefined ? {} : { WORLD_SPEED: speed }),
    ...(start === undefined ? {} : { WORLD_START: start }),
  };
  if (name === config.world)
    throw new StartError(`${name} is the world of the main address: choose another name.`);
  // Refused here, with the setting's own sentence, and not when it is opened.
  await openRecording(readConfig({ ...settings, WORLD: name }));
  const entry = await directory.add({ name, settings }, config.port + 1);
  console.log(
    `The world ${name} is made: its code is ${shownCode(entry.code)}, its address ${getAddress(config, entry)}`,
  );
  console.log("A running Drydock opens it within seconds; otherwise it opens with npm start.");
  if (template?.hint) console.log(template.hint);
}

function listTemplates(): void {
  for (const { name, about, settings } of worldTemplates) {
    const own = Object.entries(settings).map(([setting, value]) => ` ${setting}=${value}`);
    console.log(`${name}  ${about}${own.join("")}`);
  }
}

function requireKnown(all: readonly WorldEntry[], name: string): WorldEntry {
  const entry = all.find((one) => one.name === name);
  if (!entry) throw new StartError(`There is no world ${name}: npm run worlds -- list names them.`);
  return entry;
}

function requireEntry(all: readonly WorldEntry[], name: string): WorldEntry {
  const entry = requireKnown(all, name);
  if (entry.port === null)
    throw new StartError(
      `${name} is the world of the main address, which npm start always serves.`,
    );
  return entry;
}

/** `isAlone`: a Drydock runs that knows of everybody in the world. */
async function putToSleep(directory: Directory, name: string, isAlone: boolean): Promise<void> {
  const find = async () => requireEntry(await directory.list(), name);
  const { state } = await find();
  if (state !== "awake") throw new StartError(`The world ${name} is ${state} already.`);
  if (!isAlone)
    throw new StartError(
      "Only a running Drydock with the embedded database knows that nobody is in a world: start it first. With an external database no world falls asleep.",
    );
  await directory.setState(name, "asleep");
  const { sleptAtMs: askedMs } = await find();
  const sinceMs = performance.now();
  while (performance.now() - sinceMs < fallsAsleepMs) {
    await sleep(200);
    const now = await find();
    if (now.state === "awake")
      throw new StartError(
        `The world ${name} stays awake: somebody is in it, something runs there (open orders, units, leases, withdrawals, recharges, reviews, quotes, scheduled posts), or its prices are live.`,
      );
    if (now.sleptAtMs === askedMs) continue;
    console.log(`The world ${name} is asleep: the next request wakes it.`);
    return;
  }
  throw new StartError(`The world ${name} is not asleep yet: Drydock has not answered.`);
}

interface RemovalDeps {
  config: Config;
  directory: Directory;
  isRunning: boolean;
  ownerUrl: string;
}

async function remove(
  { config, directory, isRunning, ownerUrl }: RemovalDeps,
  name: string,
): Promise<void> {
  const all = await directory.list();
  const entry = requireEntry(all, name);
  const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const nowMs = await directory.nowMs();
  const step = nextRemovalStep(entry, await hasPeople(ownerUrl, name), nowMs);
  switch (step.what) {
    case "wait":
      throw new StartError(
        `Those in the world ${name} have notice that it stays until ${day(step.untilMs)}: run this again from then on.`,
      );
    case "give_notice":
      if (entry.state === "archived") requireAwakeRoom(all);
      await directory.setState(name, "awake");
      await directory.askRemoval(name);
      console.log(
        isRunning
          ? `Those in the world ${name} are given notice within seconds. Run this again in thirty days to remove it; until then nothing changes.`
          : `Those in the world ${name} are given notice when Drydock runs. Run this again thirty days later to remove it; until then nothing changes.`,
      );
      return;
    case "remove":
      await directory.setState(name, "archived");
      await removeWorld(
        { ownerUrl, config, realClock },
        { name, hadNotice: entry.removeAfterMs !== null },
      );
      await directory.remove(name);
      console.log(`The world ${name} is removed, with its log, its keys and its pictures.`);
  }
}

async function move(
  { directory, ownerUrl }: Pick<RemovalDeps, "directory" | "ownerUrl">,
  name: string,
): Promise<void> {
  const { TO_DATABASE_URL: app, TO_DATABASE_OWNER_URL: owner } = process.env;
  if (!app || !owner)
    throw new UsageError("move needs TO_DATABASE_URL and TO_DATABASE_OWNER_URL: where to.");
  const entry = requireEntry(await directory.list(), name);
  if (entry.state === "awake")
    throw new StartError(`The world ${name} is awake: npm run worlds -- sleep ${name} first.`);
  const to = { app, owner };
  await requireExternalDatabase(to, readConfig(process.env).asyncStandby);
  // No request wakes it from now on: it must not go on in two places.
  await directory.setState(name, "archived");
  const { tables, rows } = await moveWorld(ownerUrl, to, name).catch(async (error) => {
    // Refused, it is as it was. After anything else it may be there already, and waits to go on.
    if (error instanceof StartError) await directory.setState(name, entry.state);
    throw error;
  });
  console.log(`The world ${name} is moved: ${rows} rows of ${tables} tables, all compared.`);
  const settings = Object.entries(entry.settings).map(([setting, value]) => `${setting}=${value} `);
  console.log(
    `Serve it there, with the DRYDOCK_DATA of this one or a copy: WORLD=${name} ${settings.join("")}npm start`,
  );
}

async function exportWorld(
  { directory, ownerUrl }: Pick<RemovalDeps, "directory" | "ownerUrl">,
  name: string,
  file: string,
): Promise<void> {
  requireKnown(await directory.list(), name);
  if (existsSync(file)) throw new StartError(`${file} is there already: choose another name.`);
  const database = openDatabase({ url: ownerUrl, schema: schemaName(name), max: 1 });
  try {
    const { vkey, size, publications, bytes } = await writeWorldArchive(database.db, file);
    console.log(
      `${file}: ${size} leaves and ${publications} published texts of the world ${name}, ${sizeText(bytes)}.`,
    );
    console.log(`Anyone can check it: npm run verify -- --archive ${file} --log --whole`);
    console.log(`Tell them the key by another way: --key ${vkey}`);
  } finally {
    await database.close();
  }
}

async function setState(
  directory: Directory,
  name: string,
  action: "archive" | "wake",
): Promise<void> {
  const all = await directory.list();
  const entry = requireEntry(all, name);
  const state = action === "archive" ? "archived" : "awake";
  if (entry.state === state) throw new StartError(`The world ${name} is ${state} already.`);
  if (state === "awake") requireAwakeRoom(all);
  await directory.setState(name, state);
  console.log(
    state === "archived"
      ? `The world ${name} is archived: it closes within seconds, and everything is kept.`
      : `The world ${name} is awake: it opens within seconds, or with npm start.`,
  );
}
