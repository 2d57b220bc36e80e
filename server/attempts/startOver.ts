import { attemptStart, startingBalance } from "#core/ledger/chart.ts";
import { deriveJournalId } from "#core/ledger/ids.ts";
import { nextDayMs, toRealDay } from "#core/money/time.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import {
  readAttempt,
  readLastStart,
  readOpenedBy,
  type StartRow,
  writeStarts,
} from "#server/attempts/store.ts";
import type { AttemptRow, Owner } from "#server/attempts/types.ts";
import { requirePosted } from "#server/ledger/keys.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Prices } from "#server/wallet/wallet.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A user started over; this attempt is now the current one. */
    "attempt.opened": { userId: string; attemptId: string };
  }
}

/** Real time from which a person may start over, given their last start (null: never). */
export function nextStartMs(lastRealMs: number | null): number {
  return lastRealMs === null ? 0 : nextDayMs(lastRealMs);
}

/**
 * The id of the attempt that follows another. Deterministic, so that concurrent starts open the
 * same.
 */
function nextAttemptId(attemptId: string): string {
  return deriveJournalId("attempt.next", attemptId);
}

/**
 * Registers the post hook for starts and returns the call, which closes `who.attemptId` and opens
 * the next attempt in the transaction that posts its starting balance under the journal `id`.
 * Throws `attempts.not_current` and `attempts.once_a_day`.
 */
export function createStartOver(ctx: AppContext, ledger: Ledger, prices: Prices) {
  const { db } = ctx.database;
  ledger.onPosted(attemptStart, writeStarts);
  return async (owner: Owner, id: string, bodyHash: Uint8Array): Promise<AttemptRow> => {
    const realMs = ctx.realClock.nowMs();
    const nextMs = nextStartMs(await readLastStart(db, owner.userId));
    const closing = await readAttempt(db, owner);
    if (!closing || closing.closing) {
      // A retry after a lost answer returns the existing attempt.
      const before = await readOpenedBy(db, id);
      if (before) return before;
      throw new ApiError("attempts.not_current");
    }
    if (nextMs > realMs) throw onceADay(nextMs);
    const attemptId = nextAttemptId(owner.attemptId);
    const row: StartRow = {
      userId: owner.userId,
      attemptId,
      closes: owner.attemptId,
      realMs,
      ...toClosingPrices(prices),
    };
    const result = await ledger.post(await startJournal(ledger, row, id, bodyHash), row);
    if (result.outcome === "limit_full") throw onceADay(nextDayMs(realMs));
    requirePosted(result);
    const openedBy = await readOpenedBy(db, id);
    if (!openedBy) throw new Error(`start ${id} is posted, but its attempt is missing`);
    ctx.bus.publish("attempt.opened", { userId: owner.userId, attemptId: openedBy.attemptId });
    return openedBy;
  };
}

function onceADay(nextMs: number): ApiError {
  return new ApiError("attempts.once_a_day", { next_start_at_ms: nextMs });
}

async function startJournal(
  ledger: Ledger,
  { userId, attemptId, realMs }: StartRow,
  id: string,
  bodyHash: Uint8Array,
): Promise<Journal> {
  const [issuance, wallet, quotaId] = await Promise.all([
    ledger.account("house", "issuance", displayCurrency),
    ledger.account({ userId, attemptId }, "wallet", displayCurrency),
    ledger.quotaId(userId),
  ]);
  return {
    id,
    kind: attemptStart,
    bodyHash,
    legs: [
      { account: wallet, amount: startingBalance },
      { account: issuance, amount: -startingBalance },
    ],
    limits: [{ key: quotaKey("attempts.start", quotaId, toRealDay(realMs)), delta: 1n, cap: 1n }],
    about: attemptId,
  };
}

/** The current index, as stored with a closing. */
function toClosingPrices(prices: Prices): Pick<StartRow, "pricedAtMs" | "index"> {
  const latest = prices.latest();
  const values = Object.entries(latest?.index ?? {}).flatMap(([symbol, value]) =>
    value === null || value === undefined ? [] : [[symbol, String(value)] as const],
  );
  return { pricedAtMs: latest?.secondMs ?? null, index: Object.fromEntries(values) };
}
