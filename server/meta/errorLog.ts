import { dayMs, hourMs } from "#core/money/time.ts";
import type { Db } from "#server/platform/db/database.ts";

export interface ClientError {
  type: string;
  code: string;
  message: string;
  page_url: string;
}

const retentionMs = 30 * dayMs;
/** Reports stored per hour, across everyone; more would add nothing new. */
const hourlyMax = 1000;
/**
 * Reports per network and hour that are exempt from the hourly maximum up to this larger one, so
 * that each network is heard even while others fill the log.
 */
export const newTextsPerNetwork = 5;
const hourlyMaxWithShares = 5000;

/**
 * Strips what could identify a person: addresses, keys, hashes and e-mail addresses are cut, and of
 * the page only the path is kept, because a query may name an order or an invitation.
 */
function withoutPersonalData(error: ClientError): ClientError {
  const clean = (text: string) =>
    text
      .replaceAll(/0x[0-9a-fA-F]{8,}/g, "0x…")
      .replaceAll(/\bp?(eth|tron|btc)1[02-9ac-hj-np-z]{8,}/g, "$11…")
      .replaceAll(/[0-9a-fA-F]{32,}/g, "…")
      .replaceAll(/[\w-]{43,}/g, "…")
      .replaceAll(/[^\s@]+@[^\s@]+\.[^\s@]+/g, "…@…")
      .replaceAll(/(https?:\/\/[^\s?#]+)[?#]\S*/g, "$1");
  return {
    type: clean(error.type),
    code: clean(error.code),
    message: clean(error.message),
    page_url: clean(error.page_url.replace(/[?#].*$/s, "")),
  };
}

/**
 * Stores a report, unless the hourly maximum is reached. `isOfShare`: it is among its network's
 * first.
 */
export async function storeError(
  db: Db,
  error: ClientError,
  { version, nowMs, isOfShare }: { version: string; nowMs: number; isOfShare: boolean },
): Promise<void> {
  const { count } = await db
    .selectFrom("error_log")
    .select((eb) => eb.fn.countAll<bigint>().as("count"))
    .where("at_ms", ">", BigInt(nowMs - hourMs))
    .executeTakeFirstOrThrow();
  if (count >= BigInt(isOfShare ? hourlyMaxWithShares : hourlyMax)) return;
  await db
    .insertInto("error_log")
    .values({ ...withoutPersonalData(error), version, at_ms: nowMs })
    .execute();
}

/** Deletes reports older than 30 days; returns how many. */
export async function purgeErrors(db: Db, nowMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("error_log")
    .where("at_ms", "<", BigInt(nowMs - retentionMs))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
