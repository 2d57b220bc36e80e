import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { klinesHeader, klineTimeMs } from "#core/market/replay/klineLine.ts";
import { minuteMs } from "#core/money/time.ts";

const header = `${klinesHeader}\n`;

/**
 * A file of klines that grows page by page. Until it is complete it has another name, so that it is
 * not used as a recording. An interrupted file is resumed, even in the middle of a line.
 */
export class KlineFile {
  readonly #path: string;
  readonly #part: string;
  /** The first minute that is still missing; null once the file is complete. */
  nextMs: number | null;

  constructor(path: string, fromMs: number) {
    this.#path = path;
    this.#part = `${path}.part`;
    this.nextMs = existsSync(path) ? null : this.#resume(fromMs);
  }

  #resume(fromMs: number): number {
    const text = existsSync(this.#part) ? readFileSync(this.#part, "latin1") : "";
    const length = text.lastIndexOf("\n") + 1;
    if (!text.startsWith(header)) {
      writeFileSync(this.#part, header);
      return fromMs;
    }
    if (length < text.length) truncateSync(this.#part, length);
    if (length === header.length) return fromMs;
    const lastLine = text.slice(text.lastIndexOf("\n", length - 2) + 1, length);
    return klineTimeMs(lastLine) + minuteMs;
  }

  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const file = openSync(this.#part, "a");
    writeSync(file, `${lines.join("\n")}\n`);
    closeSync(file);
  }

  /** Completes the file. Returns false, and removes it, if nothing traded in any of its minutes. */
  finish(): boolean {
    const lines = readFileSync(this.#part, "latin1").split("\n").slice(1, -1);
    if (!lines.some((line) => !line.endsWith(",0"))) {
      rmSync(this.#part);
      return false;
    }
    const file = openSync(this.#part, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(this.#part, this.#path);
    this.nextMs = null;
    return true;
  }
}

/** The opening times in a whole file of klines. */
export function readTimes(path: string): number[] {
  return readFileSync(path, "latin1").split("\n").slice(1, -1).map(klineTimeMs);
}
