import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { bytesToHex, sameBytes } from "#core/transparency-log/bytes.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { writeDurably } from "#server/platform/durableFiles.ts";
import { StartError } from "#server/platform/startError.ts";

/** The chain that every day's seed of a simulated market comes from. */
export interface SeedChainFile {
  /** Makes the chain of a world that is being created; returns its anchor. */
  create(tx: Tx): Promise<Uint8Array>;
  /** The chain of this world. Throws a StartError if its file is missing or of another one. */
  open(db: Db | Tx): Promise<SeedChain>;
}

/**
 * Keeps the chain's secret in a file of the data directory (mode 0600), read by the process that
 * closes seconds. The database holds the anchor alone: whoever can read all of it, in whatever role,
 * learns no seed before it is revealed.
 */
export function createSeedChainFile(
  { config, world }: Pick<AppContext, "config" | "world">,
  newSecret: () => Uint8Array = () => randomBytes(32),
): SeedChainFile {
  const path = join(config.dataDirectory, `seed-chain-${world.name}.json`);
  let opened: SeedChain | null = null;
  return {
    create: async (tx) => {
      const secret = newSecret();
      const chain = new SeedChain(secret);
      await mkdir(config.dataDirectory, { recursive: true });
      await writeDurably(path, `${JSON.stringify({ secret: bytesToHex(secret) })}\n`);
      await sql`insert into market_seed_chain (anchor) values (${chain.anchor})`.execute(tx);
      opened = chain;
      return chain.anchor;
    },
    open: async (db) => {
      const { rows } = await sql<{ anchor: Buffer }>`select anchor from market_seed_chain`.execute(
        db,
      );
      const anchor = rows[0]?.anchor;
      if (!anchor) throw new Error("the world's chain of seeds was never made");
      if (opened && sameBytes(opened.anchor, anchor)) return opened;
      const chain = new SeedChain(await readSecret(path));
      if (!sameBytes(chain.anchor, anchor))
        throw new StartError(`The file ${path} holds the seeds of another world than this one.`);
      opened = chain;
      return chain;
    },
  };
}

async function readSecret(path: string): Promise<Uint8Array> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new StartError(
      `The file ${path} is missing, from which the market's seeds come: put a copy of it back.`,
    );
  });
  const match = /"secret":\s*"([0-9a-f]{64})"/.exec(text);
  if (!match) throw new StartError(`The file ${path} is damaged: put a copy of it back.`);
  return Uint8Array.from(Buffer.from(match[1]!, "hex"));
}
