import { setTimeout as sleep } from "node:timers/promises";
import { failureOf } from "#server/ledger/failures.ts";
import { postJournals } from "#server/ledger/postJournals.ts";
import type { Companion, Journal, PostResult, QuickPost } from "#server/ledger/types.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { WorldClock } from "#server/platform/clock.ts";
import { enterGate } from "#server/platform/db/acceptLock.ts";
import type { Database } from "#server/platform/db/database.ts";
import { withPurpose } from "#server/platform/db/pools.ts";

/** Bounds of the group commit. Beyond `waitingMax` postings that wait, new ones are refused (`server.unavailable`). */
export interface WriterLimits {
  batchJournals: number;
  batchLegs: number;
  batchesInFlight: number;
  waitingMax: number;
  /** How often a batch is tried before its callers hear of the failure. */
  attempts: number;
}

export const writerLimits: WriterLimits = {
  batchJournals: 1_000,
  batchLegs: 8_000,
  batchesInFlight: 2,
  waitingMax: 20_000,
  attempts: 6,
};

interface Waiting {
  journal: Journal;
  row: unknown;
  resolve: (result: PostResult) => void;
  reject: (error: unknown) => void;
}

export interface Writer {
  post: (journal: Journal, row?: unknown) => Promise<PostResult>;
  companion: (kind: string, write: Companion, quick?: QuickPost) => void;
  stop: () => Promise<void>;
}

interface WriterParts {
  database: Database;
  clock: WorldClock;
  /** Told after the commit which accounts changed. */
  onPosted(accounts: Set<bigint>): void;
  /** Told why a batch was given up, whose callers only hear that they may try again. */
  onUnavailable(error: unknown): void;
}

/**
 * The group commit. Postings that arrive while the batches in flight are under way form the next batch, so a batch grows
 * with the load; each is one transaction: gate, time, journals, companions, commit. Journals with a statement of their own
 * (`QuickPost`) form batches of their own.
 */
export function createWriter(parts: WriterParts, limits: WriterLimits = writerLimits): Writer {
  const kinds: Kinds = new Map();
  const waiting: Waiting[] = [];
  const idle: (() => void)[] = [];
  let inFlight = 0;
  let stopped = false;
  let scheduled = false;

  const start = () => {
    scheduled = false;
    while (inFlight < limits.batchesInFlight && waiting.length > 0) {
      inFlight++;
      const batch = takeBatch(waiting, kinds, limits);
      // Whoever happened to wake it, a job or a request.
      void withPurpose("requests", () => commit(parts, kinds, batch, limits.attempts)).finally(
        () => {
          inFlight--;
          start();
        },
      );
    }
    if (inFlight === 0) for (const wake of idle.splice(0)) wake();
  };

  return {
    post: (journal, row) => {
      if (stopped || waiting.length >= limits.waitingMax) {
        return Promise.reject(new Refusal("server.unavailable"));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ journal, row, resolve, reject });
        if (scheduled || inFlight >= limits.batchesInFlight) return;
        // After this turn of the event loop, so that what arrived in it goes together.
        scheduled = true;
        setImmediate(start);
      });
    },
    companion: (kind, write, quick) => {
      if (kinds.has(kind)) throw new Error(`the companion of ${kind} is registered twice`);
      kinds.set(kind, { write, ...(quick ? { quick } : {}) });
    },
    stop: async () => {
      stopped = true;
      while (inFlight > 0 || waiting.length > 0) {
        await new Promise<void>((resolve) => idle.push(resolve));
      }
    },
  };
}

type Kinds = Map<string, { write: Companion; quick?: QuickPost }>;

function quickOf(kinds: Kinds, { journal, row }: Waiting): QuickPost | null {
  const quick = kinds.get(journal.kind)?.quick;
  return quick?.takes(row) ? quick : null;
}

/** The next batch: those that go the way of the first, in their order. */
function takeBatch(waiting: Waiting[], kinds: Kinds, limits: WriterLimits): Waiting[] {
  const way = quickOf(kinds, waiting[0]!);
  const batch: Waiting[] = [];
  const others: Waiting[] = [];
  let legs = 0;
  let seen = 0;
  while (seen < waiting.length && batch.length < limits.batchJournals) {
    const one = waiting[seen]!;
    if (quickOf(kinds, one) === way) {
      legs += one.journal.legs.length;
      if (batch.length > 0 && legs > limits.batchLegs) break;
      batch.push(one);
    } else others.push(one);
    seen++;
  }
  waiting.splice(0, seen, ...others);
  return batch;
}

async function commit(
  parts: WriterParts,
  kinds: Kinds,
  batch: Waiting[],
  attempts: number,
): Promise<void> {
  let lost = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const quick = quickOf(kinds, batch[0]!);
      const results = (await quick?.post(batch)) ?? (await commitOnce(parts, kinds, batch));
      const changed = new Set<bigint>();
      for (const [index, { journal, resolve }] of batch.entries()) {
        const result = results[index]!;
        // A duplicate after a lost answer may have been posted by that try or long before: its balances are told, and its domain
        // reads what stands, because the row of this try may not be the one that was written.
        const moved = result.outcome === "posted" || (lost && result.outcome === "duplicate");
        if (moved) for (const leg of journal.legs) changed.add(leg.account);
        resolve(result);
      }
      if (changed.size > 0) parts.onPosted(changed);
      return;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "final" && batch.length > 1) {
        // One bad row must not fail its neighbours.
        const half = batch.length >> 1;
        await commit(parts, kinds, batch.slice(0, half), attempts);
        await commit(parts, kinds, batch.slice(half), attempts);
        return;
      }
      if (failure === "final") {
        for (const { reject } of batch) reject(error);
        return;
      }
      if (failure === "full" || attempt >= attempts) {
        parts.onUnavailable(error);
        for (const { reject } of batch) reject(new Refusal("server.unavailable"));
        return;
      }
      lost ||= failure === "lost";
      await sleep(failure === "lost" ? 50 * 2 ** attempt : 5 * attempt);
    }
  }
}

function commitOnce(
  { database, clock }: WriterParts,
  kinds: Kinds,
  batch: Waiting[],
): Promise<PostResult[]> {
  return database.db.transaction().execute(async (tx) => {
    await enterGate(tx, database.schema);
    const results = await postJournals(
      tx,
      batch.map(({ journal }) => journal),
      clock.nowMs(),
    );
    const posted = Map.groupBy(
      batch.flatMap(({ journal, row }, index) => {
        const { outcome, atMs } = results[index]!;
        return outcome === "posted" ? [{ journal, row, atMs }] : [];
      }),
      ({ journal }) => journal.kind,
    );
    for (const [kind, rows] of posted) await kinds.get(kind)?.write(tx, rows);
    return results;
  });
}
