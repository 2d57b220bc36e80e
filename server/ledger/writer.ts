import { setTimeout as sleep } from "node:timers/promises";
import { classifyFailure } from "#server/ledger/audit/failures.ts";
import { postJournals } from "#server/ledger/postJournals.ts";
import type { BulkPath, Journal, PostHook, PostResult } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { WorldClock } from "#server/platform/clock/clock.ts";
import { lockShared } from "#server/platform/db/acceptLock.ts";
import type { Database } from "#server/platform/db/database.ts";
import { withPurpose } from "#server/platform/db/pools.ts";

/**
 * Limits of the group commit. Beyond `waitingMax` waiting postings, new ones are rejected with
 * `server.unavailable`.
 */
export interface WriterLimits {
  batchJournals: number;
  batchLegs: number;
  batchesInFlight: number;
  waitingMax: number;
  /** How often a batch is tried before its callers get an error. */
  attempts: number;
}

export const writerLimits: WriterLimits = {
  batchJournals: 1_000,
  batchLegs: 8_000,
  batchesInFlight: 2,
  waitingMax: 20_000,
  attempts: 6,
};

interface PendingPosting {
  journal: Journal;
  row: unknown;
  resolve: (result: PostResult) => void;
  reject: (error: unknown) => void;
}

export interface Writer {
  post: (journal: Journal, row?: unknown) => Promise<PostResult>;
  onPosted: (kind: string, hook: PostHook, bulk?: BulkPath) => void;
  stop: () => Promise<void>;
}

interface WriterDeps {
  database: Database;
  clock: WorldClock;
  /** Called after the commit with the accounts that changed. */
  onAccountsChanged(accounts: Set<bigint>): void;
  /** Called with the reason a batch was given up; its callers only learn that they may retry. */
  onUnavailable(error: unknown): void;
}

/**
 * The group commit. Postings that arrive while batches are in flight form the next batch, so
 * batches grow with the load; each is one transaction: accept lock, time, journals, post hooks,
 * commit. Journals with a `BulkPath` are batched separately.
 */
export function createWriter(deps: WriterDeps, limits: WriterLimits = writerLimits): Writer {
  const kinds: Kinds = new Map();
  const queue: PendingPosting[] = [];
  const idle: (() => void)[] = [];
  let inFlight = 0;
  let stopped = false;
  let scheduled = false;

  const start = () => {
    scheduled = false;
    while (inFlight < limits.batchesInFlight && queue.length > 0) {
      inFlight++;
      const batch = takeBatch(queue, kinds, limits);
      // Runs on the requests pool, triggered by a job or by a request.
      void withPurpose("requests", () => commit(deps, kinds, batch, limits.attempts)).finally(
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
      if (stopped || queue.length >= limits.waitingMax) {
        return Promise.reject(new ApiError("server.unavailable"));
      }
      return new Promise((resolve, reject) => {
        queue.push({ journal, row, resolve, reject });
        if (scheduled || inFlight >= limits.batchesInFlight) return;
        // Deferred to the end of this event loop turn, so that everything that arrived in it is
        // batched.
        scheduled = true;
        setImmediate(start);
      });
    },
    onPosted: (kind, hook, bulk) => {
      if (kinds.has(kind)) throw new Error(`the post hook of ${kind} is registered twice`);
      kinds.set(kind, { hook, ...(bulk ? { bulk } : {}) });
    },
    stop: async () => {
      stopped = true;
      while (inFlight > 0 || queue.length > 0) {
        await new Promise<void>((resolve) => idle.push(resolve));
      }
    },
  };
}

type Kinds = Map<string, { hook: PostHook; bulk?: BulkPath }>;

function toBulkPath(kinds: Kinds, { journal, row }: PendingPosting): BulkPath | null {
  const bulk = kinds.get(journal.kind)?.bulk;
  return bulk?.accepts(row) ? bulk : null;
}

/** Takes the next batch: waiting journals that use the same path as the first, in order. */
function takeBatch(queue: PendingPosting[], kinds: Kinds, limits: WriterLimits): PendingPosting[] {
  const path = toBulkPath(kinds, queue[0]!);
  const batch: PendingPosting[] = [];
  const laterPostings: PendingPosting[] = [];
  let legs = 0;
  let takenCount = 0;
  while (takenCount < queue.length && batch.length < limits.batchJournals) {
    const posting = queue[takenCount]!;
    if (toBulkPath(kinds, posting) === path) {
      legs += posting.journal.legs.length;
      if (batch.length > 0 && legs > limits.batchLegs) break;
      batch.push(posting);
    } else laterPostings.push(posting);
    takenCount++;
  }
  queue.splice(0, takenCount, ...laterPostings);
  return batch;
}

async function commit(
  deps: WriterDeps,
  kinds: Kinds,
  batch: PendingPosting[],
  attempts: number,
): Promise<void> {
  let lost = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const bulk = toBulkPath(kinds, batch[0]!);
      const results = (await bulk?.post(batch)) ?? (await commitOnce(deps, kinds, batch));
      const changedIds = new Set<bigint>();
      for (const [index, { journal, resolve }] of batch.entries()) {
        const result = results[index]!;
        // A duplicate after a lost connection may have been posted by that attempt or long before:
        // its balances are published, and its domain reads the existing row, because this attempt's
        // row may not be the one that was written.
        const wasPosted = result.outcome === "posted" || (lost && result.outcome === "duplicate");
        if (wasPosted) for (const leg of journal.legs) changedIds.add(leg.account);
        resolve(result);
      }
      if (changedIds.size > 0) deps.onAccountsChanged(changedIds);
      return;
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure === "final" && batch.length > 1) {
        // One bad row must not fail its neighbours.
        const half = batch.length >> 1;
        await commit(deps, kinds, batch.slice(0, half), attempts);
        await commit(deps, kinds, batch.slice(half), attempts);
        return;
      }
      if (failure === "final") {
        for (const { reject } of batch) reject(error);
        return;
      }
      if (failure === "full" || attempt >= attempts) {
        deps.onUnavailable(error);
        for (const { reject } of batch) reject(new ApiError("server.unavailable"));
        return;
      }
      lost ||= failure === "lost";
      await sleep(failure === "lost" ? 50 * 2 ** attempt : 5 * attempt);
    }
  }
}

function commitOnce(
  { database, clock }: WriterDeps,
  kinds: Kinds,
  batch: PendingPosting[],
): Promise<PostResult[]> {
  return database.db.transaction().execute(async (tx) => {
    await lockShared(tx, database.schema);
    const results = await postJournals(
      tx,
      batch.map(({ journal }) => journal),
      clock.nowMs(),
    );
    const postedJournals = Map.groupBy(
      batch.flatMap(({ journal, row }, index) => {
        const { outcome, atMs } = results[index]!;
        return outcome === "posted" ? [{ journal, row, atMs }] : [];
      }),
      ({ journal }) => journal.kind,
    );
    for (const [kind, rows] of postedJournals) await kinds.get(kind)?.hook(tx, rows);
    return results;
  });
}
