import { sql } from "kysely";
import { deriveAddress } from "#core/addresses/address.ts";
import { isNetwork, networkNames } from "#core/wallet/networks.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares practice addresses with the people they are derived from: a wrong row would route sends
 * to another person. The owner of one address owns all. Reads every row.
 */
export function reconcileAddresses(world: string): AuditCheck {
  return async (tx, report) => {
    const { rows } = await sql<{ address: string; user_id: string; network: string }>`
      select address, user_id, network from practice_address`.execute(tx);
    const networksOf = new Map<string, number>();
    for (const { address, user_id: userId, network } of rows) {
      if (!isNetwork(network) || address !== deriveAddress(world, userId, network))
        report("addresses.address", `${address} is not derived from the person it is kept for`);
      networksOf.set(userId, (networksOf.get(userId) ?? 0) + 1);
    }
    for (const [userId, count] of networksOf)
      if (count !== networkNames.length)
        report("addresses.address", `an address of ${userId} is missing`);
  };
}
