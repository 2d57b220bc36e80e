import { sql } from "kysely";
import { deriveAddress } from "#core/addresses/address.ts";
import { type Network, networkNames } from "#core/wallet/networks.ts";
import { lockCurrentAttempts } from "#server/addresses/currentAttempts.ts";
import type { AppContext } from "#server/platform/context.ts";

export interface Addresses {
  /** The person's own address. */
  own(userId: string, network: Network): string;
  /** Makes the person's addresses resolvable; idempotent. */
  register(userId: string): Promise<void>;
  /** See `currentAttempts.ts`. */
  lockCurrentAttempts: typeof lockCurrentAttempts;
  /** The owner of an address; null when no one here owns it. */
  ownerOf(address: string): Promise<string | null>;
}

/** Cache size for people known to be registered; a miss costs one statement. */
const knownMax = 50_000;

/** The practice addresses of the people of this world. */
export function createAddresses({
  database: { db },
  world,
}: Pick<AppContext, "database" | "world">): Addresses {
  const knownAddresses = new Set<string>();
  const deriveOwn = (userId: string, network: Network) =>
    deriveAddress(world.name, userId, network);
  return {
    own: deriveOwn,
    lockCurrentAttempts,
    register: async (userId) => {
      if (knownAddresses.has(userId)) return;
      const addresses = networkNames.map((network) => deriveOwn(userId, network));
      await sql`
        insert into practice_address (address, user_id, network)
        select address, ${userId}, network
        from unnest(${addresses}::text[], ${networkNames}::text[]) a (address, network)
        on conflict do nothing`.execute(db);
      if (knownAddresses.size >= knownMax) knownAddresses.clear();
      knownAddresses.add(userId);
    },
    ownerOf: async (address) => {
      const { rows } = await sql<{ user_id: string }>`
        select user_id from practice_address where address = ${address}`.execute(db);
      return rows[0]?.user_id ?? null;
    },
  };
}
