import { setTimeout as sleep } from "node:timers/promises";
import { postJournals } from "#server/ledger/door.ts";
import { failureOf } from "#server/ledger/failures.ts";
import type { Companion, Journal, PostResult } from "#server/ledger/types.ts";
import type { WorldClock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import { enterGate } from "#server/platform/gate.ts";
import { Refusal } from "#server/platform/refusal.ts";

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
  companion: (kind: string, write: Companion) => void;
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
 * with the load; each is one transaction: gate, time, journals, companions, commit.
 */
export function createWriter(parts: WriterParts, limits: WriterLimits = writerLimits): Writer {
  const companions = new Map<string, Companion>();
  const waiting: Waiting[] = [];
  const idle: (() => void)[] = [];
  let inFlight = 0;
  let stopped = false;
  let scheduled = false;

  const start = () => {
    scheduled = false;
    while (inFlight < limits.batchesInFlight && waiting.length > 0) {
      inFlight++;
      void commit(parts, companions, takeBatch(waiting, limits), limits.attempts).finally(() => {
        inFlight--;
        start();
      });
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
    companion: (kind, write) => {
      if (companions.has(kind)) throw new Error(`the companion of ${kind} is registered twice`);
      companions.set(kind, write);
    },
    stop: async () => {
      stopped = true;
      while (inFlight > 0 || waiting.length > 0) {
        await new Promise<void>((resolve) => idle.push(resolve));
      }
    },
  };
}

function takeBatch(waiting: Waiting[], limits: WriterLimits): Waiting[] {
  let legs = 0;
  let count = 0;
  while (count < waiting.length && count < limits.batchJournals) {
    legs += waiting[count]!.journal.legs.length;
    if (count > 0 && legs > limits.batchLegs) break;
    count++;
  }
  return waiting.splice(0, count);
}

async function commit(
  parts: WriterParts,
  companions: Map<string, Companion>,
  batch: Waiting[],
  attempts: number,
): Promise<void> {
  let lost = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const results = await commitOnce(parts, companions, batch);
      const changed = new Set<bigint>();
      for (const [index, { journal, resolve }] of batch.entries()) {
        const result = results[index]!;
        // Posted by the try whose answer was lost.
        if (lost && result.outcome === "duplicate") result.outcome = "posted";
        if (result.outcome === "posted") for (const leg of journal.legs) changed.add(leg.account);
        resolve(result);
      }
      if (changed.size > 0) parts.onPosted(changed);
      return;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "final" && batch.length > 1) {
        // One bad row must not fail its neighbours.
        const half = batch.length >> 1;
        await commit(parts, companions, batch.slice(0, half), attempts);
        await commit(parts, companions, batch.slice(half), attempts);
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
  companions: Map<string, Companion>,
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
    for (const [kind, rows] of posted) await companions.get(kind)?.(tx, rows);
    return results;
  });
}
