import type { Block } from "#core/mining/chain.ts";
import { feeBlocks } from "#core/mining/formula.ts";
import { type BlocksFormError, parseBlocks } from "#core/mining/replay/blocks.ts";
import { hourMs } from "#core/money/time.ts";
import { StartError } from "#server/platform/startError.ts";

/** The file in a recording's folder that holds the blocks of the mined network; optional. */
export const networkFile = "network.csv";

const faults: Record<BlocksFormError, string> = {
  not_csv: "is not the header height,time,bits,fees",
  column_count: "has too many or too few columns",
  not_a_number: "contains something that is not a plain number",
  height_order: "does not continue the height of the line before",
  time_order: "has a time before that of the line before",
  bits_malformed: "has bits that are not eight hex digits of a target",
  too_easy: "has a difficulty below 1 000 000 000",
  bits_changed: "changes the difficulty within an epoch of 2 016 blocks",
  fees_too_large: "has fees above 100 BTC",
  empty: "is the last: the file has no block",
};

/**
 * Reads recorded blocks; throws a StartError that names the faulty line, or says that they begin
 * too late for a world at `firstMs`.
 */
export function parseNetworkFile(bytes: Buffer, firstMs: number): Block[] {
  // Invalid UTF-8 decodes to a replacement character, which no number contains, so that the parser
  // reports its line.
  const result = parseBlocks(new TextDecoder().decode(bytes));
  if (!result.ok) {
    throw new StartError(
      `The recording's file ${networkFile} cannot be used: line ${result.line} ${faults[result.error]}. Nothing was imported.`,
    );
  }
  const hourSeconds = (Math.floor(firstMs / hourMs) * hourMs) / 1_000;
  const before = result.blocks.findIndex((block) => block.seconds > hourSeconds);
  if ((before < 0 ? result.blocks.length : before) < feeBlocks) {
    throw new StartError(
      `The recording's file ${networkFile} must begin at least ${feeBlocks} blocks before the recording's first hour, ${new Date(firstMs).toISOString()}. Nothing was imported.`,
    );
  }
  return result.blocks;
}
