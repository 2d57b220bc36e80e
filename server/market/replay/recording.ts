import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseBars, type RecordingFormError } from "#core/market/replay/bars.ts";
import {
  barFileExample,
  parseRecordedFileName,
  type RecordedStep,
} from "#core/market/replay/fileName.ts";
import { fetchCommand, findPreset } from "#core/market/replay/presets.ts";
import type { SecondsFormError } from "#core/market/replay/seconds.ts";
import { BarSeries, type RecordedSeries } from "#core/market/replay/series.ts";
import { isSymbol, type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";
import type { Block } from "#core/mining/chain.ts";
import type { ListedSymbol } from "#core/transparency-log/worldLeaf.ts";
import { networkFile, parseNetworkFile } from "#server/market/replay/networkFile.ts";
import { parseSecondsFile } from "#server/market/replay/secondsFile.ts";
import { getPresetFolder } from "#server/platform/config/settings.ts";
import { StartError } from "#server/platform/startError.ts";

/** A folder of bars or closed seconds, read and validated (docs/rules/market.md, "Recordings"). */
export interface Recording {
  folder: string;
  /** SHA-256, hex, over the files' names and contents: any changed byte makes another recording. */
  hash: string;
  /** In alphabetical order, which is their order in the log. */
  venues: readonly string[];
  /**
   * Symbols with at least one file, in registry order, with the venues that have a file for them.
   */
  listing: readonly ListedSymbol[];
  /** By symbol, then by venue; an entry exists exactly where there is a file. */
  series: ReadonlyMap<MarketSymbol, ReadonlyMap<string, RecordedSeries>>;
  /** World time at which the first bar opens, or a second before the first recorded second. */
  firstMs: number;
  /** World time at which the last bar closes, or of the last recorded second. */
  endMs: number;
  /** Blocks of the mined network; null when the folder holds none and the network is simulated. */
  network: readonly Block[] | null;
}

/** Files that are ignored beside the bars: notes about them, and files left by file managers. */
const passedOver = /^(README(\..*)?|LICEN[CS]E(\..*)?|\..*)$/i;
/** Three years of minutes are about 130 MB. */
const fileBytesMax = 256 * 1024 * 1024;
const filesMax = 400;

interface RecordedFile {
  name: string;
  venue: string;
  symbol: MarketSymbol;
  step: RecordedStep;
}

/** The files of bars among a recording's, by symbol and venue. */
export function* iterateBars({ series }: Pick<Recording, "series">) {
  for (const [symbol, byVenue] of series)
    for (const [venue, bars] of byVenue)
      if (bars instanceof BarSeries) yield { symbol, venue, bars };
}

/**
 * Reads the whole folder; throws a StartError that names the first invalid file (and line), in
 * which case the folder is rejected. Writes nothing.
 */
export async function readRecording(folder: string): Promise<Recording> {
  const names = await listFolder(folder);
  const files = names.filter((name) => name !== networkFile).map((name) => readName(folder, name));
  if (files.length === 0) {
    throw new StartError(
      `MARKET is wrong: the folder ${folder} contains no file named venue.SYMBOL.1m.csv or venue.SYMBOL.1s.csv, such as ${barFileExample}.`,
    );
  }
  const series = new Map<MarketSymbol, Map<string, RecordedSeries>>();
  const hash = createHash("sha256");
  for (const file of files) {
    const { name, venue, symbol } = file;
    const bytes = await readBytes(folder, name);
    hash.update(`${name}\n${createHash("sha256").update(bytes).digest("hex")}\n`);
    const ofSymbol = series.get(symbol) ?? new Map<string, RecordedSeries>();
    if (ofSymbol.has(venue)) {
      throw new StartError(
        `The recording in ${folder} holds ${symbol} of ${venue} twice, as minutes and as seconds; nothing was imported.`,
      );
    }
    series.set(symbol, ofSymbol.set(venue, readSeries(folder, file, bytes)));
  }
  const network = names.includes(networkFile) ? await readBytes(folder, networkFile) : null;
  if (network)
    hash.update(`${networkFile}\n${createHash("sha256").update(network).digest("hex")}\n`);
  const allSeries = [...series.values()].flatMap((ofSymbol) => [...ofSymbol.values()]);
  const firstMs = Math.min(...allSeries.map((recordedSeries) => recordedSeries.firstMs));
  if (!Number.isFinite(firstMs)) {
    throw new StartError(`The recording in ${folder} holds no second; nothing was imported.`);
  }
  const venues = [...new Set(files.map(({ venue }) => venue))].toSorted();
  return {
    folder,
    hash: hash.digest("hex"),
    venues,
    listing: symbolNames.flatMap((name) => {
      const ofSymbol = series.get(name);
      if (!ofSymbol) return [];
      const { scale } = symbols[name];
      return [{ name, scale, venues: venues.filter((venue) => ofSymbol.has(venue)) }];
    }),
    series,
    firstMs,
    endMs: Math.max(...allSeries.map((recordedSeries) => recordedSeries.endMs)),
    network: network && parseNetworkFile(network, firstMs),
  };
}

async function listFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const preset = findPreset(basename(folder));
    if (preset && folder === getPresetFolder(preset.name)) {
      throw new StartError(
        `The recording ${preset.name} is not here yet: ${fetchCommand(preset)} fetches it.`,
      );
    }
    throw new StartError(`MARKET is wrong: the folder ${folder} cannot be read (${error.code}).`);
  });
  const sorted = names.filter((name) => !passedOver.test(name)).toSorted();
  if (sorted.length > filesMax) {
    throw new StartError(
      `The recording in ${folder} has ${sorted.length} files; the maximum is ${filesMax}.`,
    );
  }
  return sorted;
}

function readName(folder: string, name: string): RecordedFile {
  if (!name.endsWith(".csv")) {
    throw new StartError(
      `The recording in ${folder} holds ${name}, which is not CSV: only files named venue.SYMBOL.1m.csv or venue.SYMBOL.1s.csv are read, so nothing was imported.`,
    );
  }
  const recordedFileName = parseRecordedFileName(name);
  if (!recordedFileName) {
    throw new StartError(
      `The recording in ${folder} holds ${name}, which is not named venue.SYMBOL.1m.csv or venue.SYMBOL.1s.csv, such as ${barFileExample}; nothing was imported.`,
    );
  }
  const { venue, symbol, step } = recordedFileName;
  if (!isSymbol(symbol)) {
    throw new StartError(
      `The recording in ${folder} holds ${name}, but Drydock knows no symbol ${symbol}, only ${symbolNames.join(", ")}; nothing was imported.`,
    );
  }
  return { name, venue, symbol, step };
}

async function readBytes(folder: string, name: string): Promise<Buffer> {
  const path = join(folder, name);
  try {
    const { size } = await stat(path);
    if (size <= fileBytesMax) return await readFile(path);
  } catch (error) {
    throw new StartError(
      `The recording's file ${name} cannot be read (${(error as NodeJS.ErrnoException).code}); nothing was imported.`,
    );
  }
  throw new StartError(
    `The recording's file ${name} is larger than ${fileBytesMax / 1024 / 1024} MB; split or shorten it. Nothing was imported.`,
  );
}

const faults: Record<RecordingFormError | SecondsFormError, string> = {
  not_csv: "does not begin CSV in one of the forms of docs/rules/market.md",
  column_count: "has too many or too few columns",
  not_a_number: "contains something that is not a number",
  not_a_minute: "has a time that is not a whole minute",
  order: "is earlier than the line before it",
  duplicate: "has the same time as the line before it",
  high_below_low: "has a high below its low",
  outside_range: "has an open or close outside its low and high",
  not_positive: "has a price that is not positive",
  empty: "is the last, and no minute before it has any volume",
  crossed: "has a bid that is not below its ask",
  too_old: "has a quote that was stale",
  not_a_book: "has a book whose best price is not the quote",
};

function readSeries(
  folder: string,
  { name, symbol, step }: RecordedFile,
  bytes: Buffer,
): RecordedSeries {
  const { scale } = symbols[symbol];
  // Invalid UTF-8 decodes to a replacement character, which no number contains, so that the parser
  // reports its line.
  const file =
    step === "1s"
      ? parseSecondsFile(join(folder, name), bytes, scale)
      : parseBars(new TextDecoder().decode(bytes), scale);
  if (file.ok) return "series" in file ? file.series : new BarSeries(file.bars);
  throw new StartError(
    `The recording's file ${name} cannot be used: line ${file.line} ${faults[file.error]}. Nothing was imported.`,
  );
}

/** Throws a StartError when the world would start outside the recording. */
export function requireStartInside(recording: Recording, startMs: number): void {
  const { firstMs, endMs } = recording;
  if (startMs >= firstMs && startMs < endMs) return;
  throw new StartError(
    `WORLD_START is outside the recording, which runs from ${iso(firstMs)} to ${iso(endMs)}.`,
  );
}

const iso = (atMs: number) => new Date(atMs).toISOString().replace(".000Z", "Z");
