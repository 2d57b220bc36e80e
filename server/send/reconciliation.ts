import { sql } from "kysely";
import { deriveAddress } from "#core/addresses/address.ts";
import { isNetwork } from "#core/wallet/networks.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";

/**
 * Compares sends with their journals, and their addresses with the people they are derived from.
 * Reads every row.
 */
export const reconcileSends =
  (world: string): AuditCheck =>
  async (tx, report) => {
    await comparePostings(
      tx,
      report,
      ["send.move"],
      sql`select 'send.move' as kind, journal_id::text as ref, attempt_id, 'wallet' as account_kind,
        coin, -amount as amount from coin_send
      union all select 'send.move', journal_id::text, to_attempt_id, 'wallet', coin, amount
        from coin_send`,
    );
    const { rows } = await sql<{ id: string }>`
    select s.journal_id as id from coin_send s left join journal j on j.id = s.journal_id
    where j.at_ms is distinct from s.at_ms or 2 <> (
      select count(*) from entry e join account a on a.id = e.account
      where e.journal_id = s.journal_id and a.coin = s.coin
        and (a.owner, a.attempt_id, e.amount) in
          ((s.user_id, s.attempt_id, -s.amount), (s.to_user_id, s.to_attempt_id, s.amount)))
    union all
    select j.id from journal j where j.kind = 'send.move'
      and not exists (select from coin_send s where s.journal_id = j.id)`.execute(tx);
    for (const { id } of rows) report("send.send", `${id} is not what was posted`);
    const addresses = await sql<{
      id: string;
      user_id: string;
      to_user_id: string;
      network: string;
      from_address: string;
      to_address: string;
    }>`select journal_id as id, user_id, to_user_id, network, from_address, to_address
    from coin_send`.execute(tx);
    for (const row of addresses.rows) {
      const { network } = row;
      const matches =
        isNetwork(network) &&
        row.from_address === deriveAddress(world, row.user_id, network) &&
        row.to_address === deriveAddress(world, row.to_user_id, network);
      if (!matches) report("send.address", `${row.id} names other addresses`);
    }
  };
