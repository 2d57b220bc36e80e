import type { Attempt } from "#api/attempts.ts";
import { createAttemptClosing } from "#server/attempts/closing.ts";
import { createLedgerFees } from "#server/attempts/fees.ts";
import { toAttemptViews } from "#server/attempts/list.ts";
import { createStartOver, nextStartMs } from "#server/attempts/startOver.ts";
import {
  type AttemptQuery,
  readAttempt,
  readAttempts,
  readLastStart,
  readOpenedBy,
} from "#server/attempts/store.ts";
import type { AttemptRow, AttemptsDeps, Owner } from "#server/attempts/types.ts";
import type { Keys } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

export interface StartedAttempt {
  attemptId: string;
  number: number;
  closedAttemptId: string;
  openedAtMs: number;
  nextStartAtMs: number;
}

export interface Attempts {
  jobs: readonly Job[];
  /**
   * Closes an attempt and opens the next. Throws `attempts.not_current` and `attempts.once_a_day`.
   */
  startOver(owner: Owner, id: string, bodyHash: Uint8Array): Promise<StartedAttempt>;
  /** Returns the attempt that the journal `id` started; null when there is none. */
  find(id: string): Promise<StartedAttempt | null>;
  list(
    userId: string,
    query: AttemptQuery,
  ): Promise<{ items: Attempt[]; newest: number; nextStartAtMs: number }>;
  /** One of the person's own attempts. Throws `attempts.unknown`. */
  own(owner: Owner): Promise<AttemptRow>;
  readonly keys: Keys;
  readonly world: string;
}

/** Attempts: a person's successive practice accounts, of which one is open. */
export function createAttempts(ctx: AppContext, deps: AttemptsDeps): Attempts {
  const { db } = ctx.database;
  const { ledger, market: prices, records, contributions } = deps;
  const closing = createAttemptClosing(ctx, contributions);
  const open = createStartOver(ctx, ledger, prices);
  const ledgerFees = createLedgerFees(db);
  return {
    jobs: closing.jobs,
    keys: ledger.keys,
    world: ledger.world,
    startOver: async (attemptOwner, id, bodyHash) => {
      const attemptRow = await open(attemptOwner, id, bodyHash);
      // A failure here is retried by the loop: the new attempt exists and is returned.
      await closing.cancelAll(attemptOwner);
      return toStartedAttempt(attemptRow);
    },
    find: async (id) => {
      const openedBy = await readOpenedBy(db, id);
      return openedBy && toStartedAttempt(openedBy);
    },
    list: async (userId, query) => {
      const [rows, last] = await Promise.all([
        readAttempts(db, userId, query),
        readLastStart(db, userId),
      ]);
      const hooks = contributions.attempts;
      const fees = [ledgerFees, ...hooks.flatMap((hook) => hook.fees ?? [])];
      const running = hooks.flatMap((hook) => hook.running ?? []);
      const sources = { db, prices, lines: records.lines, fees, running };
      const items = await toAttemptViews(sources, rows);
      return { items, newest: rows[0]?.number ?? 0, nextStartAtMs: nextStartMs(last) };
    },
    own: async (owner) => {
      const row = await readAttempt(db, owner);
      if (!row) throw new ApiError("attempts.unknown");
      return row;
    },
  };
}

function toStartedAttempt(attemptRow: AttemptRow): StartedAttempt {
  if (attemptRow.closes === null)
    throw new Error(`attempt ${attemptRow.attemptId} has no predecessor`);
  return {
    attemptId: attemptRow.attemptId,
    number: attemptRow.number,
    closedAttemptId: attemptRow.closes,
    openedAtMs: attemptRow.openedAtMs,
    nextStartAtMs: nextStartMs(attemptRow.openedRealAtMs),
  };
}
