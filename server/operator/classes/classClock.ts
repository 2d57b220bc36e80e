import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { type ClockPause, hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** Real time from the announcement of a pause to its second, so that every process learns of it. */
export const pauseLeadMs = 10_000;
/** Real time from the request to the end of a pause, so that every process learns of it. */
const resumeLeadMs = 2_000;
/** How far ahead a pause may be announced, in real time. */
const aheadMaxMs = 7 * dayMs;

interface OpenPause {
  ordinal: number;
  /** World time. */
  atMs: number;
}

/** A change of the clock, and the work to do once it is committed. */
interface ClockChange {
  pause: OpenPause;
  notify: () => void;
}

/** The pauses of a class: when world time stops and when it resumes. */
export interface ClassClock {
  /**
   * False for a live world, which must follow real time, for one with a public beacon, whose rounds
   * would be known too early, and for one whose recording has ended.
   */
  canPause(): boolean;
  /** World time, its speed, and the announced or current pause. */
  read(): Promise<{ nowMs: number; speed: number; pause: OpenPause | null }>;
  /**
   * Announces a pause at the second `atMs` of world time, or as soon as possible if null. Throws
   * `class.clock_fixed`, `class.pause_out_of_range`, or `class.changed_meanwhile` if one already
   * exists.
   */
  pause(tx: Tx, atMs: number | null): Promise<ClockChange>;
  /** Resumes world time in two seconds, or cancels the pause; throws `class.changed_meanwhile`. */
  resume(tx: Tx, ordinal: number): Promise<ClockChange>;
}

type Needs = Pick<AppContext, "world" | "clock" | "realClock" | "database" | "bus">;

export function createClassClock({ world, clock, realClock, database, bus }: Needs): ClassClock {
  const canPause = () => world.market.kind !== "live" && world.beacon === null && !hasEnded(clock);
  const readOpen = async (from: Db | Tx): Promise<OpenPause | null> => {
    const { rows } = await sql<{ ordinal: number; at_ms: bigint }>`
      select ordinal, at_ms from world_pause where resumed_real_ms is null`.execute(from);
    const [row] = rows;
    return row ? { ordinal: row.ordinal, atMs: Number(row.at_ms) } : null;
  };
  const toClockChange = (pause: ClockPause): ClockChange => ({
    pause: { ordinal: pause.ordinal, atMs: pause.atMs },
    notify: () => bus.publish("clock.paused", pause),
  });
  return {
    canPause,
    read: async () => ({
      nowMs: clock.nowMs(),
      speed: clock.speed,
      pause: await readOpen(database.db),
    }),
    pause: async (tx, wantedMs) => {
      if (!canPause()) throw new ApiError("class.clock_fixed");
      // Serialises two concurrent operators.
      await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "class.clock")}::bigint)`.execute(
        tx,
      );
      if (await readOpen(tx)) throw new ApiError("class.changed_meanwhile");
      const inWorld = (realMs: number) => clock.nowMs() + realMs * clock.speed;
      const earliestMs = Math.ceil(inWorld(pauseLeadMs) / 1_000) * 1_000;
      const atMs = wantedMs === null ? earliestMs : Math.floor(wantedMs / 1_000) * 1_000;
      const latestMs = Math.min(inWorld(aheadMaxMs), clock.endMs ?? Number.POSITIVE_INFINITY);
      if (atMs < earliestMs || atMs > latestMs) throw new ApiError("class.pause_out_of_range");
      const { rows } = await sql<{ ordinal: number }>`
        insert into world_pause (ordinal, at_ms, announced_real_ms)
        select coalesce(max(ordinal), 0) + 1, ${atMs}::bigint, ${realClock.nowMs()}::bigint
        from world_pause returning ordinal`.execute(tx);
      return toClockChange({ ordinal: rows[0]!.ordinal, atMs, resumedRealMs: null });
    },
    resume: async (tx, ordinal) => {
      const resumedRealMs = realClock.nowMs() + resumeLeadMs;
      const { rows } = await sql<{ at_ms: bigint }>`
        update world_pause set resumed_real_ms = ${resumedRealMs}
        where ordinal = ${ordinal} and resumed_real_ms is null returning at_ms`.execute(tx);
      if (!rows[0]) throw new ApiError("class.changed_meanwhile");
      return toClockChange({ ordinal, atMs: Number(rows[0].at_ms), resumedRealMs });
    },
  };
}
