import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

export interface CrashOptions {
  kills: number;
  /** Mean time of load between a recovery and the next kill. */
  secondsBetween: number;
  users: number;
  /** Orders requested concurrently. */
  clients: number;
  /** World seconds per real second: at 10, a tier of 300 s ends after half a minute. */
  speed: number;
  /** Determines what is killed, and when. */
  seed: number;
  /** Keep the data directory even on success. */
  keep: boolean;
}

export const usage = `Kills server and database under load, and compares the result with what was acknowledged.

  npm run crash -- [--kills 50] [--seconds-between 3] [--users 300] [--clients 32] [--speed 10] [--seed 1] [--keep]

Exit status: 0 nothing lost, duplicated or unbalanced; 1 otherwise; 2 wrong options.`;

/** Throws an Error with one sentence if an option is wrong. */
export function readOptions(args: readonly string[]): CrashOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: text,
      "seconds-between": text,
      users: text,
      clients: text,
      speed: text,
      seed: text,
      keep: { type: "boolean", default: false },
    },
  });
  const whole = (name: string, given: string | undefined, from: number, to: number, or: number) => {
    if (given === undefined) return or;
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new Error(`--${name} must be a whole number from ${from} to ${to}.`);
  };
  return {
    kills: whole("kills", values.kills, 0, 10_000, 50),
    secondsBetween: whole("seconds-between", values["seconds-between"], 1, 3_600, 3),
    users: whole("users", values.users, 1, 5_000, 300),
    clients: whole("clients", values.clients, 1, 1_000, 32),
    speed: whole("speed", values.speed, 1, 60, 10),
    seed: whole("seed", values.seed, 0, 999_999_999, randomInt(1_000_000)),
    keep: values.keep,
  };
}

/** Seeded random numbers in [0, 1) (mulberry32), so that a run can be approximately repeated. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
