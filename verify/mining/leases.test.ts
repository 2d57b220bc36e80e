import { spawnSync } from "node:child_process";
import { createPrivateKey, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fromHex } from "../log/bytes.ts";
import { leafHash, nodeHash, rangeHash } from "../log/merkle.ts";
import { parseVerifierKey } from "../log/note.ts";

/** Complete logs of one world, built from the leaves of all vectors and signed with their key. */
const load = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../docs/formats/vectors/${name}.json`), "utf8"),
  );
const mining: { entries: string[] } = load("mining");
const contracts: { entries: string[]; vkey: string } = load("receipt");
const hosting: { leaves: string[] } = load("hosting");
const key = parseVerifierKey(contracts.vkey);
const secret = createPrivateKey({
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    fromHex(load("checkpoint").secret),
  ]),
  format: "der",
  type: "pkcs8",
});
/** The start of the vectors, close to a halving. */
const start = { height: 520 * 2_016, bits: 0x17034219 };
const hours = mining.entries.filter((leaf) => fromHex(leaf)[1] !== 2);
const seconds = contracts.entries.slice(2);
const marks = hosting.leaves.filter((leaf) => fromHex(leaf)[1] === 7);
const wholeLog = [...hours, ...seconds, ...marks];

async function signCheckpoint(leaves: readonly string[]): Promise<string> {
  const node = async (level: number, index: number): Promise<Uint8Array> =>
    level === 0
      ? leafHash(fromHex(leaves[index] as string))
      : nodeHash(await node(level - 1, 2 * index), await node(level - 1, 2 * index + 1));
  const root = Buffer.from(await rangeHash(0, leaves.length, node)).toString("base64");
  const text = `${key.name}\n${leaves.length}\n${root}\n`;
  const signature = Buffer.concat([key.keyId, sign(null, Buffer.from(text), secret)]);
  return `${text}\n— ${key.name} ${signature.toString("base64")}\n`;
}

describe("a log file with leases", () => {
  const folder = mkdtempSync(join(tmpdir(), "drydock-leases-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each<[string, string[], string]>([
    ["a log with ascending seconds, marks and readings agrees", wholeLog, "299 seconds ascend"],
    [
      "a log with a repeated second is refused",
      [...wholeLog, seconds[9]!],
      "seconds_not_ascending",
    ],
    ["a log with a repeated mark is refused", [...wholeLog, marks[0]!], "marks_not_ascending"],
    ["a log with a repeated reading is refused", [...wholeLog, hours[22]!], "reading_differs"],
  ])("%s", async (_what, leaves, message) => {
    const file = join(folder, "log.json");
    const checkpoint = await signCheckpoint(leaves);
    const { vkey } = contracts;
    writeFileSync(
      file,
      JSON.stringify({ world: "vector", vkey, checkpoint, leaves, start, receipts: [] }),
    );
    const program = join(import.meta.dirname, "leases.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, file], {
      encoding: "utf8",
    });
    expect(`${stdout}${stderr}`).toContain(message);
    expect(status).toBe(leaves === wholeLog ? 0 : 1);
  });
});
