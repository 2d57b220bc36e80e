import { equalBytes, MismatchError, sha256 } from "../log/bytes.ts";
import { exp } from "../market/model.ts";
import { RandomWords } from "../market/words.ts";
import type { HourLeaf } from "./leaves.ts";
import { bitsToDifficulty, nextBits } from "./rules.ts";

/** The network of docs/rules/mining.md, run again from its revealed seeds. */

const seedsMax = 36_525;
const mismatch = (name: string, hour: number, what: string) =>
  new MismatchError("readings", name, `hour ${hour}: ${what}`);

/**
 * Checks the seeds stated by readings in the order of their hours (docs/formats/mining.md, step 8).
 */
export function requireSeeds(readings: readonly HourLeaf[]): void {
  let lastReveal: { day: number; value: Uint8Array } | null = null;
  for (const [index, { simulated, hour, anchor, revealed }] of readings.entries()) {
    const wrong = (detail: string) => mismatch("network_seed_differs", hour, detail);
    if (simulated !== readings[0]?.simulated) throw wrong("recorded and simulated networks");
    if (!simulated) continue;
    if (anchor && index > 0) throw wrong("another anchor");
    if (revealed && (hour % 24 > 0 || anchor)) throw wrong("a seed is revealed that is not due");
    if (!revealed && !anchor && hour % 24 === 0) throw wrong("no seed is revealed");
    const day = Math.floor(hour / 24) - 1;
    if (revealed && lastReveal) {
      const days = day - lastReveal.day;
      if (days < 1 || days > seedsMax) throw wrong("it is not later");
      let value: Uint8Array = revealed;
      for (let remaining = days; remaining > 0; remaining--) value = sha256(value);
      if (!equalBytes(value, lastReveal.value))
        throw wrong("the seed does not lead to the one before it");
    }
    const value = anchor ?? revealed;
    if (value) lastReveal = { day, value };
  }
}

interface Block {
  height: number;
  seconds: number;
  bits: number;
  fees: bigint;
}

/** The state between two blocks. */
interface Chain {
  last: Block;
  epochFirst: number;
  hashrate: number;
  feeLog: number;
}

/** The first block; tests begin with another. */
export interface NetworkStart {
  height: number;
  bits: number;
}
const rulesStart: NetworkStart = { height: 854_784, bits: 0x17034219 };
const blocksBefore = 1_440;
const epoch = 2_016;
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the document states these digits
const ln2 = 0.6931471805599453;

function log(value: number): number {
  let x = value;
  let doublings = 0;
  for (; x < 0.5; doublings++) x *= 2;
  const y = (x - 1) / (x + 1);
  const q = y * y;
  let s = 0;
  for (let n = 33; n > 0; n -= 2) s = s * q + 1 / n;
  return 2 * y * s - doublings * ln2;
}

/** The next block, drawn from the seed of the day in which the one before was found. */
function nextBlock({ last, epochFirst, hashrate, feeLog }: Chain, seed: Uint8Array): Chain {
  const height = last.height + 1;
  const begins = height % epoch === 0;
  const bits = begins ? nextBits(last.bits, last.seconds - epochFirst) : last.bits;
  const words = new RandomWords(seed);
  words.start("second", height);
  const u = (words.word() + 1) / 4294967296;
  const mean = (Number(bitsToDifficulty(bits)) * 4294967296) / hashrate;
  const seconds = last.seconds + Math.max(1, Math.round(-log(u) * mean));
  const nextHashrate = hashrate * exp(0.0008 / 144 + (0.015 / 12) * words.normal());
  const g = feeLog * (1 - 0.00048) + 0.015 * words.normal();
  const fees = Math.floor(Math.min(10_000_000 * exp(g + 0.5 * words.normal()), 500_000_000));
  return {
    last: { height, seconds, bits, fees: BigInt(fees) },
    epochFirst: begins ? seconds : epochFirst,
    hashrate: nextHashrate,
    feeLog: g,
  };
}

/** The chain before the world, shifted so that its last block is found at that second. */
function computeHistory(
  seed: Uint8Array,
  endSeconds: number,
  start: NetworkStart,
): { chain: Chain; blocks: Block[] } {
  const first: Block = { ...start, seconds: 0, fees: 10_000_000n };
  let chain: Chain = {
    last: first,
    epochFirst: 0,
    hashrate: (Number(bitsToDifficulty(first.bits)) * 4294967296) / 600,
    feeLog: 0,
  };
  const blocks = [first];
  while (blocks.length < blocksBefore) {
    chain = nextBlock(chain, seed);
    blocks.push(chain.last);
  }
  const shift = endSeconds - chain.last.seconds;
  const shiftBlock = (block: Block) => ({ ...block, seconds: block.seconds + shift });
  return {
    chain: { ...chain, last: shiftBlock(chain.last), epochFirst: chain.epochFirst + shift },
    blocks: blocks.slice(-144).map(shiftBlock),
  };
}

/** The blocks that a reading lists, with their heights and times. */
function listBlocks(reading: HourLeaf, before: HourLeaf | null): Omit<Block, "bits">[] {
  const elapsedSeconds = reading.blocks
    .slice(before ? 0 : 1)
    .reduce((sum, { after }) => sum + after, 0);
  let seconds = before ? before.blockSeconds : reading.blockSeconds - elapsedSeconds;
  const height = reading.height - reading.blocks.length + 1;
  return reading.blocks.map(({ after, fees }, index) => {
    if (before || index > 0) seconds += after;
    return { height: height + index, seconds, fees };
  });
}

/** Checks hours, sums of fees and difficulty of all readings, from the first on. */
function requireFigures(readings: readonly HourLeaf[]): void {
  let before: HourLeaf | null = null;
  let fees: bigint[] = [];
  for (const reading of readings) {
    const wrong = (detail: string) => mismatch("reading_differs", reading.hour, detail);
    fees = [...fees, ...reading.blocks.map((block) => block.fees)].slice(-144);
    if (fees.length !== 144 || fees.reduce((sum, fee) => sum + fee, 0n) !== reading.feeSum)
      throw wrong("fees");
    if (before && reading.hour !== before.hour + 1) throw wrong("an hour is left out");
    if (before && reading.simulated && reading.bits !== before.bits) {
      const last = Math.floor(reading.height / epoch) * epoch - 1;
      const seconds = reading.blocks
        .slice(0, last - before.height)
        .reduce((sum, { after }) => sum + after, before.blockSeconds);
      if (nextBits(before.bits, seconds - before.epochFirstSeconds) !== reading.bits)
        throw wrong("difficulty");
    }
    before = reading;
  }
}

/**
 * Runs a simulated network again, as far as its seeds are revealed. Returns the number of
 * recomputed blocks, all of which equal those of the readings.
 */
function rerunNetwork(readings: readonly HourLeaf[], start: HourLeaf, from: NetworkStart): number {
  const seeds = new Map(
    readings.flatMap(({ hour, revealed }) =>
      revealed ? [[hour / 24 - 1, revealed] as const] : [],
    ),
  );
  const firstDay = Math.floor(start.hour / 24);
  const seedOf = (seconds: number) => seeds.get(Math.max(firstDay, Math.floor(seconds / 86_400)));
  const seedBegin = seeds.get(firstDay);
  if (!seedBegin) return 0;
  const history = computeHistory(seedBegin, start.hour * 3_600, from);
  let { chain } = history;
  let count = 0;
  let before: HourLeaf | null = null;
  for (const reading of readings) {
    const wrong = (detail: string) => mismatch("network_blocks_differ", reading.hour, detail);
    for (const [index, block] of listBlocks(reading, before).entries()) {
      if (before) {
        const seed = seedOf(chain.last.seconds);
        if (!seed) return count;
        chain = nextBlock(chain, seed);
      }
      const ownBlock = before ? chain.last : history.blocks[index];
      if (
        ownBlock?.height !== block.height ||
        ownBlock.seconds !== block.seconds ||
        ownBlock.fees !== block.fees
      )
        throw wrong(`block ${block.height}`);
      count += 1;
    }
    const next = seedOf(chain.last.seconds);
    if (chain.last.bits !== reading.bits) throw wrong("difficulty");
    if (next && nextBlock(chain, next).last.seconds <= reading.hour * 3_600)
      throw wrong("a block is left out");
    before = reading;
  }
  return count;
}

/** Checks all readings of a log, from the first on; returns a sentence. */
export function checkNetwork(
  readings: readonly HourLeaf[],
  from: NetworkStart = rulesStart,
): string {
  const [start] = readings;
  if (!start) return "The network was not read yet.";
  requireFigures(readings);
  if (start.simulated && !start.anchor)
    throw mismatch("network_seed_differs", start.hour, "the first reading has no anchor");
  requireSeeds(readings);
  const hours = `${readings.length} hours of the network were read, none left out`;
  if (!start.simulated) return `${hours}; it is recorded.`;
  const blockCount = rerunNetwork(readings, start, from);
  const all = readings.reduce((sum, { blocks }) => sum + blocks.length, 0);
  return `${hours}; ${blockCount} of its ${all} blocks are those that the revealed seeds give.`;
}
