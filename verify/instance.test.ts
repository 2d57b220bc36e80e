import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readCosigned } from "./instance.ts";
import { MismatchError, sha256 } from "./log/bytes.ts";
import { LogReader, tilePath } from "./log/logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./log/merkle.ts";
import { parseCheckpoint } from "./log/note.ts";

const origin = "drydock.invalid/cosigned/00000000";
const keys = ["newer", "older", "another"].map(() => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  const typedKey = Buffer.concat([Uint8Array.of(1), Buffer.from(x as string, "base64url")]);
  const id = sha256(Buffer.from(`${origin}\n`), typedKey).subarray(0, 4);
  return { privateKey, id, vkey: `${origin}+${id.toString("hex")}+${typedKey.toString("base64")}` };
});
type Key = (typeof keys)[number];
const [newer, older, otherKey] = keys as [Key, Key, Key];

type Leaves = readonly Buffer[];
const leaves = (salt: string) =>
  Array.from({ length: 5 }, (_, index) => Buffer.from(`${index}${salt}`));
const getNodes =
  (list: Leaves) =>
  async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(list[index] as Buffer)
      : nodeHash(
          await getNodes(list)(level - 1, 2 * index),
          await getNodes(list)(level - 1, 2 * index + 1),
        );

async function formatNote(list: Leaves, { id, privateKey }: Key): Promise<string> {
  const root = Buffer.from(await rangeHash(0, list.length, getNodes(list))).toString("base64");
  const text = `${origin}\n${list.length}\n${root}\n`;
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
}

/** An instance that serves the tiles of the longer of both trees. */
async function read(leaves: Leaves, cosigned: Leaves | null, by = newer) {
  const note = cosigned ? await formatNote(cosigned, by) : null;
  const longer = (cosigned?.length ?? 0) > leaves.length ? (cosigned as Leaves) : leaves;
  const file = async (path: string) => {
    if (path === "cosigned" && note !== null) return Buffer.from(note);
    const width = [1, 2, 3, 4, 5].find((size) => tilePath(0, 0, size)?.path === path);
    if (width === undefined) throw new MismatchError("leaves", "leaf_missing", path);
    return Buffer.concat(longer.slice(0, width).map(leafHash));
  };
  const reader = new LogReader(parseCheckpoint(await formatNote(leaves, newer)), file);
  const rejectCall = () => Promise.reject(new Error("not called"));
  const instance = { file, call: rejectCall, page: rejectCall };
  return readCosigned(instance, reader, [newer.vkey, older.vkey]);
}

describe("the cosigned checkpoint", () => {
  test("a missing cosigned checkpoint is read as null", async () => {
    expect(await read(leaves(""), null)).toBeNull();
  });

  test.each([
    [5, 5],
    [5, 3],
    [3, 5],
  ])("cosigned and opened checkpoint must agree: %i and %i leaves", async (openedSize, cosignedSize) => {
    const openedLeaves = leaves("").slice(0, openedSize);
    const cosignedLeaves = leaves("").slice(0, cosignedSize);
    expect((await read(openedLeaves, cosignedLeaves))?.size).toBe(cosignedSize);
    expect((await read(openedLeaves, cosignedLeaves, older))?.size).toBe(cosignedSize);
    await expect(read(openedLeaves, cosignedLeaves, otherKey)).rejects.toThrow("signature_wrong");
    await expect(read(openedLeaves, leaves("'").slice(0, cosignedSize))).rejects.toThrow(
      "log_changed",
    );
  });
});
