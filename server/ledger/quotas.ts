import { sql } from "kysely";
import { minuteMs } from "#core/money/time.ts";
import type { AppContext } from "#server/platform/context.ts";
import { batchReads } from "#server/platform/db/batchReads.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/**
 * Keys of limit rows for a person's quotas over a period of real days. They name the last of its
 * days, after which `purge_limits` removes them, and the person by their quota id.
 */
export function quotaKey(name: string, quotaId: string, lastDay: number, detail?: number): string {
  const key = `until:${lastDay}:${name}:${quotaId}`;
  return detail === undefined ? key : `${key}:${detail}`;
}

/** Returns true if a limit row's key is a quota of that name. */
export function isQuota(name: string, key: string): boolean {
  const [kind, , quotaName] = key.split(":");
  return kind === "until" && quotaName === name;
}

/**
 * The name under which a person's quotas are counted: a digest of their address's blind index, so
 * that deleting the account and signing in with the same wallet starts no quota again, and nothing
 * leads from there to either account without the instance's key. The user id where there is no
 * address. Not for use inside a transaction: the caller asks before it begins.
 */
export function createQuotaIds({
  database: { db },
  realClock,
}: Pick<AppContext, "database" | "realClock">) {
  const readId = batchReads<string, string>(async (userIds) => {
    const { rows } = await sql<{ user_id: string; quota_id: string }>`
      select user_id,
        encode(sha256(convert_to('drydock.quota/1|', 'UTF8') || address_index), 'hex') as quota_id
      from user_address where user_id = any(${userIds}::text[])`.execute(db);
    return new Map(rows.map((row) => [row.user_id, row.quota_id]));
  });
  // An address belongs to its account until the account is deleted.
  const cached = createTtlCache(readId, {
    ttlMs: minuteMs,
    clock: realClock,
    shouldCache: (quotaId) => quotaId !== undefined,
  });
  return async (userId: string): Promise<string> => (await cached.get(userId)) ?? userId;
}
