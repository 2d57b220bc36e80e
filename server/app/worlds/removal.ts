import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { locales } from "#core/locales.ts";
import { localeTags } from "#i18n/locales.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import type { Messages } from "#server/platform/http/language.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaName } from "#server/platform/world.ts";
import type { WorldEntry } from "#server/platform/worlds/directory.ts";
import { software } from "#server/publishing/types.ts";
import type { ServedWorld } from "./servedWorld.ts";

/** Real time between the notice to those in a world and the day from which it may be removed. */
export const noticeMs = 30 * 86_400_000;

/** The outcome of a requested removal. */
type RemovalStep = { what: "remove" | "give_notice" } | { what: "wait"; untilMs: number };

/** A world with people is removed only after thirty days' notice; one without at any time. */
export function nextRemovalStep(
  { removeAfterMs }: Pick<WorldEntry, "removeAfterMs">,
  hasPeople: boolean,
  nowMs: number,
): RemovalStep {
  if (!hasPeople) return { what: "remove" };
  if (removeAfterMs === null) return { what: "give_notice" };
  return nowMs < removeAfterMs ? { what: "wait", untilMs: removeAfterMs } : { what: "remove" };
}

/** Publishes a notice to the world's people that states from when it may be removed. */
export async function notifyPeople(
  { services, transaction }: Pick<ServedWorld, "services" | "transaction">,
  messages: Messages,
  removeAfterMs: number,
): Promise<void> {
  const languages = Object.fromEntries(
    locales.map((locale) => {
      const long = { dateStyle: "long", timeZone: "UTC" } as const;
      const date = new Intl.DateTimeFormat(localeTags[locale], long).format(removeAfterMs);
      return [locale, { title: "", text: messages.format(locale, "world-removal.text", { date }) }];
    }),
  );
  const body = {
    type: "bar",
    severity: "important",
    from_ms: null,
    until_ms: null,
    languages,
  } as const;
  await transaction((tx) =>
    services.publishing.notices.announce(tx, { id: randomUUID(), body, by: software }),
  );
}

/** Real time that a program may take to close a world that was archived. */
const closesMs = 60_000;

/**
 * Returns true if a person ever signed in to a world; false if it was never opened. Connects as the
 * role that owns the schema.
 */
export async function hasPeople(ownerUrl: string, worldName: string): Promise<boolean> {
  return (await withSchema(ownerUrl, worldName, readPeople)).length > 0;
}

/**
 * Removes all data of a closed world: people's keys, the schema, its key files and its pictures.
 * Repeating the call after an interruption resumes it. Throws a StartError if the world is still
 * open, or if it has people and `hadNotice` is false, because a person may have joined in the
 * meantime.
 */
export async function removeWorld(
  { ownerUrl, config, realClock }: { ownerUrl: string; config: Config; realClock: RealClock },
  { name: worldName, hadNotice }: { name: string; hadNotice: boolean },
): Promise<void> {
  await withSchema(ownerUrl, worldName, async (client, schema) => {
    await requireClosed(client, schema, worldName);
    const people = await readPeople(client, schema);
    if (people.length > 0 && !hadNotice)
      throw new StartError(`Somebody has signed in to the world ${worldName} meanwhile: wake it.`);
    // Keys are removed first: without the schema their owners would be unknown.
    const bus = createLocalBus(() => {});
    const fieldEncryption = createFieldEncryption({ config, bus, realClock });
    for (const userId of people) await fieldEncryption.destroyKey(userId);
    await client.query(`drop schema if exists ${quoteName(schema)} cascade`);
  });
  const { dataDirectory } = config;
  for (const file of await readdir(dataDirectory))
    if (isWorldFile(file, worldName)) await rm(join(dataDirectory, file), { force: true });
  await rm(join(dataDirectory, "blobs", worldName), { recursive: true, force: true });
}

/** Returns true if a file belongs to exactly this world, not to one whose name starts the same. */
function isWorldFile(file: string, worldName: string): boolean {
  const ownFile = new RegExp(
    `^((log-(key|head)|seed-chain|mining-seed|acknowledgement-key)-${worldName}|ended-log-key-${worldName}-[0-9a-f]+)\\.json$`,
  );
  return ownFile.test(file);
}

/** Runs `act` on a separate connection as the role that owns the world's schema. */
export async function withSchema<Result>(
  ownerUrl: string,
  worldName: string,
  act: (client: pg.Client, schema: string) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: "drydock-worlds",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await act(client, schemaName(worldName));
  } finally {
    await client.end();
  }
}

async function readPeople(client: pg.Client, schema: string): Promise<string[]> {
  const table = `${quoteName(schema)}.user_account`;
  const { rows: schemaRows } = await client.query("select to_regclass($1) is not null as there", [
    table,
  ]);
  if (!schemaRows[0].there) return [];
  const { rows } = await client.query<{ user_id: string }>(`select user_id from ${table}`);
  return rows.map(({ user_id: userId }) => userId);
}

/**
 * Checks that the world is closed by taking the feed's lock, which the process serving the world
 * holds.
 */
export async function requireClosed(
  client: pg.Client,
  schema: string,
  worldName: string,
): Promise<void> {
  const key = String(lockKey(schema, "loop/market.feed"));
  for (let waitedMs = 0; waitedMs < closesMs; waitedMs += 500) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as held", [key]);
    if (rows[0].held) return;
    await sleep(500);
  }
  throw new StartError(
    `The world ${worldName} is still open in a program: stop the one that serves it alone (WORLD=${worldName}).`,
  );
}
