import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Times in files are Unix seconds or milliseconds; from this value on it is milliseconds. */
const millisecondsFrom = 100_000_000_000;

/**
 * Copies a folder of 1-minute price files into `into`, from a moment on, so that a world begins
 * shortly before something happens. A line without a time (a heading) stays. Returns how many lines
 * of prices there are.
 */
export function cutRecording(folder: string, into: string, fromMs: number): number {
  mkdirSync(into, { recursive: true });
  let lines = 0;
  for (const name of readdirSync(folder).filter((fileName) => fileName.endsWith(".csv"))) {
    const all = readFileSync(join(folder, name), "utf8").split("\n");
    const laterLines = all.filter((line) => {
      const time = /^(\d+)[,.]/.exec(line)?.[1];
      if (time === undefined) return line !== "";
      const atMs = Number(time) < millisecondsFrom ? Number(time) * 1_000 : Number(time);
      if (atMs < fromMs) return false;
      lines += 1;
      return true;
    });
    writeFileSync(join(into, name), `${laterLines.join("\n")}\n`);
  }
  return lines;
}
