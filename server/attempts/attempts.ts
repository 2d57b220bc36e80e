import type { Attempt } from "#api/attempts.ts";
import { createClosing } from "#server/attempts/closing.ts";
import { createLedgerFees } from "#server/attempts/fees.ts";
import { attemptViews } from "#server/attempts/list.ts";
import { createStartOver, nextStartMs } from "#server/attempts/startOver.ts";
import {
  type AskedAttempts,
  readAttempt,
  readAttempts,
  readLastStart,
  readOpenedBy,
} from "#server/attempts/store.ts";
import type {
  AttemptRow,
  CancelWaiting,
  ReadFees,
  ReadRunning,
  Whose,
} from "#server/attempts/types.ts";
import type { Keys } from "#server/ledger/keys.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Lines } from "#server/records/lines.ts";
import type { Prices } from "#server/wallet/wallet.ts";

export interface Started {
  attemptId: string;
  number: number;
  closedAttemptId: string;
  openedAtMs: number;
  nextStartAtMs: number;
}

export interface Attempts {
  /** Closes an attempt, opens the next. Refuses `attempts.not_current` and `attempts.once_a_day`. */
  startOver(who: Whose, id: string, bodyHash: Uint8Array): Promise<Started>;
  /** What the journal `id` started; null when there is no such thing. */
  find(id: string): Promise<Started | null>;
  list(
    userId: string,
    asked: AskedAttempts,
  ): Promise<{ items: Attempt[]; newest: number; nextStartAtMs: number }>;
  /** One of the person's own attempts. Refuses `attempts.unknown`. */
  own(who: Whose): Promise<AttemptRow>;
  /** Called for each attempt that closes, at once and at least once more a minute later. Register before anything runs. */
  onClose(cancel: CancelWaiting): void;
  /** Says what of a product (`contract`, `hosting`, `mining`) still runs in an attempt. Once each. */
  running(about: string, read: ReadRunning): void;
  /** Says what fees an attempt paid to a product, besides those the ledger's `fees` account got. */
  fees(read: ReadFees): void;
  readonly keys: Keys;
  readonly world: string;
}

/** Attempts: the chapters of a person's practice, of which one is open. */
export function createAttempts(
  parts: Parts,
  ledger: Ledger,
  prices: Prices,
  lines: (attemptId: string) => Promise<Lines>,
): Attempts {
  const { db } = parts.database;
  const closing = createClosing(parts);
  const open = createStartOver(parts, ledger, prices);
  const running = new Map<string, ReadRunning>();
  const fees: ReadFees[] = [createLedgerFees(db)];
  return {
    keys: ledger.keys,
    world: ledger.world,
    startOver: async (who, id, bodyHash) => {
      const opened = await open(who, id, bodyHash);
      // What fails now is done by the loop: the new attempt stands, and says so.
      await closing.cancelAll(who);
      return startedOf(opened);
    },
    find: async (id) => {
      const opened = await readOpenedBy(db, id);
      return opened && startedOf(opened);
    },
    list: async (userId, asked) => {
      const [rows, last] = await Promise.all([
        readAttempts(db, userId, asked),
        readLastStart(db, userId),
      ]);
      const items = await attemptViews({ db, prices, lines, fees, running }, rows);
      return { items, newest: rows[0]?.number ?? 0, nextStartAtMs: nextStartMs(last) };
    },
    own: async (who) => {
      const row = await readAttempt(db, who);
      if (!row) throw new Refusal("attempts.unknown");
      return row;
    },
    onClose: closing.onClose,
    running: (about, read) => {
      if (running.has(about)) throw new Error(`${about} says twice what runs`);
      running.set(about, read);
    },
    fees: (read) => {
      fees.push(read);
    },
  };
}

function startedOf(opened: AttemptRow): Started {
  if (opened.closes === null) throw new Error(`nothing was closed for ${opened.attemptId}`);
  return {
    attemptId: opened.attemptId,
    number: opened.number,
    closedAttemptId: opened.closes,
    openedAtMs: opened.openedAtMs,
    nextStartAtMs: nextStartMs(opened.openedRealAtMs),
  };
}
