import { randomInt } from "node:crypto";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { type MixName, mixNames } from "./change.ts";

const targetNames = ["server", "database", "both", "feed", "worker", "web"] as const;
export type TargetName = (typeof targetNames)[number];

export interface CrashOptions {
  kills: number;
  /** The mixes of calls; clients are spread over these in turn. */
  mixes: readonly MixName[];
  /** The targets to kill, one at a time. */
  targets: readonly TargetName[];
  /** True if web, feed and worker are separate processes, as when one of them is a target. */
  hasSeparateProcesses: boolean;
  /** Mean time of load between a recovery and the next kill. */
  secondsBetween: number;
  users: number;
  /** Changes requested concurrently. */
  clients: number;
  /** World seconds per real second: at 10, a tier of 300 s ends after half a minute. */
  speed: number;
  /** Determines what is killed, and when. */
  seed: number;
  /** Keep the data directory even on success. */
  keep: boolean;
  /** Run PostgreSQL with `synchronous_commit = off`. */
  hasAsynchronousCommit: boolean;
}

/** The differences between programs with these options. */
export interface CrashProgram {
  usage: string;
  /** The option that says how often. */
  times: "kills" | "cuts";
  /** The mixes of calls unless `--mix` names others. */
  mixes: readonly MixName[];
  /** True if it can be chosen what is killed. */
  hasTargets: boolean;
}

export const crashProgram: CrashProgram = {
  usage: `Kills server and database under load, and compares the result with what was acknowledged.

  npm run crash -- [--mix orders] [--targets server,database,both] [--kills 50] [--seconds-between 3]
    [--users 300] [--clients 32] [--speed 10] [--seed 1] [--keep] [--asynchronous]

  --mix      a list out of ${mixNames.join(", ")}, or all
  --targets  a list out of ${targetNames.join(", ")}; with feed, worker or web,
             the three services are processes of their own

Exit status: 0 nothing lost, duplicated or unbalanced; 1 otherwise; 2 wrong options.`,
  times: "kills",
  mixes: ["orders"],
  hasTargets: true,
};

/** Throws a ToolError if an option is wrong. */
export function readOptions(args: readonly string[], program: CrashProgram): CrashOptions {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const config = {
    args: [...args],
    options: {
      mix: text,
      ...(program.hasTargets && { targets: text }),
      [program.times]: text,
      "seconds-between": text,
      users: text,
      clients: text,
      speed: text,
      seed: text,
      keep: flag,
      asynchronous: flag,
    },
  };
  const values: Record<string, string | boolean | undefined> = parseOptions(
    config,
    program.usage,
  ).values;
  const option = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const integer = (name: string, from: number, to: number, fallback: number) =>
    parseWholeNumber(name, option(name), { from, to, fallback });
  const mix = option("mix") === "all" ? mixNames.join() : option("mix");
  const standard: TargetName[] = ["server", "database", "both"];
  const targets = listOf("targets", option("targets"), targetNames, standard);
  return {
    mixes: listOf("mix", mix, mixNames, program.mixes),
    targets,
    hasSeparateProcesses: targets.some((name) => !standard.includes(name)),
    kills: integer(program.times, 0, 10_000, 50),
    secondsBetween: integer("seconds-between", 1, 3_600, 3),
    users: integer("users", 3, 5_000, 300),
    clients: integer("clients", 1, 1_000, 32),
    speed: integer("speed", 1, 60, 10),
    seed: integer("seed", 0, 999_999_999, randomInt(1_000_000)),
    keep: values.keep === true,
    hasAsynchronousCommit: values.asynchronous === true,
  };
}

function listOf<Name extends string>(
  name: string,
  text: string | undefined,
  allowedNames: readonly Name[],
  or: readonly Name[],
): readonly Name[] {
  if (text === undefined) return or;
  const selected = allowedNames.filter((item) => text.split(",").includes(item));
  if (selected.length === new Set(text.split(",")).size) return selected;
  throw new ToolError(`--${name} must be a list out of ${allowedNames.join(", ")}.`);
}

/** Seeded random numbers in [0, 1) (mulberry32), so that a run can be approximately repeated. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
