/**
 * Exports a person with many postings as one archive: measures the time, how long the event loop is
 * blocked, and the memory needed. `node tools/bench/export.ts [postings]`
 */
import { randomBytes, randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { exportPerson } from "#server/account/export.ts";
import { joinByName } from "#server/account/personalData.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { exportBalances } from "#server/ledger/personPostings.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { createPeople, newId } from "#server/testing/people.ts";
import { openBenchWorld } from "./lib/world.ts";

const postings = Number(process.argv[2] ?? 100_000);
const atOnce = 1_000;

const world = await openBenchWorld();
const { ctx } = world;
const { db } = ctx.database;
const ledger = createLedger(ctx);
const { openPerson } = await createPeople(ledger);
const { userId, attemptId } = await openPerson(1_000_000);
await ctx.database.pool.query("insert into user_account (user_id, created_at_ms) values ($1, 1)", [
  userId,
]);
await ctx.database.pool.query(
  "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, 1, 1, 1)",
  [attemptId, userId],
);
const wallet = await ledger.account({ userId, attemptId }, "wallet", "pUSDT");
const fees = await ledger.account("house", "fees", "pUSDT");
for (let postedCount = 1; postedCount < postings; postedCount += atOnce) {
  await Promise.all(
    Array.from({ length: Math.min(atOnce, postings - postedCount) }, () =>
      ledger.post({
        id: newId(),
        kind: "bench.fee",
        bodyHash: randomBytes(32),
        about: randomUUID(),
        legs: [
          { account: wallet, amount: -1n },
          { account: fees, amount: 1n },
        ],
      }),
    ),
  );
}

const rows = createPersonRows(ctx);
const personalData = joinByName([
  {
    name: "wallet",
    exportFor: async () => ({ json: await exportBalances(db, userId) }),
    lists: { attempts: rows.list({ table: "user_attempt", order: "number" }) },
    erase: null,
  },
]);

globalThis.gc?.();
const before = process.memoryUsage().rss;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedMs = performance.now();
let [bytes, maxMemory] = [0, before];
for await (const chunk of exportPerson(ctx, personalData, userId, "en")) {
  bytes += chunk.length;
  maxMemory = Math.max(maxMemory, process.memoryUsage().rss);
}
const tookMs = performance.now() - startedMs;
delay.disable();
const mb = (value: number) => (value / 1024 / 1024).toFixed(1);
console.log(
  JSON.stringify({
    postings,
    took_ms: Math.round(tookMs),
    archive_mb: mb(bytes),
    loop_delay_p99_ms: (delay.percentile(99) / 1e6).toFixed(1),
    loop_delay_max_ms: (delay.max / 1e6).toFixed(1),
    memory_more_mb: mb(maxMemory - before),
  }),
);
await ledger.stop();
await world.close();
