import { join } from "node:path";
import pg from "pg";
import type { Config } from "#server/platform/config/config.ts";
import { requireSameDirectory } from "#server/platform/config/sharedDirectory.ts";
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
 * Requires each start to use the key file that this world's addresses are indexed with, and the
 * directories that its keys and pictures are in; the first start records both, as the owner role.
 * Throws a StartError that says what to restore: with another key, no one who signed in before
 * would be recognised, and with another directory, no one's texts could be read.
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
  const { rows } = await client.query<{
    key_id: Buffer | null;
    directory_id: string | null;
  }>("select key_id, directory_id from encryption_state");
  const { key_id: storedKeyId, directory_id: knownId } = rows[0]!;
  const storedId = await fieldEncryption.keyId(storedKeyId === null);
  if (storedKeyId === null) {
    await client.query("update encryption_state set key_id = $1", [storedId]);
    await checkDirectory(client, config, knownId);
    return;
  }
  const path = join(config.dataDirectory, "keys/instance");
  if (!storedId) {
    throw new StartError(
      `The key file ${path} is missing, and without it nobody who signed in before would be recognised: set DRYDOCK_DATA to the directory that the other processes of this world use, or put a copy of the whole directory keys back.`,
    );
  }
  if (!storedId.equals(storedKeyId)) {
    throw new StartError(
      `The key file ${path} belongs to another database than this one: put the right copy back.`,
    );
  }
  await checkDirectory(client, config, knownId);
}

async function checkDirectory(
  client: pg.Client,
  { dataDirectory }: Options["config"],
  recordedId: string | null,
): Promise<void> {
  const id = await requireSameDirectory(dataDirectory, recordedId);
  if (recordedId === null)
    await client.query("update encryption_state set directory_id = $1", [id]);
}
