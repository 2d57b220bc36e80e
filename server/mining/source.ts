import { randomBytes } from "node:crypto";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { addBlock, type Block, type ChainTip } from "#core/mining/chain.ts";
import { epochBlocks } from "#core/mining/difficulty.ts";
import { feeBlocks } from "#core/mining/formula.ts";
import {
  defaultStart,
  type NetworkStart,
  type NetworkState,
  runNetwork,
  startNetwork,
} from "#core/mining/simulate/network.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { insertSeedAnchor, readSeedAnchor, readState, saveState } from "#server/mining/store.ts";
import type { SeedFile } from "#server/platform/crypto/seedFile.ts";
import type { Tx } from "#server/platform/db/database.ts";

const daySeconds = 86_400;

/** A source's data at a whole hour. */
export interface SourceReading {
  tip: ChainTip;
  /** Found since the previous reading, oldest first; at the first reading the last 144. */
  blocks: readonly Block[];
  anchor: Uint8Array | null;
  revealed: Uint8Array | null;
}

interface SourceOpening {
  /** The transaction that writes the readings. */
  tx: Tx;
  /** Holds the secret of a simulated network. */
  seedFile: SeedFile;
  /** The last hour that was read; null before the world's first reading. */
  lastHourMs: number | null;
  firstHourMs: number;
}

/**
 * Where the network's data comes from. Hours are requested one after the other, without skipping
 * any.
 */
export interface NetworkSource {
  readonly kind: "simulated" | "replay";
  /** Prepares to read the hours after the last one that was read. */
  open(opening: SourceOpening): Promise<(hourMs: number) => SourceReading>;
  /** Saves the state needed by a restart, after the last hour read. */
  save(tx: Tx, hourMs: number): Promise<void>;
}

/**
 * The simulated network (docs/rules/mining.md). One chain of day seeds, committed to with the first
 * reading, determines it completely, including days on which nothing ran.
 */
export function createSimulatedNetwork(
  start: NetworkStart = defaultStart,
  newSecret: () => Uint8Array = () => randomBytes(32),
): NetworkSource {
  let chain: { seeds: SeedChain; firstDay: number } | null = null;
  let state: NetworkState | null = null;
  const seedOfDay = (day: number) => {
    const { seeds, firstDay } = chain!;
    // Blocks found before the first day, which exist when it begins, also use the first day's seed.
    return seeds.seedOf(Math.max(0, day - firstDay));
  };
  const openChain = async ({ tx, seedFile, firstHourMs }: SourceOpening) => {
    const storedAnchor = await readSeedAnchor(tx);
    if (storedAnchor) {
      if (chain && equalBytes(chain.seeds.anchor, storedAnchor.anchor)) return chain;
      const seeds = new SeedChain(await seedFile.read());
      if (!equalBytes(seeds.anchor, storedAnchor.anchor)) throw seedFile.ofAnotherWorld();
      return { seeds, firstDay: storedAnchor.firstDay };
    }
    const secret = newSecret();
    const seeds = new SeedChain(secret);
    const firstDay = Math.floor(firstHourMs / 1_000 / daySeconds);
    await seedFile.write(secret);
    await insertSeedAnchor(tx, seeds.anchor, firstDay);
    return { seeds, firstDay };
  };
  return {
    kind: "simulated",
    open: async (opening) => {
      const { tx, lastHourMs } = opening;
      chain = await openChain(opening);
      state = lastHourMs === null ? null : await readState(tx);
      if (lastHourMs !== null && !state)
        throw new Error("the state of the simulated network is missing");
      return (hourMs) => {
        const seconds = hourMs / 1_000;
        const day = Math.floor(seconds / daySeconds);
        const { seeds, firstDay } = chain!;
        if (!state) {
          state = startNetwork(seeds.seedOf(0), seconds, start);
          return { tip: state.tip, blocks: state.tip.recent, anchor: seeds.anchor, revealed: null };
        }
        const blocks: Block[] = [];
        for (state of runNetwork(state, seconds, seedOfDay)) blocks.push(state.tip.last);
        const begins = seconds % daySeconds === 0;
        const revealedSeed = begins ? seeds.seedOf(day - 1 - firstDay) : null;
        return { tip: state.tip, blocks, anchor: null, revealed: revealedSeed };
      };
    },
    save: (tx, hourMs) => saveState(tx, hourMs, state!),
  };
}

/**
 * Recorded blocks, in order of height. After the last one no more are found, and the values stay as
 * they are.
 */
export function createRecordedNetwork(blocks: readonly Block[]): NetworkSource {
  return {
    kind: "replay",
    open: async ({ lastHourMs, firstHourMs }) => {
      let index = countUpTo(blocks, (lastHourMs ?? firstHourMs) / 1_000);
      let tip = toTip(blocks, index);
      let first = lastHourMs === null;
      return (hourMs) => {
        const foundBlocks: Block[] = [];
        for (; index < blocks.length && blocks[index]!.seconds <= hourMs / 1_000; index += 1) {
          tip = addBlock(tip, blocks[index]!);
          foundBlocks.push(blocks[index]!);
        }
        const recentBlocks = first ? tip.recent : foundBlocks;
        first = false;
        return { tip, blocks: recentBlocks, anchor: null, revealed: null };
      };
    },
    save: async () => {},
  };
}

function countUpTo(blocks: readonly Block[], seconds: number): number {
  const index = blocks.findIndex((block) => block.seconds > seconds);
  return index < 0 ? blocks.length : index;
}

function toTip(blocks: readonly Block[], count: number): ChainTip {
  const last = blocks[count - 1];
  if (!last || count < feeBlocks)
    throw new RangeError("a recording needs 144 blocks before its world starts");
  const firstHeight = Math.floor(last.height / epochBlocks) * epochBlocks;
  // For a recording that begins inside an epoch, its own first block is the earliest known.
  const first = blocks[Math.max(0, firstHeight - blocks[0]!.height)]!;
  return { last, epochFirstSeconds: first.seconds, recent: blocks.slice(count - feeBlocks, count) };
}
