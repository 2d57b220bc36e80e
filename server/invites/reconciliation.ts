import { sql } from "kysely";
import { inviteReward, rewardKind } from "#core/invites/rules.ts";
import { deriveJournalId } from "#core/ledger/ids.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares rewards with the rule, which gives both the same and one journal for each person who
 * joined, and the limit rows with the rewards. Invitations of deleted accounts are gone, so rewards
 * are read from the ledger.
 */
export const reconcileInvites: AuditCheck = async (tx, report) => {
  const { rows } = await sql<{ id: string; owners: string[]; amounts: string[]; same: boolean }>`
    select j.id, array_agg(a.owner order by e.leg) as owners,
      array_agg(e.amount::text order by e.leg) as amounts,
      bool_and(a.kind = 'wallet' and a.coin = 'pUSDT') as same
    from journal j join entry e on e.journal_id = j.id join account a on a.id = e.account
    where j.kind = ${rewardKind} and not a.house group by j.id`.execute(tx);
  const paidBy = new Map<string, string>();
  const rewardCounts = new Map<string, number>();
  for (const { id, owners, amounts, same } of rows) {
    const [invitedOwner, inviter] = owners;
    const dueAmounts = [inviteReward, inviteReward].map(String).join();
    if (!same || amounts.join() !== dueAmounts || deriveJournalId(rewardKind, invitedOwner!) !== id)
      report("invites.reward", `${id} is no reward by the rule`);
    else {
      rewardCounts.set(inviter!, (rewardCounts.get(inviter!) ?? 0) + 1);
      paidBy.set(id, `${invitedOwner} ${inviter}`);
    }
  }
  const limits = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key like 'invites.rewarded:%'`.execute(tx);
  const used = new Map(
    limits.rows.map((row) => [row.key.slice("invites.rewarded:".length), Number(row.used)]),
  );
  for (const inviter of new Set([...used.keys(), ...rewardCounts.keys()]))
    if ((used.get(inviter) ?? 0) !== (rewardCounts.get(inviter) ?? 0))
      report(
        "invites.limit",
        `another number of rewards is counted than were posted to ${inviter}`,
      );
  const invitations = await sql<{
    invitation_id: string;
    user_id: string;
    inviter_id: string | null;
    journal_id: string;
    outcome: string | null;
    lesson_at_ms: bigint | null;
  }>`select invitation_id, user_id, inviter_id, journal_id, outcome, lesson_at_ms from invitation
    where journal_id is not null`.execute(tx);
  for (const row of invitations.rows) {
    // The inviter is taken out of the row when that account is deleted.
    const [invitedId, inviter] = (paidBy.get(row.journal_id) ?? "").split(" ");
    const matches =
      row.user_id === invitedId &&
      (row.inviter_id ?? inviter) === inviter &&
      row.outcome === "rewarded" &&
      row.lesson_at_ms !== null;
    paidBy.delete(row.journal_id);
    if (!matches)
      report("invites.reward", `invitation ${row.invitation_id} is not what was posted`);
  }
  const existingUsers = await sql<{ user_id: string }>`
    select user_id from user_account where erased_at_ms is null`.execute(tx);
  const existingIds = new Set(existingUsers.rows.map((row) => row.user_id));
  for (const [id, people] of paidBy)
    if (existingIds.has(people.split(" ")[0]!))
      report("invites.reward", `the invitation that ${id} rewarded is missing`);
};
