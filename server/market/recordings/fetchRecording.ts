import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { recordedFileName } from "#core/market/replay/fileName.ts";
import { countCoverage, formatKlineLine, klineTimeMs } from "#core/market/replay/klineLine.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";
import { type KlineProcess, startKlineProcess } from "#server/market/live/liveProcess.ts";
import type { KlinesAnswer, KlinesTask } from "#server/market/live/messages.ts";
import { KlineFile, readTimes } from "#server/market/recordings/klineFile.ts";
import {
  formatIsoMinute,
  formatReplayCommand,
  hashesFile,
  hashFiles,
  notesFile,
  writeNotes,
} from "#server/market/recordings/notes.ts";
import { getVenueLimit, getVenueSource } from "#server/market/recordings/venueSources.ts";
import { type Recording, readRecording } from "#server/market/replay/recording.ts";
import { StartError } from "#server/platform/startError.ts";

/** The requested content of a recording: minutes of `[fromMs, toMs)`. */
export interface RecordingRequest {
  venues: readonly string[];
  symbols: readonly MarketSymbol[];
  fromMs: number;
  toMs: number;
}

interface FetchOptions {
  folder: string;
  /** Address of the fake venues; null: the venues themselves. */
  fakeVenues: string | null;
  signal: AbortSignal;
  /** The share of all minutes requested so far, and the name of the file being read. */
  onProgress?: (share: number, what: string) => void;
  /** Real time before a request is tried again after its first failure. */
  retryMs?: number;
}

interface FetchedFile {
  name: string;
  venue: string;
  symbol: MarketSymbol;
  present: number;
  missing: number;
  longestGap: number;
}

export interface FetchedRecording {
  recording: Recording;
  files: FetchedFile[];
  /** Why there is no file for a venue's symbol. */
  absent: string[];
}

/** Kept in the folder, so that it is never filled from two different requests. */
const requestFile = ".request.json";
/**
 * Minutes to skip after an empty answer: fewer than any venue returns at once, so that none is
 * missed.
 */
const emptyMinutes = 300;
const triesMax = 8;
const retryMaxMs = 60_000;
const limitedMs = 30_000;

interface Pair {
  venue: string;
  symbol: MarketSymbol;
  name: string;
  doneMs: number;
  absent: string | null;
}

/**
 * Fetches klines of the past into a folder that `MARKET=replay:<folder>` reads, resumes where an
 * earlier run was interrupted, and checks the result as a world would. The files depend only on the
 * request and the venues' answers, not on interruptions. Throws a StartError in one sentence if it
 * cannot continue; repeating the call resumes.
 */
export async function fetchRecording(
  request: RecordingRequest,
  options: FetchOptions,
): Promise<FetchedRecording> {
  const { folder, signal } = options;
  openFolder(folder, request);
  const pairs = request.venues.toSorted().flatMap((venue) =>
    request.symbols.map((symbol): Pair => {
      const name = recordedFileName({ venue, symbol, step: "1m" });
      return { venue, symbol, name, doneMs: 0, absent: null };
    }),
  );
  const wholeMs = pairs.length * (request.toMs - request.fromMs);
  const report = (pair: Pair, atMs: number) => {
    pair.doneMs = atMs - request.fromMs;
    const totalMs = pairs.reduce((sum, { doneMs }) => sum + doneMs, 0);
    options.onProgress?.(
      totalMs / wholeMs,
      `${pair.venue} ${pair.symbol} ${formatIsoMinute(atMs)}`,
    );
  };
  const reader = startKlineProcess(options);
  // The first venue that fails ends the others too, because a person must act.
  const failing = new AbortController();
  const untilSignal = AbortSignal.any([signal, failing.signal]);
  try {
    await Promise.all(
      request.venues.map(async (venue) => {
        const venuePairs = pairs.filter((pair) => pair.venue === venue);
        for (const pair of venuePairs) {
          const readKlines = (sinceMs: number) =>
            readPage(reader, { venue, symbol: pair.symbol, sinceMs }, untilSignal, options.retryMs);
          await fetchPair(pair, request, folder, readKlines, report).catch((error: unknown) => {
            failing.abort();
            throw error;
          });
        }
      }),
    );
  } finally {
    reader.stop();
  }
  return finish(request, folder, pairs);
}

function openFolder(folder: string, request: RecordingRequest): void {
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(request)}\n`;
  const path = join(folder, requestFile);
  if (existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return;
    throw new StartError(
      `${folder} was begun with other venues, symbols or times: name another folder.`,
    );
  }
  const [fileName] = readdirSync(folder);
  if (fileName)
    throw new StartError(`A recording needs an empty folder, and ${folder} holds ${fileName}.`);
  writeFileSync(path, text);
}

async function fetchPair(
  pair: Pair,
  { fromMs, toMs }: RecordingRequest,
  folder: string,
  readKlines: (sinceMs: number) => Promise<KlinesAnswer>,
  report: (pair: Pair, atMs: number) => void,
): Promise<void> {
  const file = new KlineFile(join(folder, pair.name), fromMs);
  let atMs = file.nextMs ?? toMs;
  report(pair, Math.min(atMs, toMs));
  while (atMs < toMs) {
    const answer = await readKlines(atMs);
    if (answer.kind === "not_listed" || answer.kind === "not_served") {
      if (file.nextMs !== null && file.nextMs > fromMs)
        throw new StartError(
          `${pair.venue} no longer serves ${pair.symbol}; what was fetched of it is kept, and the same command goes on once it does.`,
        );
      pair.absent =
        answer.kind === "not_listed"
          ? `${pair.venue} does not list ${pair.symbol}.`
          : `${pair.venue} serves no candles of ${pair.symbol}.`;
      break;
    }
    if (answer.kind === "failed") throw new StartError(answer.error);
    const lines = buildLines(answer.rows, atMs, toMs);
    file.append(lines);
    const last = lines.at(-1);
    const isBeyond = answer.rows.some(([openMs]) => (openMs ?? 0) >= toMs);
    atMs = last ? klineTimeMs(last) + minuteMs : isBeyond ? toMs : atMs + emptyMinutes * minuteMs;
    report(pair, Math.min(atMs, toMs));
  }
  report(pair, toMs);
  if (file.nextMs !== null && !file.finish() && !pair.absent) {
    const limitText = getVenueLimit(pair.venue);
    pair.absent = `${pair.venue} served no minute of ${pair.symbol} in which anything traded.${limitText ? ` ${limitText}` : ""}`;
  }
}

/** The lines of a page in `[fromMs, toMs)`, in order, each minute once. */
function buildLines(
  rows: readonly (readonly (number | undefined)[])[],
  fromMs: number,
  toMs: number,
) {
  const lines: string[] = [];
  let previousMs = fromMs - 1;
  for (const row of rows.toSorted(([a = 0], [b = 0]) => a - b)) {
    const [openMs = -1] = row;
    if (openMs <= previousMs || openMs >= toMs) continue;
    const line = formatKlineLine(row);
    if (line === null) continue;
    previousMs = openMs;
    lines.push(line);
  }
  return lines;
}

async function readPage(
  reader: KlineProcess,
  task: KlinesTask,
  signal: AbortSignal,
  retryMs = 1_000,
): Promise<KlinesAnswer> {
  let waitMs = retryMs;
  for (let tries = 1; ; tries += 1) {
    if (signal.aborted) throw new StartError("Cut off; the same command goes on from here.");
    const answer = await reader.read(task);
    if (answer.kind !== "failed") return answer;
    if (tries === triesMax) {
      throw new StartError(
        `${task.venue} did not answer for ${task.symbol} (${answer.error}); the same command goes on from here.`,
      );
    }
    const isLimited = answer.isLimit && retryMs >= 1_000;
    const pauseMs = Math.max(waitMs, isLimited ? limitedMs : 0);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(retryMaxMs, waitMs * 2);
  }
}

async function finish(
  request: RecordingRequest,
  folder: string,
  pairs: readonly Pair[],
): Promise<FetchedRecording> {
  const { fromMs, toMs } = request;
  const presentPairs = pairs.filter(({ name }) => existsSync(join(folder, name)));
  if (presentPairs.length === 0) {
    throw new StartError(
      `Nothing was fetched: ${pairs.flatMap(({ absent: absences }) => absences ?? []).join(" ")}`,
    );
  }
  const names = presentPairs.map(({ name }) => name).toSorted();
  await requireSameFiles(folder, names);
  // Reads every line as a world would: order, duplicates, prices that cannot be.
  const recording = await readRecording(folder);
  const files = presentPairs.map(({ name, venue, symbol }) => {
    const times = readTimes(join(folder, name));
    return { name, venue, symbol, ...countCoverage(times, fromMs, toMs) };
  });
  const absences = pairs.flatMap((pair) => pair.absent ?? []);
  const fetchResult = { recording, files, absent: absences };
  await writeNotes(folder, names, toNotes(request, fetchResult));
  return fetchResult;
}

/** A folder that was finished before must still hold what its hashes say. */
async function requireSameFiles(folder: string, names: readonly string[]): Promise<void> {
  const path = join(folder, hashesFile);
  if (!existsSync(path)) return;
  const knownHashes = new Map(
    readFileSync(path, "utf8")
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const hashes = await hashFiles(folder, names);
  const changedNames = names.filter(
    (name, index) => knownHashes.has(name) && knownHashes.get(name) !== hashes[index],
  );
  if (changedNames.length > 0) {
    throw new StartError(
      `${changedNames.join(", ")} changed since it was fetched: delete it, and the same command fetches it again.`,
    );
  }
}

function toNotes(
  { venues, fromMs, toMs }: RecordingRequest,
  { recording, files, absent: absences }: FetchedRecording,
): string[] {
  const minutes = (toMs - fromMs) / minuteMs;
  const rows = files.map(
    ({ name, present, missing, longestGap }) =>
      `| ${name} | ${present} | ${missing} | ${longestGap} |`,
  );
  return [
    `# Minutes from ${formatIsoMinute(fromMs)} to ${formatIsoMinute(toMs)}`,
    "",
    `| file | minutes of ${minutes} | missing | longest gap |`,
    "|---|---|---|---|",
    ...rows,
    "",
    "A minute is missing where nothing traded, or where the venue does not serve it.",
    ...absences,
    "",
    ...venues.toSorted().flatMap((venue) => [`## ${venue}`, "", ...getVenueSource(venue), ""]),
    "## Use",
    "",
    "```sh",
    formatReplayCommand("past", "<this folder>"),
    "```",
    "",
    `Recording ${recording.hash}; \`sha256sum -c ${hashesFile}\` checks its files, \`${notesFile}\` is no part of it.`,
  ];
}
