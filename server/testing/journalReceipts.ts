import { sql } from "kysely";
import { checkJournal } from "#core/records/journalReceipt.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { chainPosted } from "#server/ledger/jobs.ts";
import { commitLiabilities } from "#server/liabilities/commit.ts";
import { createRecords } from "#server/records/records.ts";
import type { JournalRecords } from "#server/records/types.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import type { TestContext } from "./testContext.ts";

/**
 * Commits to the ledger and checks the receipt of every journal that moved a person's money, with
 * the orders behind it. Returns the kinds in order of posting, each with what its check found.
 */
export async function checkJournals(
  { ctx, transparencyLog }: { ctx: TestContext; transparencyLog: TransparencyLog },
  records: readonly JournalRecords[],
  userId: string,
): Promise<[kind: string, difference: string | null][]> {
  await chainPosted(ctx);
  await commitLiabilities(ctx, transparencyLog);
  await transparencyLog.integrate();
  const { db } = ctx.database;
  const service = createRecords(ctx, {
    transparencyLog,
    market: { latest: () => null },
    contributions: { records },
  });
  const { rows } = await sql<{ id: string; kind: string }>`
    select j.id, j.kind from journal j where exists (
      select from entry e join account a on a.id = e.account
      where e.journal_id = j.id and a.owner = ${userId}) order by j.recorded_at`.execute(db);
  const stored = await transparencyLog.leaves(0, await transparencyLog.count());
  const leaves = new Map(stored.map(({ leaf, bytes }) => [leaf, bytes]));
  const world = decodeWorld(stored[0]!.bytes);
  if (!world.ok) throw new Error(world.error);
  const mismatches: [string, string | null][] = [];
  for (const { id, kind } of rows) {
    const receipt = await service.receipt(userId, id);
    const { steps } = checkJournal(JSON.parse(JSON.stringify(receipt)), world.value, leaves);
    mismatches.push([kind, steps.find(({ ok }) => !ok)?.difference ?? null]);
  }
  return mismatches;
}
