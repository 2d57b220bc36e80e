import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { countDue } from "../crash/checks/console.ts";
import { countOverdue } from "../crash/checks/journals.ts";
import { countOpen } from "../crash/checks/orders.ts";

/**
 * Lets PostgreSQL acknowledge commits before they are on disk, so that a run must detect losses.
 */
export async function setAsynchronous(adminUrl: string): Promise<void> {
  const admin = openDatabase({ url: adminUrl, schema: "public", max: 1 });
  await admin.pool.query("alter system set synchronous_commit = off");
  await admin.pool.query("select pg_reload_conf()");
  await admin.close();
}

/**
 * Waits until all orders are settled and all due work is done. Resolves with the number of items
 * left after `limitMs`, 0 if none.
 */
export async function waitUntilSettled(database: Database, limitMs: number): Promise<number> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const counts = [countOpen(database), countOverdue(database), countDue(database)];
    const remaining = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    if (remaining === 0 || performance.now() > untilMs) return remaining;
    await sleep(500);
  }
}
