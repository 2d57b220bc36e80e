import { readConfig } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";
import { rotateKeys } from "#server/transparency-log/keys.ts";

/**
 * Creates a new signing key for the log of `WORLD`; the previous key keeps signing alongside. Takes
 * effect at the next start.
 */
try {
  const { dataDirectory, world } = readConfig(process.env);
  await rotateKeys(dataDirectory, world);
  console.log(`The log of world ${world} has a new key, used from the next start on.`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
