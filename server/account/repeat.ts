import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { sql } from "kysely";
import type { Parts } from "#server/platform/parts.ts";
import { keyOfMark, marksIn } from "#server/platform/postgres/backup/deletions.ts";

/**
 * Deletes again whoever was deleted before and is back: a database restored from a backup that is older than the deletion, under
 * keys that know of it (docs/operating.md). Once in the life of a process, since it starts anew after a restore. The receipt's id
 * is a new one: the first was in what is gone.
 */
export function createRepeat(
  { config, database, log }: Pick<Parts, "config" | "database" | "log">,
  run: (userId: string, receiptId: string) => Promise<unknown>,
): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    const marks = await marksIn(config.dataDirectory);
    const forgotten = marks.map((mark) => basename(keyOfMark(mark)));
    const { rows } = await sql<{ user_id: string }>`
      select user_id from user_account
      where user_id = any(${forgotten}::text[]) and erased_at_ms is null`.execute(database.db);
    for (const { user_id: userId } of rows) {
      await run(userId, randomUUID());
      log.warn(
        { userId },
        "an account that was deleted had come back with a backup: deleted again",
      );
    }
    done = true;
  };
}
