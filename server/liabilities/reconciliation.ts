import { sql } from "kysely";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Compares the ledger's chain with every commitment that was published: whoever writes the whole
 * chain anew contradicts the log. Reads all commitments.
 */
export function reconcileLiabilities(world: string): AuditCheck {
  return async (tx, find) => {
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
    for (const [at, { leaf, number, batch, accounts, at_ms: atMs, bytes }] of rows.entries()) {
      const read = decodeLiabilities(bytes, worldTag(world));
      if (!read.ok || headOf.get(read.value.batch) !== bytesToHex(read.value.batchHead))
        find("liabilities.head", `leaf ${leaf} commits to another chain`);
      const same =
        read.ok &&
        Number(number) === at + 1 &&
        Number(batch) === read.value.batch &&
        Number(accounts) === read.value.accounts &&
        Number(atMs) === read.value.atMs;
      if (!same) find("liabilities.run", `leaf ${leaf} is not what its row says`);
    }
    const { rows: stray } = await sql<{ number: bigint }>`
      select number from liability_run r
      where not exists (select from log_leaf l where l.leaf = r.leaf and l.kind = 9)`.execute(tx);
    for (const { number } of stray) find("liabilities.run", `run ${number} has no leaf`);
  };
}
