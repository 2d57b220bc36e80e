import { sql } from "kysely";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeSleep } from "#core/transparency-log/sleepLeaf.ts";
import type { AppContext } from "#server/platform/context.ts";
import { insertLeaves, lockNextIndex } from "#server/transparency-log/store.ts";

/**
 * Records in the log that the world was asleep since its last closed second. Call it before the
 * next second is closed. A no-op for a world without closed seconds, or one whose time has ended.
 */
export async function recordSleep({
  database,
  world,
  clock,
  realClock,
}: Pick<AppContext, "database" | "world" | "clock" | "realClock">): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await lockNextIndex(tx);
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from log_leaf where kind = 2 order by leaf desc limit 1`.execute(tx);
    const last = rows[0] && decodeSecond(rows[0].bytes, null);
    if (!last) return;
    if (!last.ok) throw new Error("the last second of the log cannot be read");
    const { secondMs: lastSecondMs } = last.value;
    const wokeAtMs = clock.nowMs();
    if (wokeAtMs <= lastSecondMs) return;
    const bytes = encodeSleep({ world: world.name, lastSecondMs, wokeAtMs });
    await insertLeaves(tx, [{ kind: "sleep", bytes }], realClock.nowMs());
  });
}
