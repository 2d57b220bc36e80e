/**
 * `npm run operator -- reset <address>`: resets the second factor of an operator who lost it, for
 * the command line of the server's machine. Reaches the database of a running Drydock, or starts
 * the embedded one for the duration. Exits with status 0 once it is done, 1 if nothing was done, 2
 * on wrong options.
 */
import pg from "pg";
import { hasValidCase } from "#core/session/address.ts";
import { readRecording } from "#server/market/replay/recording.ts";
import { resetByCommand } from "#server/operator/factors/resetByCommand.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { type ClockAnchor, createRunningClock } from "#server/platform/clock/clock.ts";
import { startDatabaseClock } from "#server/platform/clock/databaseClock.ts";
import { readPauses } from "#server/platform/clock/pauses.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createLogger } from "#server/platform/logger.ts";
import { StartError } from "#server/platform/startError.ts";
import { readAnchor, schemaName } from "#server/platform/world.ts";
import { writePersonAuditEvent } from "#server/records/auditEvents.ts";
import { findUserId, readLanguage } from "#server/session/users.ts";
import { runCommand, UsageError } from "../backup/command.ts";
import { reachDatabase } from "../lib/reachDatabase.ts";

const usage = `Resets the second factor of an operator who lost their passphrase or security keys.

  npm run operator -- reset <address>

<address> is the wallet address the operator signs in with. Prints a one-time code for them.
Settings: those of npm start (DRYDOCK_DATA, WORLD, MARKET; DATABASE_URL with DATABASE_OWNER_URL).
Exit status: 0 done; 1 not done, with the reason printed; 2 wrong options.`;

process.exitCode = await runCommand(usage, async (args) => {
  const address = readArguments(args);
  const config = readConfig(process.env);
  const { url, stop } = await reachDatabase(config);
  try {
    const { code, expiresAtMs } = await reset(config, url, address);
    console.log(
      `The second factor of ${address} is reset. The operator signs in, opens /operator/security and types this code, until ${new Date(expiresAtMs).toISOString()}: ${code}`,
    );
    console.log("It is shown once. The audit and the operator's own records name this reset.");
  } finally {
    await stop();
  }
});

function readArguments([action, address, ...extraArgs]: string[]): string {
  if (action !== "reset" || address === undefined || extraArgs.length > 0)
    throw new UsageError("Say reset and one address.");
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || !hasValidCase(address))
    throw new UsageError(`${address} is not an address, or has a typing error.`);
  return address.toLowerCase();
}

async function reset(config: Config, url: string, address: string) {
  const schema = schemaName(config.world);
  const anchor = await openAnchor(config, url, schema);
  const realClock = await startDatabaseClock(url, createLogger(config.logLevel), null);
  const database = openDatabase({ url, schema, max: 2 });
  try {
    const clock = createRunningClock(anchor, realClock);
    for (const pause of await readPauses(database.db)) clock.applyPause(pause);
    const bus = createLocalBus((error) => console.error(error));
    const fieldEncryption = createFieldEncryption({ config, bus, realClock });
    const ctx = { database, realClock, fieldEncryption, clock, messages: createMessages() };
    const deps = {
      session: { languageOf: readLanguage },
      records: {
        recordAuditEvent: (...[act, tx]: Parameters<RecordAuditEvent>) =>
          writePersonAuditEvent(ctx, act, tx),
      },
    };
    const userId = await findUserId(database.db, fieldEncryption, address);
    const world = { name: config.world };
    const result = userId && (await resetByCommand({ ...ctx, world }, deps, userId));
    if (!result)
      throw new StartError(`${address} is not an operator of the world ${config.world}.`);
    return result;
  } finally {
    await realClock.close();
    await database.close();
  }
}

type RecordAuditEvent = Parameters<typeof resetByCommand>[1]["records"]["recordAuditEvent"];

/** The anchor of the world's clock; also makes sure that the world is there and up to date. */
async function openAnchor(config: Config, url: string, schema: string): Promise<ClockAnchor> {
  const recording =
    config.market?.kind === "replay" ? await readRecording(config.market.folder) : null;
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect().catch((error: Error) => {
    throw new StartError(`The database does not answer: ${error.message}.`);
  });
  try {
    const table = `${schema}.operator_factor_reset`;
    const { rows: lookup } = await client.query("select to_regclass($1) is not null as there", [
      table,
    ]);
    if (!lookup[0].there)
      throw new StartError(
        `No world ${config.world} of this version in this database: set WORLD to one that has been started before, and start it once with this version.`,
      );
    return await readAnchor(client, schema, recording);
  } finally {
    await client.end();
  }
}
