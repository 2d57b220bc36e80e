import { closeSync, openSync, readSync } from "node:fs";
import {
  type PackedSeconds,
  parseSeconds,
  SecondSeries,
  type SecondsFormError,
} from "#core/market/replay/seconds.ts";

type SecondsFile =
  | { ok: true; series: SecondSeries }
  | { ok: false; line: number; error: SecondsFormError };

/**
 * Reads a file of closed seconds, whose content is `bytes`. Quotes are kept in memory, 26 bytes a
 * second; a book is read from the file again when it is asked for, because an hour of books would
 * take a hundred megabytes in every process of the world.
 */
export function parseSecondsFile(path: string, bytes: Buffer, scale: number): SecondsFile {
  const starts: number[] = [];
  const result = parseSeconds(buildLines(bytes, starts), scale);
  if (!result.ok) return result;
  const { seconds } = result;
  // The header is the first line, and what follows the last one is the end of the file.
  const offsets = Float64Array.from([...starts.slice(1), bytes.length]);
  return { ok: true, series: new SecondSeries(seconds, scale, lineReader(path, offsets, seconds)) };
}

/** The lines without their ends; pushes where each begins. */
function* buildLines(bytes: Buffer, starts: number[]): Generator<string> {
  for (let index = 0; index < bytes.length; ) {
    const newline = bytes.indexOf(10, index);
    const end = newline < 0 ? bytes.length : newline;
    starts.push(index);
    // Every byte of a valid line is ASCII; any other becomes a letter that no number contains.
    yield bytes.toString("latin1", index, end);
    index = end + 1;
  }
}

function lineReader(path: string, offsets: Float64Array, { secondMs }: PackedSeconds) {
  return (index: number): string => {
    const start = offsets[index]!;
    const line = readPart(path, start, offsets[index + 1]! - start).trimEnd();
    // The file's hash was checked at the start; a later change must not affect a price.
    if (!line.startsWith(`${secondMs[index]! / 1_000},`))
      throw new Error(`the recording's file ${path} has changed while its world runs`);
    return line;
  };
}

function readPart(path: string, start: number, length: number): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.toString("latin1", 0, readSync(file, buffer, 0, length, start));
  } finally {
    closeSync(file);
  }
}
