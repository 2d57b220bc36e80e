import { readConfig } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";
import { rotateKeys } from "#server/transparency-log/keys.ts";

/**
 * Gives the log of `WORLD` a new signing key; the one before signs along. Takes effect with the
 * next start.
 */
try {
  const { dataDirectory, world } = readConfig(process.env);
  rotateKeys(dataDirectory, world);
  console.log(`The log of the world ${world} has a new key. It signs from the next start on.`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
