import type { Block } from "#core/mining/chain.ts";
import { bitsToDifficulty, epochBlocks } from "#core/mining/difficulty.ts";

/**
 * Reads recorded blocks: CSV with the header `height,time,bits,fees`, one block per line in order
 * of height, none left out. `time` is in Unix seconds and never before the previous block's; `bits`
 * is eight hex digits; `fees` is in satoshi.
 */
export type BlocksFormError =
  | "not_csv"
  | "column_count"
  | "not_a_number"
  | "height_order"
  | "time_order"
  | "bits_malformed"
  | "too_easy"
  | "bits_changed"
  | "fees_too_large"
  | "empty";

export type BlocksRead =
  | { ok: true; blocks: Block[] }
  | { ok: false; line: number; error: BlocksFormError };

const header = "height,time,bits,fees";
/** Below this, a terahash could overflow the 64-bit accrual within a lifetime. */
const difficultyMin = 1_000_000_000n;
const feesMax = 10_000_000_000n;

/**
 * Reads the whole text, or names the first invalid line (from 1) and why, in which case the text is
 * rejected.
 */
export function parseBlocks(text: string): BlocksRead {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  if (lines[0] !== header) return { ok: false, line: 1, error: "not_csv" };
  const blocks: Block[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const block = readLine(line, blocks.at(-1) ?? null);
    if (typeof block === "string") return { ok: false, line: index + 1, error: block };
    blocks.push(block);
  }
  return blocks.length > 0 ? { ok: true, blocks } : { ok: false, line: 1, error: "empty" };
}

function readLine(line: string, before: Block | null): Block | BlocksFormError {
  const cells = line.split(",");
  if (cells.length !== 4) return "column_count";
  const [heightText, secondsText, bitsText, feesText] = cells as [string, string, string, string];
  const parseDigits = (text: string, digits: number) =>
    new RegExp(`^(0|[1-9]\\d{0,${digits - 1}})$`).test(text);
  if (!parseDigits(heightText, 8) || !parseDigits(secondsText, 11) || !parseDigits(feesText, 15))
    return "not_a_number";
  const height = Number(heightText);
  const seconds = Number(secondsText);
  if (before && height !== before.height + 1) return "height_order";
  if (before && seconds < before.seconds) return "time_order";
  const bits = readBits(bitsText);
  if (typeof bits === "string") return bits;
  if (before && bits !== before.bits && height % epochBlocks !== 0) return "bits_changed";
  const fees = BigInt(feesText);
  return fees > feesMax ? "fees_too_large" : { height, seconds, bits, fees };
}

function readBits(text: string): number | "bits_malformed" | "too_easy" {
  if (!/^[0-9a-f]{8}$/.test(text)) return "bits_malformed";
  const bits = Number.parseInt(text, 16);
  try {
    return bitsToDifficulty(bits) < difficultyMin ? "too_easy" : bits;
  } catch {
    return "bits_malformed";
  }
}
