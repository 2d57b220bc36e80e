import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { dayMs as dayLengthMs } from "#core/money/time.ts";
import {
  type BeaconRound,
  type BeaconWorld,
  computePublishedMs,
  getRoundOfDay,
  getRoundWindowMs,
} from "#core/transparency-log/beacon.ts";
import { encodeSeed, type SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { createFetchRound, type FetchRound } from "#server/market/beacon/fetchRound.ts";
import { toWorldBeacon } from "#server/market/leaves.ts";
import type { LeafLog } from "#server/market/source.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";

/** Real time between two reads of the clock, and between two attempts. */
const restMs = 2_000;
/** Real time to wait for the round of a day that began during downtime. */
const lateWaitMs = 6_000;

/** The rounds of the world's beacon: one for each day, in the log before the day begins. */
export interface Rounds {
  /** The day's round if it is in the log; waits while it is being written. */
  of(tx: Tx, atMs: number): Promise<Extract<SeedSource, { kind: "beacon" }> | null>;
  /** Returns true if a round is due on the day of a world time. */
  isDue(atMs: number): boolean;
  /** Fetches the next day's round once it is published. */
  collect(): Promise<void>;
  /**
   * Fetches the round of a day that began during downtime, for a few seconds at most or until
   * `signal` aborts.
   */
  collectLate(signal?: AbortSignal): Promise<void>;
  jobs: readonly Job[];
}

const toMidnight = (atMs: number) => Math.floor(atMs / dayLengthMs) * dayLengthMs;

export function createRounds(
  ctx: Pick<AppContext, "config" | "database" | "world" | "clock" | "realClock">,
  transparencyLog: LeafLog,
  fetchRound: FetchRound | null = null,
): Rounds {
  const { world, clock, realClock, database } = ctx;
  const beaconWorld: BeaconWorld = {
    beacon: toWorldBeacon(world),
    createdAtMs: world.startMs,
    market: world.market,
  };
  const fetch =
    fetchRound ?? (world.beacon && createFetchRound(world.beacon, ctx.config.beaconRelays));
  let lastWriteMs = Number.NEGATIVE_INFINITY;

  const lock = (tx: Tx) =>
    sql`select pg_advisory_xact_lock(${lockKey(database.schema, "market.round")}::bigint)`.execute(
      tx,
    );
  /** The day's round if it is published, unless it is in the log or the day has begun. */
  const fetchDue = async (midnightMs: number): Promise<boolean> => {
    const { beacon } = beaconWorld;
    const round = getRoundOfDay(beaconWorld, midnightMs);
    if (!beacon || !fetch || round === null || midnightMs <= lastWriteMs) return true;
    if (realClock.nowMs() < computePublishedMs(beacon, round)) return false;
    if (!(await isMissing(midnightMs))) return true;
    const beaconRound = await fetch(round);
    if (beaconRound) await write(midnightMs, beaconRound);
    return beaconRound !== null;
  };
  const isMissing = async (midnightMs: number) => {
    const { rows } = await sql<{ known: boolean }>`
      select exists (select from market_round where day_ms = ${midnightMs})
        or exists (select from market_day where start_ms >= ${midnightMs}) as known`.execute(
      database.db,
    );
    if (rows[0]!.known) lastWriteMs = midnightMs;
    return !rows[0]!.known;
  };
  const write = (midnightMs: number, { round, signature }: BeaconRound) =>
    database.db.transaction().execute(async (tx) => {
      await lock(tx);
      const { rows } = await sql`
        select from market_day where start_ms >= ${midnightMs}
        union all select from market_round where day_ms = ${midnightMs}`.execute(tx);
      // A day that began without its round never gets one: the log would contradict itself.
      if (rows.length > 0) return;
      const bytes = encodeSeed({
        action: "round",
        world: world.name,
        dayMs: midnightMs,
        round,
        signature,
      });
      const leaf = await transparencyLog.append(tx, [{ kind: "seed", bytes }]);
      await sql`insert into market_round (day_ms, round, signature, leaf)
        values (${midnightMs}, ${round}, ${signature}, ${leaf})`.execute(tx);
    });
  const collect = async () => {
    await fetchDue(toMidnight(clock.nowMs() + getRoundWindowMs(beaconWorld)));
  };
  return {
    isDue: (atMs) => getRoundOfDay(beaconWorld, atMs) !== null,
    of: async (tx, atMs) => {
      if (!beaconWorld.beacon) return null;
      await lock(tx);
      const { rows } = await sql<{ round: bigint; signature: Buffer }>`
        select round, signature from market_round where day_ms = ${toMidnight(atMs)}`.execute(tx);
      const [row] = rows;
      return row
        ? { kind: "beacon", round: Number(row.round), signature: new Uint8Array(row.signature) }
        : null;
    },
    collect,
    collectLate: async (signal) => {
      const untilMs = realClock.nowMs() + lateWaitMs;
      while (!signal?.aborted && realClock.nowMs() < untilMs) {
        if (await fetchDue(toMidnight(clock.nowMs()))) return;
        await sleep(1_000, undefined, { signal }).catch(() => {});
      }
    },
    jobs: beaconWorld.beacon
      ? [
          {
            name: "market.beacon",
            service: "feed",
            loop: async (signal) => {
              while (!signal.aborted) {
                await collect();
                await sleep(restMs, undefined, { signal }).catch(() => {});
              }
            },
          },
        ]
      : [],
  };
}
