import { sql } from "kysely";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeLiabilities, type LiabilitiesLeaf } from "#core/transparency-log/liabilitiesLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import { compareTree } from "#server/liabilities/treeCheck.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Compares every commitment that was published with the ledger's chain and with the tree below it,
 * which is computed again from the accounts: a rewrite of the whole chain, or of a stored node,
 * contradicts the log. Reads all commitments.
 */
export function reconcileLiabilities(world: string): AuditCheck {
  return async (tx, report) => {
    const { rows } = await sql<{
      leaf: bigint;
      number: bigint | null;
      batch: bigint | null;
      accounts: bigint | null;
      at_ms: bigint | null;
      bytes: Buffer;
    }>`
      select l.leaf, r.number, r.batch, r.accounts, r.at_ms, l.bytes
      from log_leaf l left join liability_run r using (leaf) where l.kind = 9 order by l.leaf`.execute(
      tx,
    );
    const heads = await sql<{ number: bigint; head: Buffer }>`
      select number, head from chain_batch`.execute(tx);
    const headOf = new Map(
      heads.rows.map(({ number, head }) => [Number(number), bytesToHex(head)]),
    );
    const commitments: LiabilitiesLeaf[] = [];
    for (const [index, { leaf, number, batch, accounts, at_ms: atMs, bytes }] of rows.entries()) {
      const result = decodeLiabilities(bytes, worldTag(world));
      if (!result.ok || headOf.get(result.value.batch) !== bytesToHex(result.value.batchHead))
        report("liabilities.head", `leaf ${leaf} commits to another chain`);
      const matches =
        result.ok &&
        Number(number) === index + 1 &&
        Number(batch) === result.value.batch &&
        Number(accounts) === result.value.accounts &&
        Number(atMs) === result.value.atMs &&
        result.value.before === (index === 0 ? null : Number(rows[index - 1]!.leaf));
      if (!matches) report("liabilities.run", `leaf ${leaf} is not what its row says`);
      if (result.ok) commitments.push(result.value);
    }
    const { rows: stray } = await sql<{ number: bigint }>`
      select number from liability_run r
      where not exists (select from log_leaf l where l.leaf = r.leaf and l.kind = 9)
        or not exists (select from chain_batch b
          where b.number = r.batch and b.snapshot::text = r.snapshot::text)`.execute(tx);
    for (const { number } of stray) report("liabilities.run", `run ${number} has no leaf or batch`);
    if (commitments.length === rows.length) await compareTree(tx, report, world, commitments);
    await compareEntries(tx, report);
  };
}

/** Checks that an account's state at a commitment is the state after its entry at that position. */
async function compareEntries(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ tree_index: bigint; run: bigint }>`
    select h.tree_index, h.run from liability_head h
      left join liability_account l on l.tree_index = h.tree_index
      left join entry e on e.account = l.account and e.version = h.position
      left join chain_head c on c.account = l.account and c.position = h.position
    where e.balance is distinct from h.balance or c.hash <> h.hash`.execute(tx);
  for (const { tree_index: treeIndex, run } of rows)
    report("liabilities.account", `place ${treeIndex} at run ${run} is not what its entries give`);
}
