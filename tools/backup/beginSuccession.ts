/**
 * `npm run succession`: reports which signed leaves the log lost, and with --begin begins a
 * successor over the remaining ones. Exits with status 0 once a successor has begun or nothing was
 * lost, 1 if nothing was done, 2 on wrong options.
 */
import { parseArgs } from "node:util";
import { realClock } from "#server/platform/clock/clock.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { lockDataDirectory } from "#server/platform/config/dataDirectory.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaName } from "#server/platform/world.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import {
  beginSuccessor,
  type LogLoss,
  readLoss,
  type SuccessionContext,
} from "#server/transparency-log/succession.ts";
import { createIntegrator } from "#server/transparency-log/transparencyLog.ts";
import { runCommand } from "./command.ts";

const usage = `Ends a log that lost leaves it had signed, and begins a successor over those that are there.

  npm run succession [-- --begin]

Without --begin it only says what was lost. Drydock must be stopped.
The successor has another name and another key; its first new leaf says what was lost, signed by the old key.
Readers and witnesses report it once and follow it only when told. Whoever finds the lost leaves later cannot add them.
Settings: those of npm start (DRYDOCK_DATA, WORLD, PUBLIC_URL; DATABASE_URL with DATABASE_OWNER_URL).
Exit status: 0 a successor has begun, or nothing was lost; 1 not done, with the reason printed; 2 wrong options.`;

process.exitCode = await runCommand(usage, async (args) => {
  const { values } = parseArgs({ args, options: { begin: { type: "boolean", default: false } } });
  const config = readConfig(process.env);
  const lock = lockDataDirectory(config.dataDirectory);
  try {
    await onDatabase(config, async (ctx) => {
      const loss = await readLoss(ctx).catch((error: unknown) => {
        // After an interruption, files and database may belong to two different logs: completed
        // below.
        if (values.begin && error instanceof StartError) return null;
        throw error;
      });
      if (loss) print(loss);
      if (!values.begin) {
        if (!loss) console.log("The log continues what was signed: nothing was lost.");
        else throw new StartError("Nothing was done. Begin a successor with --begin.");
        return;
      }
      const succession = await beginSuccessor(ctx);
      const checkpoint = await createIntegrator(ctx)();
      const name = checkpoint?.note.split("\n")[0];
      console.log(
        succession
          ? `The log ${succession.ended.origin} has ended. ${succession.successor.origin} succeeds it and is signed up to ${checkpoint?.size} leaves.`
          : `The log is ${name}, signed up to ${checkpoint?.size} leaves: nothing else was to be done.`,
      );
    });
  } finally {
    lock.release();
  }
});

function print({ ended, survived, lastSecondMs }: LogLoss): void {
  const since =
    lastSecondMs === null ? "" : `, from ${new Date(lastSecondMs + 1_000).toISOString()} on`;
  console.log(
    `The log ${ended.origin} was signed with ${ended.size} leaves and this database has ${survived}: ${ended.size - survived} are lost${since}.`,
  );
}

async function onDatabase(
  config: Config,
  act: (ctx: SuccessionContext) => Promise<void>,
): Promise<void> {
  const external = config.databaseOwnerUrl;
  const postgres = external
    ? null
    : await startEmbeddedPostgres({ dataDirectory: config.dataDirectory });
  const url = external ?? postgres!.ownerUrl;
  const database = openDatabase({ url, schema: schemaName(config.world), max: 2 });
  try {
    const { rows } = await database.pool.query("select to_regclass($1) is not null as there", [
      `${database.schema}.log_head`,
    ]);
    if (!rows[0].there)
      throw new StartError(
        `No world ${config.world} in this database: set WORLD to one that has been started before.`,
      );
    const { rows: worlds } = await database.pool.query("select name from world");
    const world = { name: worlds[0].name } as SuccessionContext["world"];
    await act({ database, config, world, realClock });
  } finally {
    await database.close();
    await postgres?.stop();
  }
}
