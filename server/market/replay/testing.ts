import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minuteMs } from "#core/money/time.ts";
import { type Recording, readRecording } from "#server/market/replay/recording.ts";

/** 2026-01-05 12:00:00 UTC: the first minute of the recordings that tests generate. */
export const recordedMs = Date.UTC(2026, 0, 5, 12);

/** World time of a minute and second of a generated recording. */
export const toMs = (minute: number, second = 0) => recordedMs + minute * minuteMs + second * 1_000;

/**
 * A file in form `seconds`: a bar for each minute for which `price` gives a close, with a volume of
 * one unit each.
 */
export function createBarFile(minutes: number, price: (minute: number) => string | null): string {
  const lines = ["start,low,high,open,close,volume"];
  for (let minute = 0; minute < minutes; minute += 1) {
    const close = price(minute);
    if (close !== null) lines.push(`${toMs(minute) / 1_000},${close},${close},${close},${close},1`);
  }
  return `${lines.join("\n")}\n`;
}

/** A temporary folder with these files; `remove` deletes it. */
export function writeFolder(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "drydock-recording-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Writes these files to a folder and reads it as a recording. */
export async function createRecording(files: Readonly<Record<string, string>>): Promise<Recording> {
  const { folder, remove } = writeFolder(files);
  try {
    return await readRecording(folder);
  } finally {
    remove();
  }
}

/**
 * Half an hour in which `east` falls silent: its last bar before that opens in minute 9 and closes
 * at 10:00, so that its quote is fresh up to 15:00; the next one closes at 20:00. `west` quotes
 * BTC/USDT throughout, and is alone in quoting USDC/USD.
 */
export const silence = {
  "east.BTC-USDT.1m.csv": createBarFile(30, (m) => (m >= 10 && m < 19 ? null : `${20_000 + m}.00`)),
  "west.BTC-USDT.1m.csv": createBarFile(30, (m) => `${20_010 + m}.00`),
  "west.USDC-USD.1m.csv": createBarFile(30, (m) => (m < 15 ? "1.00000" : "0.87400")),
};
