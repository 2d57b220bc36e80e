import { readFileSync } from "node:fs";
import { decodeMark } from "../hosting/leaves.ts";
import { equalBytes, fromHex, MismatchError } from "../log/bytes.ts";
import { decodeSecond, kinds, readKind, worldTag } from "../log/leaves.ts";
import { emptyRoot, leafHash, nodeHash } from "../log/merkle.ts";
import { isSignedBy, parseCheckpoint, parseVerifierKey } from "../log/note.ts";
import { decodeNetwork, type HourLeaf } from "./leaves.ts";
import { checkLeaseReceipt } from "./mining.ts";
import { checkNetwork, type NetworkStart } from "./network.ts";
import { subsidyAt } from "./rules.ts";

/**
 * `node verify/mining/leases.ts <file>`: checks many lease receipts against a complete log in a
 * file written by `tools/verify/leases.ts`: `{"world", "vkey", "checkpoint", "leaves": [hex],
 * "receipts": […]}`. The log must hash to the signed checkpoint; every network reading is checked
 * from the first one, and seconds and mark minutes must ascend. Exit status 1 when anything
 * differs.
 */
interface Whole {
  world: string;
  vkey: string;
  checkpoint: string;
  leaves: string[];
  /** The network's first block, if it is not that of the rules. */
  start?: NetworkStart;
  receipts: unknown[];
}

/** RFC 9162, 2.1.1, by carrying: one node per set bit of the number of leaves so far. */
function computeRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const nodes: Uint8Array[] = [];
  for (const [index, leaf] of leaves.entries()) {
    let node: Uint8Array = leafHash(leaf);
    for (let count = index; count % 2 === 1; count = (count - 1) / 2)
      node = nodeHash(nodes.pop() as Uint8Array, node);
    nodes.push(node);
  }
  let root = nodes.pop();
  for (let leftHash = nodes.pop(); root && leftHash; leftHash = nodes.pop())
    root = nodeHash(leftHash, root);
  return root ?? emptyRoot;
}

/**
 * Checks that nothing is backdated: across the whole log seconds ascend, and so do the minutes of
 * pool marks.
 */
function checkAscent(entries: readonly Uint8Array[], tag: Uint8Array): number {
  const last = { seconds: -1, marks: -1 };
  let seconds = 0;
  const report = (kind: keyof typeof last, ms: number, leaf: number) => {
    if (ms <= last[kind])
      throw new MismatchError("ascendingSeconds", `${kind}_not_ascending`, `leaf ${leaf}`);
    last[kind] = ms;
  };
  for (const [leaf, entry] of entries.entries()) {
    if (readKind(entry, tag) === kinds.second) {
      report("seconds", decodeSecond(entry, tag).secondMs, leaf);
      seconds += 1;
    }
    const mark = decodeMark(entry, tag);
    if (mark) report("marks", mark.at_ms, leaf);
  }
  return seconds;
}

/** Checks every reading from the first. */
function checkReadings(
  entries: readonly Uint8Array[],
  tag: Uint8Array,
  start: NetworkStart | undefined,
): HourLeaf[] {
  const readings = entries
    .filter((entry) => readKind(entry, tag) === kinds.network)
    .map((entry) => decodeNetwork(entry, tag));
  console.log(checkNetwork(readings, start));
  return readings;
}

async function main(path: string): Promise<number> {
  const log = JSON.parse(readFileSync(path, "utf8")) as Whole;
  const leaves = log.leaves.map((leaf) => fromHex(leaf));
  const checkpoint = parseCheckpoint(log.checkpoint);
  if (!isSignedBy(checkpoint, parseVerifierKey(log.vkey)))
    throw new MismatchError("signature", "signature_invalid");
  if (checkpoint.size !== leaves.length || !equalBytes(computeRoot(leaves), checkpoint.root))
    throw new MismatchError("signature", "root_differs");
  const seconds = checkAscent(leaves, worldTag(log.world));
  console.log(`${seconds} seconds ascend in ${leaves.length} leaves`);
  const readings = checkReadings(leaves, worldTag(log.world), log.start);
  const [first, last] = [readings[0] as HourLeaf, readings.at(-1) as HourLeaf];
  const changes = readings.filter(
    (reading, index) => index > 0 && reading.bits !== readings[index - 1]?.bits,
  ).length;
  console.log(
    `${readings.length} readings agree: heights ${first.height} to ${last.height}, ${changes} difficulty changes, subsidy ${subsidyAt(first.height)} to ${subsidyAt(last.height)}`,
  );
  let differCount = 0;
  let days = 0;
  for (const receipt of log.receipts) {
    try {
      const checked = await checkLeaseReceipt(
        receipt,
        async (index) => leaves[index] as Uint8Array,
      );
      days += checked.receipt.payouts.length;
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      differCount += 1;
      console.log(`DIFFERS  at "${error.step}": ${error.difference}. ${error.detail}`);
    }
  }
  const { length } = log.receipts;
  console.log(
    `${length} receipts covering ${days} days: ${length - differCount} agree, ${differCount} differ`,
  );
  return differCount > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv[2] ?? "");
