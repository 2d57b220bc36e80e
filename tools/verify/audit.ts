/**
 * `npm run audit`: compares every balance, hold and chain head of the world's ledger with its
 * entries, from the first one on, and the rows of all domains with ledger and log. Reads the database of a running Drydock, or starts the embedded
 * one for the duration. Takes the same settings as `npm start`. Prints its figures and exits with
 * status 0 if everything adds up, 1 if it does not, 2 if it could not check.
 */
import { createAuditChecks } from "#server/app/audit/auditChecks.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { StartError } from "#server/platform/startError.ts";
import { schemaName } from "#server/platform/world.ts";
import { reachDatabase } from "../lib/reachDatabase.ts";

try {
  process.exitCode = await run(readConfig(process.env));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function run(config: Config): Promise<number> {
  const { url, stop } = await reachDatabase(config);
  const database = openDatabase({ url, schema: schemaName(config.world), max: 2 });
  try {
    if (!(await hasLedger(database))) {
      throw new StartError(
        `No world ${config.world} in this database: set WORLD to one that has been started before.`,
      );
    }
    const world = { name: config.world };
    const contributions = { auditChecks: [createAuditChecks(world.name)] };
    const result = await createAudit({ database, world }, { contributions }).run({
      complete: true,
    });
    console.log(
      `${result.entries} entries in ${result.batches} batches of the chain, read in ${(result.tookMs / 1000).toFixed(1)} s`,
    );
    for (const { check, detail } of result.findings) console.log(`${check}: ${detail}`);
    const count = result.findings.length;
    console.log(
      count === 0 ? "The ledger adds up." : `The ledger does not add up: ${count} differences.`,
    );
    return count === 0 ? 0 : 1;
  } finally {
    await database.close();
    await stop();
  }
}

async function hasLedger({ pool, schema }: ReturnType<typeof openDatabase>): Promise<boolean> {
  const { rows } = await pool
    .query("select to_regclass($1) is not null as there", [`${schema}.ledger_audit`])
    .catch((error) => {
      throw new StartError(`The database does not answer: ${(error as Error).message}.`);
    });
  return rows[0].there;
}
