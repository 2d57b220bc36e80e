import { join } from "node:path";
import pg from "pg";
import type { Config } from "#server/platform/config/config.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { lockKey } from "#server/platform/db/database.ts";
import { quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";

interface Options {
  ownerUrl: string;
  schema: string;
  fieldEncryption: FieldEncryption;
  config: Pick<Config, "dataDirectory">;
}

/**
 * Requires each start to use the key file that this world's addresses are indexed with; the first
 * start records it, as the owner role. Throws a StartError that says what to restore: with another
 * key, nobody who signed in before would be recognised.
 */
export async function requireInstanceKey(options: Options): Promise<void> {
  const client = new pg.Client({
    connectionString: options.ownerUrl,
    application_name: "drydock-instance-key",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set search_path to ${quoteName(options.schema)}`);
    await client.query("select pg_advisory_lock($1)", [String(lockKey(options.schema, "sealing"))]);
    await checkKey(client, options);
  } finally {
    await client.end();
  }
}

async function checkKey(client: pg.Client, { fieldEncryption, config }: Options): Promise<void> {
  const { rows } = await client.query<{ fingerprint: Buffer | null }>(
    "select fingerprint from sealing_state",
  );
  const known = rows[0]!.fingerprint;
  const found = await fieldEncryption.keyId(known === null);
  if (known === null) {
    await client.query("update sealing_state set fingerprint = $1", [found]);
    return;
  }
  const path = join(config.dataDirectory, "keys/instance");
  if (!found) {
    throw new StartError(
      `The key file ${path} is missing, and without it nobody who signed in before would be recognised: put a copy of it back.`,
    );
  }
  if (!found.equals(known)) {
    throw new StartError(
      `The key file ${path} belongs to another database than this one: put the right copy back.`,
    );
  }
}
