import { computeIndex } from "../indexRule.ts";
import { getDueRound, getWindowSeconds } from "../log/beacon.ts";
import { MismatchError, toHex } from "../log/bytes.ts";
import { decodeDay, formatDay, requireSameCounts, secondsOfDay } from "../log/day.ts";
import {
  decodeSecond,
  decodeWorld,
  kinds,
  readKind,
  type Second,
  type World,
  worldTag,
} from "../log/leaves.ts";
import {
  checkLink,
  checkRound,
  checkSource,
  decodeSeed,
  deriveSeed,
  describeMixedSeed,
  type MixedSeed,
  nothingMixed,
  type Seed,
  type Source,
  toMixedSeed,
} from "../log/seed.ts";
import { createModel, type Model } from "./model.ts";
import {
  computeHistoryState,
  computeQuotes,
  crossTime,
  parseState,
  type State,
  stepSecond,
  writeState,
} from "./simulator.ts";
import { RandomWords } from "./words.ts";

/** Reruns a simulated day ("Running a day again" of docs/formats/simulator.md). */

/** Reads proven entries of a log; `range` is for many at once, both ends inclusive. */
export interface DayLog {
  size: number;
  origin: string;
  leaf: (index: number) => Promise<Uint8Array>;
  range: (from: number, to: number) => Promise<Uint8Array[]>;
}

/** The most leaves between the last `second` of a day and its `day` leaf. */
const behindMax = 5_000;
const chunk = 8_192;

interface DayLeaves {
  tag: Uint8Array;
  seconds: Map<number, Second>;
  /** The second of each leaf read, null for a leaf of another kind. */
  read: Map<number, number | null>;
  seeds: { leaf: number; seed: Seed }[];
  day: Uint8Array | null;
}

const toIso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/**
 * Checks a day since 1970 that is over. Returns a sentence for each thing that was compared; throws
 * a MismatchError that names the difference. Returns null if the log does not decide it yet.
 */
export async function checkDay(log: DayLog, day: number): Promise<string[] | null> {
  const world = decodeWorld(await log.leaf(0));
  if (world.market.kind !== "simulated")
    throw new MismatchError("simulator", "simulator_unknown", `a ${world.market.kind} market`);
  const model = createModel(world);
  const start = day * secondsOfDay;
  const first = await firstFrom(log, world, start);
  const isRoundDue = getDueRound(world, start * 1_000) !== null;
  const noticedLeaf = isRoundDue
    ? await firstFrom(log, world, start - getWindowSeconds(world) / 1_000)
    : first;
  const dayContext = await readAround(log, world, noticedLeaf, start + secondsOfDay);
  if (!dayContext.day) return null;
  const statedDay = decodeDay(dayContext.day, dayContext.tag);
  if (statedDay.day !== day) throw new MismatchError("day", "day_leaf_differs", "of another day");
  checkAscending(dayContext);
  requireSameCounts(statedDay, dayContext.read);
  const message = [formatDay(statedDay)];
  const daySeconds = [...dayContext.seconds].filter(([, { secondMs }]) => isInDay(secondMs, day));
  const reveal = dayContext.seeds.flatMap(({ seed }) => (seed.action === "reveal" ? [seed] : []));
  const begins = dayContext.seeds.filter(
    ({ seed }) => seed.action === "begin" && isInDay(seed.dayMs, day),
  );
  const [begin] = begins;
  const reveals = reveal.filter(({ dayMs }) => isInDay(dayMs, day));
  if (daySeconds.length === 0 && !begin)
    return [...message, "Nothing ran on that day: it has no prices."];
  const firstReveal = reveals[0];
  const isEarly = begin && daySeconds.every(([leaf]) => leaf > begin.leaf);
  if (begins.length !== 1 || reveals.length !== 1 || begin?.seed.action !== "begin" || !firstReveal)
    throw new MismatchError(
      "seed",
      "seed_missing",
      `${begins.length} begun, ${reveals.length} revealed`,
    );
  if (
    !isEarly ||
    begin.seed.dayMs !== firstReveal.dayMs ||
    daySeconds.some(([, second]) => second.secondMs < firstReveal.dayMs)
  )
    throw new MismatchError("seed", "seed_leaf_differs", `leaf ${begin.leaf}`);
  const { source } = begin.seed;
  const seedContext = { at: begin.leaf, dayMs: firstReveal.dayMs, origin: log.origin, world };
  checkSource(source, seedContext);
  checkRounds(dayContext, world, day, seedContext.at, source);
  checkLink(world, firstReveal.dayMs, firstReveal.link);
  message.push(describeSeed(toMixedSeed(source, seedContext)));
  if (firstReveal.simulator !== `drydock.simulate/${world.simulator}`)
    throw new MismatchError("simulator", "simulator_unknown", firstReveal.simulator);
  const seed = deriveSeed(firstReveal.link, source);
  const state = parseState(model, firstReveal.state);
  const from = firstReveal.dayMs / 1_000;
  if (Math.floor(world.createdAtMs / 86_400_000) === day) {
    if (!writeState(model, computeHistoryState(model, seed, from)).equals(firstReveal.state))
      throw new MismatchError("state", "state_differs", "that of the world's first second");
    message.push("The state before its first second is that of the history.");
  }
  runDay(
    model,
    { state, seed, from, to: start + secondsOfDay },
    daySeconds.map(([, second]) => second),
  );
  message.push(
    `All ${daySeconds.length} closed seconds have the prices of the path, which ends in the state ${toHex(writeState(model, state)).slice(0, 16)}…`,
  );
  const next = await nextReveal(log, world, dayContext, start + secondsOfDay);
  if (next) message.push(compareNext(model, state, start + secondsOfDay, next));
  return message;
}

/**
 * Checks that each round that the log held before the day began is the due one, and that it is
 * mixed in.
 */
function checkRounds(
  dayLeaves: DayLeaves,
  world: World,
  day: number,
  begunAt: number,
  source: Source,
): void {
  for (const { leaf, seed } of dayLeaves.seeds) {
    if (seed.action !== "round" || leaf >= begunAt || !isInDay(seed.dayMs, day)) continue;
    checkRound(seed, seed.dayMs, world);
    if (source.kind !== "beacon")
      throw new MismatchError(
        "seed",
        "seed_source_differs",
        `leaf ${leaf} held the round of that day`,
      );
  }
}

function describeSeed(mixedSeed: MixedSeed): string {
  const { mixed, chosen } = describeMixedSeed(mixedSeed, () => true);
  const mixedText =
    mixed === null ? "nothing was mixed into its seed" : `its seed is mixed with ${mixed}`;
  const reasonText = chosen === null || chosen === nothingMixed ? "" : ` (${chosen})`;
  return `Its link leads to the anchor of the world; ${mixedText}${chosen === null ? "" : `: the operator could have chosen it${reasonText}`}.`;
}

const isInDay = (ms: number, day: number): boolean => Math.floor(ms / 1_000 / secondsOfDay) === day;

/** Computes every second of the day and compares those that have a leaf. */
function runDay(
  model: Model,
  { state, seed, from, to }: { state: State; seed: Buffer; from: number; to: number },
  closedSeconds: readonly Second[],
): void {
  const words = new RandomWords(seed);
  const bySecond = new Map(closedSeconds.map((second) => [second.secondMs / 1_000, second]));
  for (let second = from; second < to; second++) {
    stepSecond(model, state, words, second);
    const leaf = bySecond.get(second);
    if (!leaf) continue;
    const mismatch = (name: string, detail: string) =>
      new MismatchError("path", name, `${toIso(second)}, ${detail}`);
    for (const [s, quotes] of computeQuotes(model, state).entries()) {
      const column = leaf.columns[s];
      for (const [v, quote] of quotes.entries()) {
        const statedQuote = column?.quotes[v] ?? null;
        if (quote?.bid !== statedQuote?.bid || quote?.ask !== statedQuote?.ask)
          throw mismatch("quotes_differ", `symbol ${s + 1}, venue ${v + 1}`);
      }
      if (!column || computeIndex(column.quotes) !== column.index)
        throw mismatch("index_differs", `symbol ${s + 1}`);
    }
    if (leaf.columns.length !== model.symbols.length) throw mismatch("quotes_differ", "symbols");
  }
}

/** The state of the next day that was revealed, from this day's end. */
function compareNext(
  model: Model,
  state: State,
  end: number,
  { seed, dayMs, bytes }: { seed: Buffer; dayMs: number; bytes: Buffer },
): string {
  crossTime(model, state, new RandomWords(seed), { from: end, to: dayMs / 1_000 });
  if (!writeState(model, state).equals(bytes))
    throw new MismatchError(
      "state",
      "state_differs",
      `the day that began at ${toIso(dayMs / 1_000)}`,
    );
  return `The next day, from ${toIso(dayMs / 1_000)} on, continues from there.`;
}

/** Returns the next day that began after `end`, if it is over too. */
async function nextReveal(log: DayLog, world: World, dayLeaves: DayLeaves, end: number) {
  const begin = dayLeaves.seeds.find(
    ({ seed }) => seed.action === "begin" && seed.dayMs >= end * 1_000,
  );
  if (begin?.seed.action !== "begin") return null;
  const { dayMs, source } = begin.seed;
  const dayEndSecond = (Math.floor(dayMs / 1_000 / secondsOfDay) + 1) * secondsOfDay;
  const leafIndex = await firstFrom(log, world, dayEndSecond);
  if (leafIndex >= log.size) return null;
  const from = Math.max(0, leafIndex - 64);
  for (const entry of await log.range(from, leafIndex)) {
    if (readKind(entry, dayLeaves.tag) !== kinds.seed) continue;
    const seed = decodeSeed(entry, dayLeaves.tag);
    if (seed.action !== "reveal" || seed.dayMs !== dayMs) continue;
    checkLink(world, dayMs, seed.link);
    return { seed: deriveSeed(seed.link, source), dayMs, bytes: seed.state };
  }
  return null;
}

/** Index of the first `second` leaf at or after a second; the log's size if there is none. */
async function firstFrom(log: DayLog, world: World, second: number): Promise<number> {
  const tag = worldTag(world.name);
  let [low, high] = [1, log.size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    let index = middle;
    let firstLeaf: number | null = null;
    for (; index < high && firstLeaf === null; index++) {
      const entry = await log.leaf(index);
      if (readKind(entry, tag) === kinds.second)
        firstLeaf = decodeSecond(entry, tag).secondMs / 1_000;
    }
    if (firstLeaf !== null && firstLeaf < second) low = index;
    else high = middle;
  }
  for (; low < log.size; low++) if (readKind(await log.leaf(low), tag) === kinds.second) return low;
  return log.size;
}

/** Reads from the last `second` before leaf `first` on, to the `day` leaf of the day. */
async function readAround(
  log: DayLog,
  world: World,
  first: number,
  end: number,
): Promise<DayLeaves> {
  const tag = worldTag(world.name);
  const dayLeaves: DayLeaves = { tag, seconds: new Map(), read: new Map(), seeds: [], day: null };
  let from = Math.min(first, log.size - 1);
  while (from > 0) {
    from -= 1;
    if (readKind(await log.leaf(from), tag) === kinds.second) break;
  }
  let after: number | null = null;
  for (let index = from; index < log.size && !dayLeaves.day; index += chunk) {
    const entries = await log.range(index, Math.min(index + chunk, log.size) - 1);
    for (const [position, entry] of entries.entries()) {
      const leaf = index + position;
      const kind = readKind(entry, tag);
      const second = kind === kinds.second ? decodeSecond(entry, tag) : null;
      dayLeaves.read.set(leaf, second?.secondMs ?? null);
      if (second) dayLeaves.seconds.set(leaf, second);
      if (second && second.secondMs >= end * 1_000) after ??= leaf;
      if (kind === kinds.seed) dayLeaves.seeds.push({ leaf, seed: decodeSeed(entry, tag) });
      const isOver = after !== null && kind === kinds.day;
      if (isOver && decodeDay(entry, tag).day === end / secondsOfDay - 1) {
        dayLeaves.day = entry;
        return dayLeaves;
      }
      if (after !== null && leaf - after > behindMax) return dayLeaves;
    }
  }
  return dayLeaves;
}

function checkAscending({ seconds }: DayLeaves): void {
  let last: [number, number] = [-1, Number.NEGATIVE_INFINITY];
  for (const [leaf, { secondMs }] of seconds) {
    if (secondMs <= last[1])
      throw new MismatchError("day", "seconds_not_ascending", `leaf ${leaf} after leaf ${last[0]}`);
    last = [leaf, secondMs];
  }
}
