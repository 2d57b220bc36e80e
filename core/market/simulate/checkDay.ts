import { daySeed, isSeedLink } from "#core/market/simulate/daySeed.ts";
import { type DayReplay, openReplay } from "#core/market/simulate/replayDay.ts";
import { dayMs as dayLengthMs } from "#core/money/time.ts";
import {
  getRoundOfDay,
  getRoundWindowMs,
  type VerifyRound,
} from "#core/transparency-log/beacon.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { countMissing, type DayLeaf, decodeDay } from "#core/transparency-log/dayLeaf.ts";
import { type LeafKind, readKind, worldTag } from "#core/transparency-log/leaf.ts";
import { findWrongSecond, type LeafSecond } from "#core/transparency-log/recountDay.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import {
  decodeSeed,
  isRoundDue,
  isSourceRight,
  type MixedSeed,
  mixSeed,
  type SeedLeaf,
  type SourceVerifiers,
} from "#core/transparency-log/seedLeaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** "Running a day again" of docs/formats/simulator.md. */

/** A log at one checkpoint. */
export interface DayLog {
  size: number;
  origin: string;
  /** Proven entries of `[from, to)`, in order. */
  leaves(from: number, to: number): Promise<readonly Uint8Array[]>;
}

export type DayMismatch =
  | "leaf_unreadable"
  | "day_leaf_differs"
  | "day_seconds_differ"
  | "index_differs"
  | "quotes_differ"
  | "seconds_not_ascending"
  | "seed_leaf_differs"
  | "seed_link_differs"
  | "seed_missing"
  | "seed_source_differs"
  | "simulator_unknown"
  | "state_differs"
  | "state_malformed"
  | "world_unreadable";

/** The result of running a day again. */
export interface ConfirmedDay {
  ok: true;
  day: number;
  /** Seconds that were due, and how many of them are missing. */
  due: number;
  missing: number;
  /** Orders that were returned. */
  voids: number;
  /** Seconds of which every price was recomputed. */
  closed: number;
  /** The source mixed into the seed; null if nothing ran on that day. */
  seed: MixedSeed | null;
  /** True if the state it began with follows from the history before the world's first second. */
  fromHistory: boolean;
  /** World time from which a later day continues this one; null if none is revealed yet. */
  continuedFromMs: number | null;
}

export type CheckedDay =
  | ConfirmedDay
  | { ok: false; difference: DayMismatch; secondMs: number | null };

export interface DayOptions {
  verify: VerifyEd25519;
  /** Loaded only for a world that has a beacon. */
  loadVerifyRound: () => Promise<VerifyRound>;
  /** Called with the progress, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/**
 * Leaves read per request, and the most that may lie between the last `second` of a day and its
 * leaf.
 */
const chunk = 8_192;
const behindMax = 5_000;
const probe = 256;

class DayError extends Error {
  readonly difference: DayMismatch;
  readonly secondMs: number | null;

  constructor(difference: DayMismatch, secondMs: number | null = null) {
    super(difference);
    this.difference = difference;
    this.secondMs = secondMs;
  }
}

type SeedBegin = Extract<SeedLeaf, { action: "begin" }>;
type Reveal = Extract<SeedLeaf, { action: "reveal" }>;
type Round = Extract<SeedLeaf, { action: "round" }>;

/** The leaves relevant to a day, besides its seconds. */
interface DayContext {
  begun: { leaf: number; seed: SeedBegin }[];
  revealed: Reveal[];
  rounds: { leaf: number; seed: Round }[];
  dayLeaf: DayLeaf | null;
}

/**
 * Runs a day (since 1970) of a simulated market again and compares every price of it with the log.
 * Null if the day is not over or its leaf is not written yet.
 */
export async function checkDay(
  log: DayLog,
  day: number,
  options: DayOptions,
): Promise<CheckedDay | null> {
  try {
    return await runDay(log, day, options);
  } catch (error) {
    if (!(error instanceof DayError)) throw error;
    return { ok: false, difference: error.difference, secondMs: error.secondMs };
  }
}

async function runDay(log: DayLog, day: number, options: DayOptions): Promise<CheckedDay | null> {
  const [first] = await log.leaves(0, 1);
  const world = first && decodeWorld(first);
  if (!world?.ok) throw new DayError("world_unreadable");
  if (world.value.simulator === null) throw new DayError("simulator_unknown");
  const reader = new DayReader(log, world.value);
  const [startMs, endMs] = [day * dayLengthMs, (day + 1) * dayLengthMs];
  const from = await reader.firstFrom(startMs);
  const after = await reader.firstFrom(endMs);
  if (after >= log.size) return null;
  const seconds: LeafSecond[] = [];
  const dayContext: DayContext = { begun: [], revealed: [], rounds: [], dayLeaf: null };
  // Read seeds and the `day` leaf first: a day is revealed in leaves after it.
  const firstLeaf = await reader.secondBefore(after);
  await reader.scan(firstLeaf, Math.min(log.size, after + behindMax), (leaf, bytes) => {
    reader.note(dayContext, leaf, bytes, day);
    return dayContext.dayLeaf !== null;
  });
  const head = await reader.secondBefore(from);
  // A seed that begins the day too late comes after the day's first seconds.
  const probeEnd = Math.min(firstLeaf, from + probe);
  await reader.scan(head, probeEnd, (leaf, bytes) => reader.note(dayContext, leaf, bytes, day));
  const { dayLeaf } = dayContext;
  if (!dayLeaf) return null;
  const isDue = getRoundOfDay(world.value, startMs) !== null;
  if (isDue) {
    const noticedLeaf = await reader.firstFrom(startMs - getRoundWindowMs(world.value));
    const since = await reader.secondBefore(noticedLeaf);
    await reader.scan(since, head, (leaf, bytes) => reader.note(dayContext, leaf, bytes, day));
  }
  const verifiers = {
    verify: options.verify,
    verifyRound: isDue ? await options.loadVerifyRound() : null,
  };
  if (dayLeaf.day !== day) throw new DayError("day_leaf_differs");
  const inDay = (ms: number) => Math.floor(ms / dayLengthMs) === day;
  const replay = openDay(log, world.value, dayContext, inDay, verifiers);
  const fromHistory = replay !== null && inDay(world.value.createdAtMs);
  if (fromHistory) compareHistory(replay);
  let closedSeconds = 0;
  let last = Number.NEGATIVE_INFINITY;
  await reader.scan(head, after + 1, (leaf, bytes) => {
    const second = reader.second(bytes);
    seconds.push({ leaf, secondMs: second?.secondMs ?? null });
    if (leaf >= probeEnd && leaf < firstLeaf) reader.note(dayContext, leaf, bytes, day);
    if (!second) return false;
    if (second.secondMs <= last) throw new DayError("seconds_not_ascending", second.secondMs);
    last = second.secondMs;
    if (!inDay(second.secondMs)) return false;
    if (!replay || second.secondMs < replay.begin.seed.dayMs || leaf < replay.begin.leaf)
      throw new DayError(replay ? "seed_leaf_differs" : "seed_missing");
    compare(replay.run, second);
    closedSeconds += 1;
    if (closedSeconds % 1_000 === 0) options.onProgress?.((last - startMs) / dayLengthMs);
    return false;
  });
  const difference = findWrongSecond(dayLeaf, seconds);
  if (difference !== null) throw new DayError("day_seconds_differ", difference * 1_000);
  const result = {
    ok: true as const,
    day,
    due: dayLeaf.due.count,
    missing: countMissing(dayLeaf),
    voids: dayLeaf.voids.noEntry + dayLeaf.voids.fewSamples,
    closed: closedSeconds,
  };
  const only = dayContext.begun.filter(({ seed }) => inDay(seed.dayMs));
  if (!replay && only.length === 0)
    return { ...result, seed: null, fromHistory: false, continuedFromMs: null };
  if (!replay || only.length !== 1) throw new DayError("seed_missing");
  const { source, dayMs: begunMs } = replay.begin.seed;
  replay.run.runTo(endMs);
  const next = await findNext(reader, world.value, dayContext, endMs);
  if (next && !equalBytes(replay.run.stateAfter(next.seed, next.dayMs), next.state))
    throw new DayError("state_differs", next.dayMs);
  options.onProgress?.(1);
  return {
    ...result,
    seed: mixSeed(source, begunMs, world.value),
    fromHistory,
    continuedFromMs: next?.dayMs ?? null,
  };
}

interface OpenDay {
  run: DayReplay;
  begin: { leaf: number; seed: SeedBegin };
  seed: Uint8Array;
  state: Uint8Array;
}

/** Null if nothing began on that day. */
function openDay(
  log: DayLog,
  world: WorldLeaf,
  dayContext: DayContext,
  inDay: (ms: number) => boolean,
  verifiers: SourceVerifiers,
): OpenDay | null {
  const beginLeaves = dayContext.begun.filter(({ seed }) => inDay(seed.dayMs));
  const reveals = dayContext.revealed.filter(({ dayMs }) => inDay(dayMs));
  const [begin] = beginLeaves;
  const [reveal] = reveals;
  if (!begin && !reveal) return null;
  if (!begin || !reveal || beginLeaves.length !== 1 || reveals.length !== 1)
    throw new DayError("seed_missing");
  const { dayMs, source } = begin.seed;
  if (dayMs !== reveal.dayMs) throw new DayError("seed_leaf_differs");
  const seedContext = { leaf: begin.leaf, origin: log.origin, world };
  if (!isSourceRight(begin.seed, seedContext, verifiers)) throw new DayError("seed_source_differs");
  // An operator who had the day's round must begin the day with it.
  const rounds = dayContext.rounds.filter(
    ({ seed, leaf }) => inDay(seed.dayMs) && leaf < begin.leaf,
  );
  const { verifyRound } = verifiers;
  if (rounds.some(({ seed }) => !isRoundDue(seed, seed.dayMs, world, verifyRound)))
    throw new DayError("seed_source_differs");
  if (rounds.length > 0 && source.kind !== "beacon") throw new DayError("seed_source_differs");
  const { link, simulator, state } = reveal;
  if (!isSeedLink(world, dayMs, link)) throw new DayError("seed_link_differs");
  const result = openReplay(world, { dayMs, source, link, simulator, state });
  if (!result.ok)
    throw new DayError(result.error === "link_differs" ? "seed_link_differs" : result.error);
  return { run: result.replay, begin, seed: daySeed(link, source), state };
}

/** A world's first day begins with the state of the history before it. */
function compareHistory({ run, begin, seed, state }: OpenDay): void {
  const { dayMs } = begin.seed;
  if (!equalBytes(run.historyState(seed, dayMs), state)) throw new DayError("state_differs", dayMs);
}

function compare(replay: DayReplay, second: SecondLeaf): void {
  const difference = replay.compare(second);
  if (!difference) return;
  if (difference.error === "order_wrong")
    throw new DayError("seconds_not_ascending", second.secondMs);
  throw new DayError(difference.error, second.secondMs);
}

/** The next day that began after this one, once it is over too. */
async function findNext(
  reader: DayReader,
  world: WorldLeaf,
  dayContext: DayContext,
  endMs: number,
) {
  const begin = dayContext.begun.find(({ seed }) => seed.dayMs >= endMs);
  if (!begin) return null;
  const { dayMs, source } = begin.seed;
  const dayEndMs = (Math.floor(dayMs / dayLengthMs) + 1) * dayLengthMs;
  const leaf = await reader.firstFrom(dayEndMs);
  if (leaf >= reader.log.size) return null;
  const next: { reveal: Reveal | null } = { reveal: null };
  await reader.scan(Math.max(0, leaf - 64), leaf + 1, (_leaf, bytes) => {
    if (reader.kind(bytes) !== "seed") return false;
    const seed = decodeSeed(bytes, reader.tag);
    if (!seed.ok) throw new DayError("leaf_unreadable");
    if (seed.value.action === "reveal" && seed.value.dayMs === dayMs) next.reveal = seed.value;
    return false;
  });
  const { reveal } = next;
  if (!reveal) return null;
  if (!isSeedLink(world, dayMs, reveal.link)) throw new DayError("seed_link_differs");
  return { dayMs, seed: daySeed(reveal.link, source), state: reveal.state };
}

class DayReader {
  readonly log: DayLog;
  readonly tag: Uint8Array;

  constructor(log: DayLog, world: WorldLeaf) {
    this.log = log;
    this.tag = worldTag(world.world);
  }

  /** The kind of a leaf; null for one that is not known. */
  kind(bytes: Uint8Array): LeafKind | null {
    const result = readKind(bytes, this.tag);
    if (!result.ok) throw new DayError("leaf_unreadable");
    return result.value;
  }

  /** The second of a leaf, null for one of another kind. */
  second(bytes: Uint8Array): SecondLeaf | null {
    if (this.kind(bytes) !== "second") return null;
    const result = decodeSecond(bytes, this.tag);
    if (!result.ok) throw new DayError("leaf_unreadable");
    return result.value;
  }

  /** Records a seed leaf or the day's `day` leaf. */
  note(dayContext: DayContext, leaf: number, bytes: Uint8Array, day: number): boolean {
    const kind = this.kind(bytes);
    if (kind === "seed") {
      const result = decodeSeed(bytes, this.tag);
      if (!result.ok) throw new DayError("leaf_unreadable");
      if (result.value.action === "reveal") dayContext.revealed.push(result.value);
      else if (result.value.action === "round")
        dayContext.rounds.push({ leaf, seed: result.value });
      else dayContext.begun.push({ leaf, seed: result.value });
    } else if (kind === "day") {
      const result = decodeDay(bytes, this.tag);
      if (!result.ok) throw new DayError("leaf_unreadable");
      if (result.value.day === day) dayContext.dayLeaf = result.value;
    }
    return false;
  }

  /** Reads `[from, to)` in order until `visit` returns true. */
  async scan(
    from: number,
    to: number,
    visit: (leaf: number, bytes: Uint8Array) => boolean,
  ): Promise<void> {
    for (let index = from; index < to; index += chunk) {
      const leaves = await this.log.leaves(index, Math.min(index + chunk, to));
      for (const [position, bytes] of leaves.entries()) if (visit(index + position, bytes)) return;
    }
  }

  /** Index of the first `second` at or after a time; the log's size if there is none. */
  async firstFrom(ms: number): Promise<number> {
    let [low, high] = [1, this.log.size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const second = await this.#nextSecond(middle, high);
      if (second !== null && second.secondMs < ms) low = second.leaf + 1;
      else high = middle;
    }
    const lastSecond = await this.#nextSecond(low, this.log.size);
    return lastSecond?.leaf ?? this.log.size;
  }

  /** Index of the last `second` before a leaf; 0 if there is none. */
  async secondBefore(leaf: number): Promise<number> {
    for (let to = leaf; to > 0; to -= probe) {
      const from = Math.max(0, to - probe);
      const leaves = await this.log.leaves(from, to);
      for (let index = leaves.length - 1; index >= 0; index -= 1)
        if (this.second(leaves[index]!)) return from + index;
    }
    return 0;
  }

  async #nextSecond(from: number, to: number): Promise<{ leaf: number; secondMs: number } | null> {
    for (let index = from; index < to; index += probe) {
      const leaves = await this.log.leaves(index, Math.min(index + probe, to));
      for (const [position, bytes] of leaves.entries()) {
        const second = this.second(bytes);
        if (second) return { leaf: index + position, secondMs: second.secondMs };
      }
    }
    return null;
  }
}
