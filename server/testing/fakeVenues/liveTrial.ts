import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { computeIndexValue } from "#core/market/indexValue.ts";
import { scaleDecimal } from "#core/market/live/decimal.ts";
import { referenceMaxMs } from "#core/market/live/plausible.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import {
  decodeWorld,
  filterListedQuotes,
  type WorldLeaf,
} from "#core/transparency-log/worldLeaf.ts";
import type { Services } from "#server/app/modules.ts";
import type { FakeVenues, SentBestPrices } from "./fakeVenues.ts";
import { createSeededRandom } from "./prices.ts";
import { type FakeVenueFault, fakeVenueFaults } from "./venue.ts";

/** A fault that a fake venue had, and when. */
export interface InjectedFault {
  venue: string;
  fault: FakeVenueFault;
  symbol: MarketSymbol | null;
  fromMs: number;
  toMs: number;
}

const ofWholeVenue: readonly FakeVenueFault[] = [
  "disconnect",
  "refuse",
  "limit",
  "silence",
  "late",
  "clock",
  "garbage",
];

/** Injects every fault of the list in turns, at random times and places, until aborted. */
export async function injectFaults(
  fakeVenues: FakeVenues,
  seed: number,
  { everyMs, lastMs }: { everyMs: number; lastMs: number },
  signal: AbortSignal,
): Promise<InjectedFault[]> {
  const random = createSeededRandom(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const injectedFaults: InjectedFault[] = [];
  const running: Promise<unknown>[] = [];
  for (let round = 0; !signal.aborted; round += 1) {
    const fault = fakeVenueFaults[round % fakeVenueFaults.length]!;
    const venue = pick(fakeVenues.venues);
    const symbol = ofWholeVenue.includes(fault) ? null : pick(fakeVenues.symbolsOf(venue));
    const injected = { venue, fault, symbol, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    injectedFaults.push(injected);
    fakeVenues.inject(venue, fault, symbol ?? undefined);
    const clear = async () => {
      await sleep(lastMs * (0.5 + random()), undefined, { signal }).catch(() => {});
      fakeVenues.clear(venue, fault);
      injected.toMs = Date.now();
    };
    running.push(clear());
    await sleep(everyMs * (0.5 + random()), undefined, { signal }).catch(() => {});
  }
  await Promise.all(running);
  return injectedFaults;
}

export interface LogOfSeconds {
  world: WorldLeaf;
  seconds: Map<number, SecondLeaf>;
}

export async function readSeconds({ transparencyLog }: Services): Promise<LogOfSeconds> {
  const leaves = await transparencyLog.leaves(0, await transparencyLog.count());
  const world = decodeWorld(leaves[0]!.bytes);
  if (!world.ok) throw new Error("the first leaf is not a world leaf");
  const tag = worldTag(world.value.world);
  const seconds = new Map<number, SecondLeaf>();
  for (const { bytes } of leaves) {
    if (readLeafKind(bytes) !== "second") continue;
    const second = decodeSecond(bytes, tag);
    if (second.ok) seconds.set(second.value.secondMs, second.value);
  }
  return { world: world.value, seconds };
}

/** Delay from sending to the end of the second in which it must count, on a loaded machine. */
const deliveryMs = 1_000;
/** How long messages of a late venue still arrive after the fault. */
const lateMs = 8_000;
/** How long a venue may take to recover after a fault ends. */
const recoveredMs = 10_000;
/** The longest wait before a retry, plus the time to connect. */
const triedAgainMs = 70_000;
/** A minute until a stale or missing book, or the list of markets, is requested again. */
const askedAnewMs = 100_000;
const recoveryMs: Partial<Record<FakeVenueFault, number>> = {
  disconnect: triedAgainMs,
  refuse: triedAgainMs,
  limit: triedAgainMs,
  silence: triedAgainMs,
  late: triedAgainMs,
  clock: askedAnewMs,
  mute: askedAnewMs,
  halt: askedAnewMs,
  delist: askedAnewMs,
};
/** How long a process may take to start and to have every book. */
const startedMs = 30_000;
/**
 * Bitstamp sends changes only: ccxt fetches a book after six of them, so that one of few changes is
 * incomplete when the quotes from before a renewed connection become stale. How long it may then be
 * missing.
 */
const wholeAgainMs = 5_000;
/** Faults after which a connection is renewed; quotes from before count until they are stale. */
const ofRenewal: readonly FakeVenueFault[] = ["mute", "halt", "delist", "clock"];
const renewedAgeMs = 6_000;
/** How old a price may be at most, by the fault: as long as a quote or an unchanged book counts. */
const ageMaxMs: Partial<Record<FakeVenueFault, number>> = {
  disconnect: 6_000,
  refuse: 6_000,
  limit: 6_000,
  silence: 11_000,
  late: 14_000,
  // Bitstamp numbers its changes by its clock: set back, they look old until the book is refetched.
  clock: 62_000,
  mute: 62_000,
  halt: 62_000,
  delist: 62_000,
};
/**
 * How long after its beginning a fault must be seen: these never leave a quote in the log. A wrong
 * book is seen by its prices.
 */
const seenMs: Partial<Record<FakeVenueFault, number>> = {
  refuse: 6_500,
  limit: 6_500,
  silence: 11_500,
  late: 14_500,
  mute: 62_000,
  halt: 62_000,
  delist: 62_000,
};

/**
 * Compares the log with what the fake venues sent. Returns one line for each quote that was not the
 * venue's newest one when the second ended, that is missing, or that should be absent; and for each
 * index that differs from the rule. `restarts` are times at which a process was killed. Without
 * fake venues, only the index can be judged.
 */
export function findDeviations(
  { world, seconds }: LogOfSeconds,
  fakeVenues: FakeVenues | null,
  injectedFaults: readonly InjectedFault[],
  restarts: readonly number[],
): { deviations: string[]; quotes: number; gaps: number } {
  const deviations: string[] = [];
  let quotes = 0;
  let gaps = 0;
  const firstMs = Math.min(...seconds.keys());
  const resumedTimes = restarts.map((atMs) => resumedMs(atMs, seconds));
  const quotedMs = new Map<string, number>();
  const indexAtMs = world.symbols.map(() => Number.NEGATIVE_INFINITY);
  for (const [secondMs, leaf] of seconds) {
    for (const [column, { name, venues }] of world.symbols.entries()) {
      const symbol = name as MarketSymbol;
      // Without an index of ten minutes, no price is known that wrong decimals could be held against.
      const isComparable = secondMs - indexAtMs[column]! <= referenceMaxMs;
      const isContradicted = injectedFaults.some(
        (injectedFault) =>
          injectedFault.fault === "decimals" &&
          injectedFault.symbol === symbol &&
          isDuring(injectedFault, secondMs),
      );
      const value = computeIndexValue(filterListedQuotes(world, leaf.quotes, column));
      if (value !== leaf.index[column]) deviations.push(`${secondMs} ${symbol}: not the index`);
      if (value === null) gaps += 1;
      if (value !== null) indexAtMs[column] = secondMs;
      for (const venue of venues) {
        const quote = leaf.quotes[world.venues.indexOf(venue)]![column] ?? null;
        if (quote) quotes += 1;
        if (!fakeVenues) continue;
        const ofVenue = injectedFaults.filter((injectedFault) => injectedFault.venue === venue);
        const key = `${venue} ${symbol}`;
        if (quote) quotedMs.set(key, secondMs);
        const seenQuote: SeenQuote = {
          isRenewed:
            venue === "bitstamp" &&
            secondMs - (quotedMs.get(key) ?? firstMs) <= wholeAgainMs &&
            ofVenue.some(
              (injectedFault) =>
                ofRenewal.includes(injectedFault.fault) && isFelt(injectedFault, secondMs),
            ),
          secondMs,
          symbol,
          sent: fakeVenues.sentBy(venue, symbol),
          faults: ofVenue.filter(
            (injectedFault) => injectedFault.symbol === null || injectedFault.symbol === symbol,
          ),
          restarts: resumedTimes,
          isComparable,
        };
        const isEarly = secondMs - firstMs <= startedMs;
        const isExcused = isEarly || (isContradicted && !isComparable);
        const deviation = quote
          ? checkQuote(quote, seenQuote)
          : isExcused
            ? null
            : checkSilence(seenQuote);
        if (deviation) deviations.push(`${secondMs} ${venue} ${symbol}: ${deviation}`);
      }
    }
  }
  return { deviations, quotes, gaps };
}

/** When seconds were closed again after a process was killed: a busy machine takes its time. */
function resumedMs(killedMs: number, seconds: ReadonlyMap<number, unknown>): number {
  let secondMs = Math.ceil(killedMs / 1_000) * 1_000;
  const lastMs = Math.max(...seconds.keys());
  while (secondMs < lastMs && !seconds.has(secondMs)) secondMs += 1_000;
  return Math.max(killedMs, secondMs);
}

function isDuring({ fromMs, toMs }: InjectedFault, atMs: number): boolean {
  return fromMs <= atMs && atMs <= toMs;
}

/** True if a fault, or the recovery from it, explains the observation at `atMs`. */
function isFelt({ fault, fromMs, toMs }: InjectedFault, atMs: number): boolean {
  return fromMs <= atMs && atMs <= toMs + (recoveryMs[fault] ?? recoveredMs);
}

/** The data by which a venue's quote of a second, or its absence, is checked. */
interface SeenQuote {
  secondMs: number;
  symbol: MarketSymbol;
  sent: readonly SentBestPrices[];
  faults: readonly InjectedFault[];
  restarts: readonly number[];
  /** True if another symbol's fault may just have had the venue's connection renewed. */
  isRenewed: boolean;
  /** True if the symbol's index was known, so that wrong decimals show. */
  isComparable: boolean;
}

function checkSilence({ secondMs, faults, restarts, isRenewed }: SeenQuote): string | null {
  const isExplained =
    isRenewed ||
    faults.some((fault) => isFelt(fault, secondMs)) ||
    restarts.some((atMs) => atMs <= secondMs && secondMs <= atMs + startedMs);
  return isExplained ? null : "no quote although nothing was wrong";
}

function checkQuote(
  quote: { bid: bigint; ask: bigint },
  { secondMs, symbol, sent, faults, restarts, isRenewed, isComparable }: SeenQuote,
): string | null {
  for (const { fault, fromMs, toMs } of faults) {
    // A process that starts while a venue is late cannot know that it was quicker before.
    const isUnknown =
      fault === "late" && restarts.some((atMs) => fromMs <= atMs && atMs <= toMs + lateMs);
    const quoteAtMs = seenMs[fault];
    if (quoteAtMs !== undefined && !isUnknown && fromMs + quoteAtMs < secondMs && secondMs < toMs)
      return `a quote during ${fault}`;
  }
  const { scale } = symbols[symbol];
  const scaled = (text: string | null, direction: "down" | "up") =>
    text === null ? null : scaleDecimal(Number(text), scale, direction);
  const ages = faults
    .filter((fault) => isFelt(fault, secondMs))
    .map(({ fault }) => ageMaxMs[fault] ?? 0);
  const ageMs = Math.max(deliveryMs, isRenewed ? renewedAgeMs : 0, ...ages);
  // The newest that was sent before the second ended, and those before it as far as is allowed.
  for (let index = countUntil(sent, secondMs + 5) - 1; index >= 0; index -= 1) {
    const { atMs, bid, ask, isHundredfold } = sent[index]!;
    if (scaled(bid, "down") === quote.bid && scaled(ask, "up") === quote.ask)
      return isHundredfold && isComparable ? "a quote during decimals" : null;
    if (atMs < secondMs - ageMs) return `${quote.bid}/${quote.ask} was not sent by then`;
  }
  return null;
}

/** How many were sent until then: they ascend, and an hour has tens of thousands of each symbol. */
function countUntil(sentPrices: readonly SentBestPrices[], untilMs: number): number {
  let [from, to] = [0, sentPrices.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sentPrices[middle]!.atMs <= untilMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

export interface ProcessUse {
  pid: number;
  cpuMs: number;
  rssMb: number;
}

/** The live market's process below this one, or below its children. */
export function findLiveProcess(parent = process.pid): ProcessUse | null {
  for (const pid of readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("liveMain.ts")) continue;
      if (!getAncestors(pid).includes(parent)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { pid, cpuMs: ticks * 10, rssMb: Math.round(Number(kb) / 1_024) };
    } catch {
      // It has ended since.
    }
  }
  return null;
}

function getAncestors(pid: number): number[] {
  const pids: number[] = [];
  for (let ancestor = pid; ancestor > 1; ) {
    ancestor = Number(
      /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${ancestor}/status`, "utf8"))?.[1] ?? 0,
    );
    pids.push(ancestor);
  }
  return pids;
}
