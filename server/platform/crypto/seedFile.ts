import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { Config } from "#server/platform/config/config.ts";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";

/**
 * The files of a world that each hold the secret of a chain of seeds, by the purpose of the seeds.
 */
const purposes = {
  "seed-chain": "the market's seeds",
  "mining-seed": "the mining network's seeds",
};

/** The secret of a chain of seeds: 32 bytes. */
export interface SeedFile {
  write(secret: Uint8Array): Promise<void>;
  /** Throws a StartError if the file is missing or damaged. */
  read(): Promise<Uint8Array>;
  /** The error of a file whose chain does not end in the world's anchor. */
  ofAnotherWorld(): StartError;
}

/**
 * A file of the data directory (mode 0600) for the secret of a chain of seeds. The database holds
 * the chain's anchor alone: a reader of all of it, in any role, learns no seed before it is
 * revealed.
 */
export function createSeedFile(
  config: Pick<Config, "dataDirectory">,
  worldName: string,
  name: keyof typeof purposes,
): SeedFile {
  const path = join(config.dataDirectory, `${name}-${worldName}.json`);
  return {
    write: async (secret) => {
      await mkdir(config.dataDirectory, { recursive: true });
      await writeDurably(path, `${JSON.stringify({ secret: bytesToHex(secret) })}\n`);
    },
    read: async () => {
      const text = await readFile(path, "utf8").catch(() => {
        throw new StartError(
          `The file ${path} is missing, from which ${purposes[name]} come: put a copy of it back.`,
        );
      });
      const match = /"secret":\s*"([0-9a-f]{64})"/.exec(text);
      if (!match) throw new StartError(`The file ${path} is damaged: put a copy of it back.`);
      return Uint8Array.from(Buffer.from(match[1]!, "hex"));
    },
    ofAnotherWorld: () =>
      new StartError(`The file ${path} holds the seeds of another world than this one.`),
  };
}
