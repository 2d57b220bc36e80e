import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromHex } from "./bytes.ts";
import { kinds } from "./leaves.ts";
import { tilePath } from "./logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./merkle.ts";
import { readWholeLog } from "./wholeLog.ts";

const { entries } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../docs/formats/vectors/journal.json"), "utf8"),
) as { entries: string[] };
const log: Uint8Array[] = entries.map(fromHex);

/** Reads a log that is small enough for one tile per level. */
async function read(leaves: readonly Uint8Array[]): Promise<string> {
  const size = leaves.length;
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(leaves[index]!)
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  const root = Buffer.from(await rangeHash(0, size, node));
  const files = new Map([
    [
      tilePath("entries", 0, size)!.path,
      Buffer.concat(leaves.map((leaf) => Buffer.of(leaf.length >> 8, leaf.length, ...leaf))),
    ],
    [tilePath(0, 0, size)!.path, Buffer.concat(leaves.map(leafHash))],
  ]);
  const checkpoint = { origin: "", size, root, signatures: [], text: "" };
  return readWholeLog(checkpoint, async (path) => files.get(path)!);
}

/** A leaf in which one member has another value. */
function alterText(leaf: Uint8Array, from: string, to: string): Uint8Array {
  const text = Buffer.from(leaf).toString("latin1");
  expect(text).toContain(from);
  return Buffer.from(text.replace(from, to), "latin1");
}

const [first, second] = log.filter((entry) => entry[1] === kinds.liabilities) as [
  Uint8Array,
  Uint8Array,
];
test.each<[string, Uint8Array[]]>([
  ["begins anew", log.with(2, alterText(second, '"before":1', '"before":null'))],
  ["skips one", [...log, alterText(second, '"batch":2', '"batch":3')]],
  ["names none where none is", log.with(1, alterText(first, '"before":null', '"before":0'))],
  ["is of fewer accounts", log.with(1, alterText(first, '"accounts":5', '"accounts":9'))],
  ["is of no later batch", log.with(1, alterText(first, '"batch":1', '"batch":2'))],
])("reading the whole log detects a commitment that %s", async (_, leaves) => {
  await expect(read(leaves)).rejects.toMatchObject({
    step: "leaves",
    difference: "accounts_fell",
  });
});

test("commitments that follow each other are read", async () => {
  await expect(read(log)).resolves.toContain("4 leaves");
});
