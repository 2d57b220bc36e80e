import { doRevealsAgree } from "#core/mining/seedReveals.ts";
import { defaultStart } from "#core/mining/simulate/network.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import {
  decodeNetwork,
  encodeNetwork,
  type NetworkLeaf,
} from "#core/transparency-log/networkLeaf.ts";
import { createReadings } from "./mining.ts";

const world = "vector";
/** Two midnights after the first, each of which reveals the seed of a day, and an hour more. */
const hours = 50;

function decoded(bytes: Uint8Array): NetworkLeaf {
  const network = decodeNetwork(bytes, null);
  if (!network.ok) throw new Error(network.error);
  return network.value;
}

const encoded = (leaves: readonly NetworkLeaf[]) =>
  leaves.map((leaf) => bytesToHex(encodeNetwork(leaf, world)));

/** Moves the last block of an hour a second earlier. */
function moveBlockEarlier(leaf: NetworkLeaf): NetworkLeaf {
  const last = leaf.blocks.at(-1)!;
  const movedSecond = { ...last, afterSeconds: last.afterSeconds - 1 };
  return {
    ...leaf,
    blockSeconds: leaf.blockSeconds - 1,
    blocks: leaf.blocks.with(-1, movedSecond),
  };
}

/** Adds a satoshi to the fees of a block, and to every sum that includes it. */
function addSatoshi(readings: readonly NetworkLeaf[], hour: number): NetworkLeaf[] {
  return readings.map((leaf, index) => {
    if (index < hour) return leaf;
    const [first, ...rest] = leaf.blocks;
    const blocks = index === hour ? [{ ...first!, fees: first!.fees + 1n }, ...rest] : leaf.blocks;
    return { ...leaf, feeSum: leaf.feeSum + 1n, blocks };
  });
}

/** How many blocks follow one that was found on a day whose seed is revealed, or are before the first. */
function countRevealed(readings: readonly NetworkLeaf[]): number {
  const revealedTo = (readings[0]!.hour + 48) * 3_600;
  let [seconds, count] = [readings[0]!.blockSeconds, readings[0]!.blocks.length];
  for (const { blocks } of readings.slice(1))
    for (const { afterSeconds } of blocks) {
      if (seconds < revealedTo) count += 1;
      seconds += afterSeconds;
    }
  return count;
}

/** All readings of a simulated network, of a recorded one, and falsified networks. */
export function createNetworkVectors() {
  const readings = createReadings(hours, defaultStart)
    .leaves.filter((_, index) => index % 2 === 0)
    .map(decoded);
  const recorded = readings
    .slice(0, 26)
    .map((leaf) => ({ ...leaf, source: "replay" as const, anchor: null, revealed: null }));
  if (![readings, recorded].every(doRevealsAgree))
    throw new Error("the seeds of the vectors differ");
  const otherSeed = new Uint8Array(32).fill(7);
  const changeHour = (hour: number, change: (leaf: NetworkLeaf) => NetworkLeaf) =>
    readings.with(hour, change(readings[hour]!));
  const createFalsified = (name: string, difference: string, leaves: readonly NetworkLeaf[]) => {
    if (doRevealsAgree(leaves) !== (difference !== "network_seed_differs"))
      throw new Error(`the seeds of the vectors: ${name}`);
    return { name, difference, entries: encoded(leaves) };
  };
  return {
    about:
      "All `network` leaves of a log: of a simulated network, of which the first two days' seeds are revealed, and of a recorded one. `blocks` are those that the seeds give.",
    world,
    simulated: { entries: encoded(readings), blocks: countRevealed(readings) },
    recorded: { entries: encoded(recorded) },
    falsified: [
      createFalsified(
        "another anchor",
        "network_seed_differs",
        changeHour(0, (leaf) => ({ ...leaf, anchor: otherSeed })),
      ),
      createFalsified(
        "another seed",
        "network_seed_differs",
        changeHour(24, (leaf) => ({ ...leaf, revealed: otherSeed })),
      ),
      createFalsified(
        "a seed that is kept back",
        "network_seed_differs",
        changeHour(48, (leaf) => ({ ...leaf, revealed: null })),
      ),
      createFalsified(
        "a second anchor",
        "network_seed_differs",
        changeHour(12, (leaf) => ({ ...leaf, anchor: otherSeed })),
      ),
      createFalsified("an hour left out", "reading_differs", readings.toSpliced(5, 1)),
      createFalsified("an hour twice", "reading_differs", readings.toSpliced(5, 0, readings[5]!)),
      createFalsified(
        "another sum of fees",
        "reading_differs",
        changeHour(5, (leaf) => ({ ...leaf, feeSum: leaf.feeSum + 1n })),
      ),
      createFalsified(
        "a block a second earlier",
        "network_blocks_differ",
        changeHour(10, moveBlockEarlier),
      ),
      createFalsified("a satoshi more in fees", "network_blocks_differ", addSatoshi(readings, 40)),
    ],
  };
}
