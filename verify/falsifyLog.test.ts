import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import { toHex } from "./log/bytes.ts";
import { canonicalBytes } from "./log/canonical.ts";
import { followLog } from "./log/checkpointStore.ts";
import { decodeSecond, type Second, worldTag } from "./log/leaves.ts";
import { LogReader } from "./log/logReader.ts";
import { isSignedBy, parseCheckpoint } from "./log/note.ts";
import { entries, key, note, serveLog, vkey, wonReceipt } from "./servedLog.testdata.ts";
import { getDifference } from "./testing.ts";

/** Ways to falsify a log, each refused with its own reason. The log is that of the vectors. */
/** Encodes a second without orders: the minimal encoder this test needs. */
function writeSecond(second: Second): Buffer {
  const bytes: number[] = [...(entries[wonReceipt.entry_leaf] as Buffer).subarray(0, 11)];
  const number = (value: bigint) => {
    let rest = value;
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
  };
  number(BigInt(second.secondMs / 1000));
  number(BigInt(second.ordersCount));
  number(BigInt(second.columns[0]?.quotes.length ?? 0));
  number(BigInt(second.columns.length));
  for (const { index, quotes } of second.columns) {
    const bits = quotes.map((quote, venue) => (quote ? 2n << BigInt(venue) : 0n));
    number(bits.reduce((sum, bit) => sum | bit, index === null ? 0n : 1n));
    if (index !== null) number(index);
    let before = index ?? 0n;
    for (const quote of quotes) {
      if (!quote) continue;
      const step = quote.bid - before;
      number(step < 0n ? -2n * step - 1n : 2n * step);
      number(quote.ask - quote.bid);
      before = quote.bid;
    }
  }
  return Buffer.from(bytes);
}

describe("a falsified log is refused with its reason", () => {
  const folder = mkdtempSync(join(tmpdir(), "drydock-verify-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const check = (reader: LogReader) => checkReceipt(wonReceipt, (index) => reader.leaf(index));

  test("an entry that is not in the tree is refused", async () => {
    const reader = await serveLog(entries, (path, bytes) => {
      if (!path.startsWith("tile/entries/000")) return bytes;
      const alteredLeaf = Buffer.from(bytes);
      alteredLeaf[alteredLeaf.length - 1] = (alteredLeaf.at(-1) as number) ^ 1;
      return alteredLeaf;
    });
    expect(await getDifference(() => reader.leaf(255))).toBe("leaf_not_in_log");
  });

  test("a tile that does not lead to the signed root is refused", async () => {
    const reader = await serveLog(entries, (path, bytes) =>
      path.startsWith("tile/0/") ? Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("leaf_not_in_log");
  });

  test("a truncated tile is refused", async () => {
    const reader = await serveLog(entries, (path, bytes) =>
      path.startsWith("tile/0/") ? bytes.subarray(32) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("tile_malformed");
  });

  test("a truncated bundle is refused", async () => {
    const reader = await serveLog(entries, (path, bytes) =>
      path.includes("entries") ? bytes.subarray(0, -1) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("bundle_malformed");
  });

  test("a rewritten price in an otherwise valid signed log is refused", async () => {
    const entryLeaf = wonReceipt.entry_leaf;
    const rewrittenLog = entries.with(entryLeaf, entries[entryLeaf + 1] as Buffer);
    const reader = await serveLog(rewrittenLog);
    expect(await getDifference(() => check(reader))).toMatch(/differs$/);
  });

  test("an index that does not follow from its quotes is refused", async () => {
    const second = decodeSecond(
      entries[wonReceipt.entry_leaf] as Buffer,
      worldTag(wonReceipt.world),
    );
    const quote = second.columns[0]?.quotes.find((candidate) => candidate !== null) as {
      ask: bigint;
    };
    expect(toHex(writeSecond(second))).toBe(toHex(entries[wonReceipt.entry_leaf] as Buffer));
    quote.ask += 1_000n;
    const reader = await serveLog(entries.with(wonReceipt.entry_leaf, writeSecond(second)));
    expect(await getDifference(() => check(reader))).toBe("index_differs");
  });

  test("a checkpoint signed by another key is refused", () => {
    const otherCheckpoint = parseCheckpoint(
      note.replace(/(.)=\n$/, (_, digit) => `${digit === "A" ? "B" : "A"}=\n`),
    );
    expect(isSignedBy(otherCheckpoint, key)).toBe(false);
  });

  test("a log that shrank, changed or got another key since it was stored is refused", async () => {
    const file = join(folder, "memory.json");
    const follow = (reader: LogReader, signer = vkey) =>
      followLog(file, reader, { url: "http://localhost:8080/", vkey: signer, acceptNewLog: false });
    const wholeLog = await serveLog(entries);
    expect(await follow(wholeLog)).toContain("not seen before");
    expect(await follow(await serveLog([...entries, entries[5] as Buffer]))).toContain("continues");
    expect(await getDifference(() => follow(wholeLog))).toBe("log_shrank");
    const changedLog = await serveLog([
      ...entries.with(3, entries[4] as Buffer),
      entries[5] as Buffer,
      entries[6] as Buffer,
    ]);
    expect(await getDifference(() => follow(changedLog))).toBe("log_changed");
    const stranger = `${key.name}+00000000+${"A".repeat(44)}`;
    writeFileSync(
      file,
      JSON.stringify({
        logs: { [key.name]: { vkey: vkey, checkpoint: note } },
        instances: {},
      }),
    );
    const unsignedLog = await serveLog(entries);
    unsignedLog.checkpoint.signatures.length = 0;
    expect(await getDifference(() => follow(unsignedLog, stranger))).toBe("key_replaced");
  });

  test("a different log at a known address is refused unless it is expected", async () => {
    const file = join(folder, "addresses.json");
    const reader = await serveLog(entries);
    const otherCheckpoint = { ...reader.checkpoint, origin: "drydock.invalid/vector/11111111" };
    const renamedLog = new LogReader(otherCheckpoint, async () => Buffer.alloc(0));
    const follow = (reader: LogReader, url: string, acceptNewLog = false) =>
      followLog(file, reader, { url, vkey, acceptNewLog });
    await follow(reader, "https://one.example/");
    expect(await getDifference(() => follow(renamedLog, "https://ONE.example"))).toBe(
      "log_replaced",
    );
    expect(await getDifference(() => follow(renamedLog, "https://one.example/"))).toBe(
      "log_replaced",
    );
    expect(await follow(renamedLog, "https://two.example")).toContain("not seen before");
    expect(await follow(renamedLog, "https://one.example", true)).toContain("continues");
    expect(await getDifference(() => follow(reader, "https://one.example"))).toBe("log_replaced");
    writeFileSync(file, JSON.stringify({ [key.name]: { vkey, checkpoint: note } }));
    expect(await getDifference(() => follow(reader, "https://one.example"))).toBe(
      "memory_unreadable",
    );
  });

  test("a hash over non-canonical text is refused", () => {
    const { order } = wonReceipt;
    expect(toHex(canonicalBytes(order))).not.toBe(toHex(Buffer.from(JSON.stringify(order))));
  });
});
