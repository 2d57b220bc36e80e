import { createPrivateKey, sign } from "node:crypto";
import type { Receipt } from "./contracts/receiptSchema.ts";
import { fromHex, MismatchError } from "./log/bytes.ts";
import { LogReader, tilePath } from "./log/logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./log/merkle.ts";
import { parseCheckpoint, parseVerifierKey } from "./log/note.ts";
import { vectors } from "./testing.ts";

const contracts = vectors("receipt") as {
  entries: string[];
  receipts: Receipt[];
  checkpoint: string;
  vkey: string;
};
/** The log of the vectors of contracts, and receipts that agree with it. */
export const { receipts, checkpoint: note, vkey } = contracts;
export const entries = contracts.entries.map(fromHex);
export const key = parseVerifierKey(vkey);
const secret = createPrivateKey({
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    fromHex(vectors("checkpoint").secret),
  ]),
  format: "der",
  type: "pkcs8",
});

async function getNode(
  list: readonly Uint8Array[],
  level: number,
  index: number,
): Promise<Uint8Array> {
  if (level === 0) return leafHash(list[index] as Uint8Array);
  return nodeHash(
    await getNode(list, level - 1, 2 * index),
    await getNode(list, level - 1, 2 * index + 1),
  );
}

/** Serves entries as a log and signs their tree with the vectors' key. */
export async function serveLog(
  list: readonly Uint8Array[],
  alter: (path: string, bytes: Buffer) => Buffer = (_, bytes) => bytes,
) {
  const root = await rangeHash(0, list.length, (level, index) => getNode(list, level, index));
  const text = `${key.name}\n${list.length}\n${Buffer.from(root).toString("base64")}\n`;
  const signature = Buffer.concat([key.keyId, sign(null, Buffer.from(text), secret)]).toString(
    "base64",
  );
  const checkpoint = parseCheckpoint(`${text}\n— ${key.name} ${signature}\n`);
  const files = new Map<string, Buffer>();
  for (let index = 0; index * 256 < list.length; index++) {
    const part = list.slice(index * 256, index * 256 + 256);
    const bundle = part.map((entry) =>
      Buffer.concat([Buffer.of(entry.length >> 8, entry.length & 255), entry]),
    );
    files.set(tilePath("entries", index, list.length)?.path as string, Buffer.concat(bundle));
    files.set(tilePath(0, index, list.length)?.path as string, Buffer.concat(part.map(leafHash)));
  }
  const upperTile = tilePath(1, 0, list.length);
  if (upperTile) {
    const nodes = Array.from({ length: upperTile.width }, (_, index) => getNode(list, 8, index));
    files.set(upperTile.path, Buffer.concat(await Promise.all(nodes)));
  }
  return new LogReader(checkpoint, async (path) => {
    const bytes = files.get(path);
    if (!bytes) throw new MismatchError("leaves", "leaf_missing", path);
    return alter(path, bytes);
  });
}

export const wonReceipt = receipts.find(({ result }) => result.outcome === "won") as Receipt;
