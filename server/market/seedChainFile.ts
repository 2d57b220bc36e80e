import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createSeedFile } from "#server/platform/crypto/seedFile.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** The chain that every day's seed of a simulated market comes from. */
export interface SeedChainFile {
  /** Makes the chain of a world that is being created; returns its anchor. */
  create(tx: Tx): Promise<Uint8Array>;
  /**
   * The chain of this world. Throws a StartError if its file is missing or belongs to another
   * world.
   */
  open(db: Db | Tx): Promise<SeedChain>;
}

/** Keeps the chain's secret in a file, which the process that closes seconds reads. */
export function createSeedChainFile(
  { config, world }: Pick<AppContext, "config" | "world">,
  newSecret: () => Uint8Array = () => randomBytes(32),
): SeedChainFile {
  const file = createSeedFile(config, world.name, "seed-chain");
  let seedChain: SeedChain | null = null;
  return {
    create: async (tx) => {
      const secret = newSecret();
      const chain = new SeedChain(secret);
      await file.write(secret);
      await sql`insert into market_seed_chain (anchor) values (${chain.anchor})`.execute(tx);
      seedChain = chain;
      return chain.anchor;
    },
    open: async (db) => {
      const { rows } = await sql<{ anchor: Buffer }>`select anchor from market_seed_chain`.execute(
        db,
      );
      const anchor = rows[0]?.anchor;
      if (!anchor) throw new Error("the world's chain of seeds was never made");
      if (seedChain && equalBytes(seedChain.anchor, anchor)) return seedChain;
      const chain = new SeedChain(await file.read());
      if (!equalBytes(chain.anchor, anchor)) throw file.ofAnotherWorld();
      seedChain = chain;
      return chain;
    },
  };
}
