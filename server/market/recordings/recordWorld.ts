import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { secondsHeader } from "#core/market/replay/seconds.ts";
import {
  getRecordSocket,
  type RecordBegin,
  type RecordSecond,
} from "#server/market/recordings/messages.ts";
import {
  formatIsoSecond,
  formatReplayCommand,
  hashesFile,
  notesFile,
  writeNotes,
} from "#server/market/recordings/notes.ts";
import { type Recording, readRecording } from "#server/market/replay/recording.ts";
import type { Config } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";

/**
 * Delay before reconnecting to a feed that restarts; seconds closed in the meantime are missing.
 */
const reconnectMs = 30_000;

interface RecordOptions {
  /** New, or empty. */
  folder: string;
  /** Ends the recording; the seconds recorded so far are kept. */
  signal: AbortSignal;
  /**
   * Ends the recording after this many seconds of world time; null: the signal or the world ends
   * it.
   */
  secondsMax: number | null;
  onSecond?: (recordedCount: number, secondMs: number) => void;
}

interface RecordedWorld {
  recording: Recording;
  world: string;
  seconds: number;
  /** Seconds between the first and the last that were not closed, or not received. */
  missing: number;
  /**
   * Counts of index values, and of those that the recording does not reproduce to the last digit.
   */
  values: number;
  differing: number;
}

/**
 * Writes the closed seconds of a running world into a folder that `MARKET=replay:<folder>` reads,
 * and reads it back: every second must give the index that the world's log has. Throws a StartError
 * if the world does not exist or no second was recorded.
 */
export async function recordWorld(
  config: Pick<Config, "dataDirectory" | "world">,
  options: RecordOptions,
): Promise<RecordedWorld> {
  const { folder, signal, secondsMax } = options;
  requireEmpty(folder);
  const files = new Map<number, { name: string; file: number }>();
  const publishedSeconds: Pick<RecordSecond, "secondMs" | "index">[] = [];
  let recordBegin: RecordBegin | null = null;
  try {
    for await (const message of readMessages(config, signal)) {
      if ("files" in message) {
        if (recordBegin && JSON.stringify(recordBegin) !== JSON.stringify(message)) break;
        if (!recordBegin) openFiles(folder, message, files);
        recordBegin = message;
        continue;
      }
      const { secondMs, index, lines } = message;
      for (const [position, line] of lines) writeSync(files.get(position)!.file, `${line}\n`);
      publishedSeconds.push({ secondMs, index });
      options.onSecond?.(publishedSeconds.length, secondMs);
      if (
        secondsMax !== null &&
        secondMs - publishedSeconds[0]!.secondMs >= (secondsMax - 1) * 1_000
      )
        break;
    }
  } finally {
    for (const { file } of files.values()) {
      fsyncSync(file);
      closeSync(file);
    }
  }
  const names = [...files.values()].map(({ name }) => name);
  if (!recordBegin || publishedSeconds.length === 0) {
    for (const name of names) rmSync(join(folder, name));
    throw new StartError(
      `No second of the world ${config.world} was closed: nothing was recorded.`,
    );
  }
  const recording = await readRecording(folder);
  const comparison = compare(recording, recordBegin, publishedSeconds);
  await writeNotes(folder, names.toSorted(), toNotes(recordBegin, recording, comparison));
  return { recording, world: recordBegin.world, ...comparison };
}

function requireEmpty(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const fileNames = readdirSync(folder).filter((name) => name !== notesFile && name !== hashesFile);
  if (fileNames.length > 0)
    throw new StartError(`A recording needs an empty folder, and ${folder} holds ${fileNames[0]}.`);
}

function openFiles(
  folder: string,
  { kind, world, files }: RecordBegin,
  into: Map<number, { name: string; file: number }>,
): void {
  if (kind === "replay")
    throw new StartError(`The world ${world} replays a recording: copy its folder instead.`);
  for (const [position, name] of files.entries()) {
    const file = openSync(join(folder, name), "wx");
    into.set(position, { name, file });
    writeSync(file, `${secondsHeader}\n`);
  }
}

/** Yields the messages of the feed's process, across its restarts; ends with the world. */
async function* readMessages(
  config: Pick<Config, "dataDirectory" | "world">,
  signal: AbortSignal,
): AsyncGenerator<RecordBegin | RecordSecond> {
  let lostMs: number | null = null;
  while (!signal.aborted) {
    const socket = await connect(getRecordSocket(config));
    if (!socket && lostMs === null) {
      throw new StartError(
        `No world ${config.world} runs on ${config.dataDirectory}: start it first, with the same WORLD and DRYDOCK_DATA.`,
      );
    }
    if (socket) {
      const lines = createInterface({ input: socket });
      const stop = () => socket.destroy();
      signal.addEventListener("abort", stop);
      // Readline ends with its input's end, and a socket that is destroyed has none.
      socket.once("close", () => lines.close());
      try {
        for await (const line of lines) yield JSON.parse(line) as RecordBegin | RecordSecond;
      } catch (error) {
        // A truncated line belongs to a second that is missing, like those after it.
        if (!signal.aborted && !(error instanceof SyntaxError)) throw error;
      } finally {
        signal.removeEventListener("abort", stop);
        socket.destroy();
      }
      lostMs = performance.now();
    }
    if (performance.now() - lostMs! > reconnectMs) return;
    await sleep(200, undefined, { signal }).catch(() => {});
  }
}

function connect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(null));
  });
}

function compare(
  { series }: Recording,
  { symbols }: RecordBegin,
  publishedRows: readonly Pick<RecordSecond, "secondMs" | "index">[],
): Pick<RecordedWorld, "seconds" | "missing" | "values" | "differing"> {
  let differingCount = 0;
  for (const { secondMs, index } of publishedRows) {
    for (const [column, symbol] of symbols.entries()) {
      const byVenue = [...(series.get(symbol)?.values() ?? [])];
      const quotes = byVenue.map((recordedSeries) => recordedSeries.quoteAt(secondMs));
      const value = computeIndexValue(filterFreshQuotes(quotes, secondMs))?.toString() ?? null;
      if (value !== index[column]) differingCount += 1;
    }
  }
  const spanMs = publishedRows.at(-1)!.secondMs - publishedRows[0]!.secondMs;
  return {
    seconds: publishedRows.length,
    missing: spanMs / 1_000 + 1 - publishedRows.length,
    values: publishedRows.length * symbols.length,
    differing: differingCount,
  };
}

const kinds = { simulated: "simulated", live: "live", replay: "replayed" } as const;

function toNotes(
  { world, kind }: RecordBegin,
  { folder, hash, venues, listing, firstMs, endMs }: Recording,
  { seconds, missing, values, differing: differingCount }: ReturnType<typeof compare>,
): string[] {
  const source =
    kind === "simulated"
      ? "Its venues are simulated and exist nowhere else; anyone may use these files for anything."
      : `The quotes and books are those of ${venues.join(", ")}, read from their public sockets. They remain these venues' data: their terms of use decide whether you may pass them on.`;
  return [
    `# Seconds of the world ${world}`,
    "",
    `${seconds} closed seconds of a ${kinds[kind]} Drydock world, from ${formatIsoSecond(firstMs + 1_000)} to ${formatIsoSecond(endMs)}; ${missing} in between are missing.`,
    `Symbols: ${listing.map(({ name }) => name).join(", ")}.`,
    source,
    "",
    `Read back, ${differingCount} of ${values} index values differ from the world's log.`,
    "",
    "```sh",
    formatReplayCommand("again", folder),
    "```",
    "",
    `Recording ${hash}; \`sha256sum -c ${hashesFile}\` checks its files.`,
  ];
}
