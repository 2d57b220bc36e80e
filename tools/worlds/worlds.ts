/**
 * `npm run worlds`: the worlds that one program serves. Reaches the database of a running Drydock,
 * which follows within seconds, or starts the embedded one for the duration. Exits with status 0
 * once it is done, 1 if nothing was done, 2 on wrong options.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findTemplate, worldTemplates } from "#core/market/templates.ts";
import { moveWorld } from "#server/app/worlds/move.ts";
import { createWorldAdmin, requireEntry } from "#server/app/worlds/worldAdmin.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { tryLockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { StartError } from "#server/platform/startError.ts";
import type { AddressedWorld, WorldAdmin } from "#server/platform/worlds/admin.ts";
import {
  type Directory,
  formatCode,
  openDirectory,
  worldsMax,
} from "#server/platform/worlds/directory.ts";
import { formatSize } from "#server/postgres/backup/files.ts";
import {
  runningOwnerUrl,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";
import { requireExternalDatabase } from "#server/postgres/externalDatabase.ts";
import { runCommand, UsageError } from "../backup/command.ts";
import { serveArchive } from "./openArchive.ts";

const usage = `The worlds that npm start serves besides the one it is for.

  npm run worlds -- list
  npm run worlds -- create <name> [--template blank] [--market simulated] [--speed 1] [--start 2026-01-31]
  npm run worlds -- template
  npm run worlds -- sleep <name>
  npm run worlds -- archive <name>
  npm run worlds -- wake <name>
  npm run worlds -- move <name>
  npm run worlds -- export <name> <file>
  npm run worlds -- open <file>
  npm run worlds -- remove <name>

A world has a code, which people type at the world finder, and an address of its own: a name below a public PUBLIC_URL, and otherwise a port.
--market, --speed and --start are what MARKET, WORLD_SPEED and WORLD_START are to npm start; --template gives all three a start, and template lists what there is.
A world that nobody has used for SLEEP_AFTER minutes, and of which nothing runs, falls asleep by itself; sleep has it do so now. The next request wakes it.
archive closes a world and keeps everything; no request opens it, wake does.
move brings a world that is asleep or archived to another database, TO_DATABASE_URL with TO_DATABASE_OWNER_URL, and forgets it here; its files stay in DRYDOCK_DATA.
export writes what a world published as one file: its log with all that proves it, and its published texts; no key, and nothing of a person. npm run verify -- --archive <file> reads it, without any instance.
open serves such a file for reading at PORT, until Ctrl-C: its log, its texts and the screen that checks them. Nobody can sign in, and it needs no database.
remove gives those in a world notice, and thirty days later removes it with everything that is theirs; one that nobody ever signed in to at once.
At most WORLDS_AWAKE are awake at once, and ${worldsMax} in all. npm start serves them unless WORLD names one.
Settings: those of npm start (DRYDOCK_DATA, PORT, PUBLIC_URL, WORLDS_AWAKE; DATABASE_URL with DATABASE_OWNER_URL).
Exit status: 0 done; 1 not done, with the reason printed; 2 wrong options.`;

const options = {
  template: { type: "string" },
  market: { type: "string" },
  speed: { type: "string" },
  start: { type: "string" },
} as const;

/** How long a running Drydock may take to notice a change, close a world and report it. */
const fallsAsleepMs = 60_000;

process.exitCode = await runCommand(usage, async (args, signal) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [action, name, ...extraArgs] = positionals;
  const config = readConfig({ ...process.env, WORLD: "" });
  if (!action) throw new UsageError("Say what to do.");
  if (action === "export") {
    const [file, ...others] = extraArgs;
    if (name === undefined || file === undefined || others.length > 0)
      throw new UsageError("export takes the name of a world and a file.");
    return onDirectory(config, ({ acts }) => exportWorld(acts, name, file));
  }
  if (action === "open") {
    if (name === undefined || extraArgs.length > 0) throw new UsageError("open takes a file.");
    return serveArchive(config, name, signal);
  }
  if (extraArgs.length > 0) throw new UsageError(`${action} takes at most one name.`);
  if (action === "list") {
    if (name !== undefined) throw new UsageError("list takes no name.");
    return onDirectory(config, async ({ acts }) => list(await acts.list()));
  }
  if (action === "template") {
    if (name !== undefined) throw new UsageError("template takes no name: create does.");
    return listTemplates();
  }
  if (name === undefined) throw new UsageError(`${action} takes the name of a world.`);
  switch (action) {
    case "create":
      return onDirectory(config, ({ acts }) => create(acts, name, values));
    case "sleep":
      return onDirectory(config, (directory) => putToSleep(directory, name));
    case "remove":
      return onDirectory(config, (directory) => remove(directory, name));
    case "move":
      return onDirectory(config, (directory) => move(directory, name));
    case "archive":
    case "wake":
      return onDirectory(config, ({ acts }) => setState(acts, name, action));
    default:
      throw new UsageError(
        `${action} is none of list, create, template, sleep, archive, wake, move, export, open, remove.`,
      );
  }
});

/** An open directory of worlds. */
interface Reached {
  acts: WorldAdmin;
  directory: Directory;
  /** Another program has the database. */
  isRunning: boolean;
  ownerUrl: string;
}

/** Opens the directory of a running Drydock, or of the embedded database, started for the command. */
async function onDirectory(
  config: Config,
  act: (reached: Reached) => Promise<void>,
): Promise<void> {
  const { urls, stop, isRunning } = await reachOwner(config);
  try {
    const directory = await openDirectory(urls);
    try {
      const acts = createWorldAdmin({ config, urls, realClock });
      await act({ acts, directory, isRunning, ownerUrl: urls.owner });
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

function list(worlds: readonly AddressedWorld[]): void {
  if (worlds.length === 0) {
    console.log("No world yet: npm start makes the first.");
    return;
  }
  for (const { name, code, state, settings, madeAtMs, address } of worlds) {
    const createdOn = new Date(madeAtMs).toISOString().slice(0, 10);
    const ownSettings = Object.entries(settings).map(([setting, value]) => ` ${setting}=${value}`);
    console.log(
      `${name}  ${state}  ${formatCode(code)}  ${address}  made ${createdOn}${ownSettings.join("")}`,
    );
  }
}

interface CreateOptions {
  template?: string;
  market?: string;
  speed?: string;
  start?: string;
}

async function create(
  acts: WorldAdmin,
  name: string,
  { template: templateName, market, speed, start }: CreateOptions,
): Promise<void> {
  const template = templateName === undefined ? null : findTemplate(templateName);
  if (templateName !== undefined && !template)
    throw new UsageError(`There is no template ${templateName}: template lists them.`);
  const settings: Record<string, string> = {
    ...(market === undefined ? {} : { MARKET: market }),
    ...(speed === undefined ? {} : { WORLD_SPEED: speed }),
    ...(start === undefined ? {} : { WORLD_START: start }),
  };
  const { code, address } = await acts.create({ name, template: templateName ?? null, settings });
  console.log(`The world ${name} is made: its code is ${formatCode(code)}, its address ${address}`);
  console.log("A running Drydock opens it within seconds; otherwise it opens with npm start.");
  if (template?.hint) console.log(template.hint);
}

function listTemplates(): void {
  for (const { name, about, settings } of worldTemplates) {
    const ownSettings = Object.entries(settings).map(([setting, value]) => ` ${setting}=${value}`);
    console.log(`${name}  ${about}${ownSettings.join("")}`);
  }
}

/** Only a running program knows whether the world is empty. */
async function putToSleep({ acts, directory, isRunning }: Reached, name: string): Promise<void> {
  const find = async () => requireEntry(await directory.list(), name);
  await find();
  if (!isRunning)
    throw new StartError("Only a running Drydock knows that nobody is in a world: start it first.");
  await acts.requestSleep(name);
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

async function remove({ acts, isRunning }: Reached, name: string): Promise<void> {
  const { what, done } = await acts.remove(name);
  await done;
  if (what === "remove")
    console.log(`The world ${name} is removed, with its log, its keys and its pictures.`);
  else
    console.log(
      isRunning
        ? `Those in the world ${name} are given notice within seconds. Run this again in thirty days to remove it; until then nothing changes.`
        : `Those in the world ${name} are given notice when Drydock runs. Run this again thirty days later to remove it; until then nothing changes.`,
    );
}

async function move({ directory, ownerUrl }: Reached, name: string): Promise<void> {
  const { TO_DATABASE_URL: app, TO_DATABASE_OWNER_URL: owner } = process.env;
  if (!app || !owner)
    throw new UsageError("move needs TO_DATABASE_URL and TO_DATABASE_OWNER_URL: where to.");
  const entry = requireEntry(await directory.list(), name);
  if (entry.state === "awake")
    throw new StartError(`The world ${name} is awake: npm run worlds -- sleep ${name} first.`);
  const to = { app, owner };
  await requireExternalDatabase(to, readConfig(process.env).asyncStandby);
  // From now on no request wakes it: it must not run in two places.
  await directory.setState(name, "archived");
  const { tables, rows } = await moveWorld(ownerUrl, to, name).catch(async (error) => {
    // After a refusal nothing has changed. After any other error the world may already exist at the
    // destination, asleep.
    if (error instanceof StartError) await directory.setState(name, entry.state);
    throw error;
  });
  console.log(`The world ${name} is moved: ${rows} rows of ${tables} tables, all compared.`);
  const settings = Object.entries(entry.settings).map(([setting, value]) => `${setting}=${value} `);
  console.log(
    `Serve it there, with the DRYDOCK_DATA of this one or a copy: WORLD=${name} ${settings.join("")}npm start`,
  );
}

async function exportWorld(acts: WorldAdmin, name: string, file: string): Promise<void> {
  if (existsSync(file)) throw new StartError(`${file} is there already: choose another name.`);
  const { vkey, size, publications, bytes } = await acts.export(name, file);
  console.log(
    `${file}: ${size} leaves and ${publications} published texts of the world ${name}, ${formatSize(bytes)}.`,
  );
  console.log(`Anyone can check it: npm run verify -- --archive ${file} --log --whole`);
  console.log(`Tell them the key by another way: --key ${vkey}`);
}

async function setState(acts: WorldAdmin, name: string, action: "archive" | "wake"): Promise<void> {
  await acts[action](name);
  console.log(
    action === "archive"
      ? `The world ${name} is archived: it closes within seconds, and everything is kept.`
      : `The world ${name} is awake: it opens within seconds, or with npm start.`,
  );
}
