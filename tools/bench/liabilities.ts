/**
 * Cost of a commitment to all accounts: `node tools/bench/liabilities.ts [accounts]`. Measures the
 * first one over all accounts, later ones after some of them moved, and the inclusion path of one
 * account.
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { commitLiabilities } from "#server/liabilities/commit.ts";
import { readPathAt } from "#server/liabilities/tree.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { printConditions } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const count = Number(process.argv[2] ?? 100_000);
const perJournal = 1_000;

printConditions(`${count} people's accounts with one posting each; fsync on`);
const bench = await openBenchWorld();
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run({ ctx }: BenchWorld): Promise<void> {
  const { db } = ctx.database;
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  await transparencyLog.prepare();
  const issuance = await ledger.account("house", "issuance", "pUSDT");
  const { rows } = await sql<{ id: bigint }>`
    select open_account('person-' || n, 'attempt-' || n, 'wallet', 'pUSDT') as id
    from generate_series(1, ${count}) n`.execute(db);
  const ids = rows.map(({ id }) => id);
  const post = async (accounts: readonly bigint[]) => {
    for (let index = 0; index < accounts.length; index += perJournal) {
      const batch = accounts.slice(index, index + perJournal);
      await ledger.post({
        id: randomUUID(),
        kind: "bench.move",
        bodyHash: new Uint8Array(32),
        legs: [
          ...batch.map((account) => ({ account, amount: 5n })),
          { account: issuance, amount: -5n * BigInt(batch.length) },
        ],
      });
    }
    await chainPosted(ctx);
  };
  const commit = async (name: string) => {
    const startedMs = performance.now();
    const committed = await commitLiabilities(ctx, transparencyLog);
    const tookMs = performance.now() - startedMs;
    console.log(`${name.padEnd(34)} ${tookMs.toFixed(0)} ms, ${committed?.accounts} accounts`);
    return committed!;
  };
  await post(ids);
  await commit("first, all accounts new");
  await sql`analyze`.execute(ctx.database.db);
  await post(ids.slice(0, 1));
  await commit("after one account moved");
  await post(ids.filter((_, index) => index % Math.ceil(count / 1_000) === 0));
  const last = await commit("after a thousand accounts moved");
  const started = performance.now();
  for (let index = 0; index < 20; index += 1)
    await readPathAt(db, last.run, (index * 997) % count, count);
  console.log(`one path: ${((performance.now() - started) / 20).toFixed(1)} ms`);
  const { rows: sizes } = await sql<{ bytes: bigint }>`
    select sum(pg_total_relation_size(t))::bigint as bytes
    from unnest(array['liability_head', 'liability_node', 'liability_account']::regclass[]) t`.execute(
    db,
  );
  console.log(`stored: ${(Number(sizes[0]!.bytes) / 1e6).toFixed(1)} MB`);
  console.log(`memory: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
  await ledger.stop();
}
