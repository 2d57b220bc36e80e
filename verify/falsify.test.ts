import { createPrivateKey, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import type { Receipt } from "./contracts/receiptSchema.ts";
import { fromHex, hex, MismatchError } from "./log/bytes.ts";
import { canonicalBytes } from "./log/canonical.ts";
import { followLog } from "./log/checkpointStore.ts";
import { decodeSecond, type Second, worldTag } from "./log/leaves.ts";
import { LogReader, tilePath } from "./log/logReader.ts";
import { leafHash, nodeHash, rangeHash } from "./log/merkle.ts";
import { isSignedBy, parseCheckpoint, parseVerifierKey } from "./log/note.ts";

/**
 * More than twenty ways to falsify a receipt or the log, each refused with its own reason. The log
 * is that of the vectors.
 */
const load = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../docs/formats/vectors/${name}.json`), "utf8"),
  );
const {
  entries: entryTexts,
  receipts,
  checkpoint: note,
  vkey,
} = load("receipt") as {
  entries: string[];
  receipts: Receipt[];
  checkpoint: string;
  vkey: string;
};
const entries = entryTexts.map(fromHex);
const key = parseVerifierKey(vkey);
const secret = createPrivateKey({
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    fromHex(load("checkpoint").secret),
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

/** Serves entries as a log does, and signs their tree with the vectors' key. */
async function serve(
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
  const above = tilePath(1, 0, list.length);
  if (above) {
    const nodes = Array.from({ length: above.width }, (_, index) => getNode(list, 8, index));
    files.set(above.path, Buffer.concat(await Promise.all(nodes)));
  }
  return new LogReader(checkpoint, async (path) => {
    const bytes = files.get(path);
    if (!bytes) throw new MismatchError("leaves", "leaf_missing", path);
    return alter(path, bytes);
  });
}

/** Encodes a second without orders: the minimal encoder this test needs. */
function writeSecond(second: Second): Buffer {
  const bytes: number[] = [...(entries[won.entry_leaf] as Buffer).subarray(0, 11)];
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

async function getDifference(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}

const won = receipts.find(({ result }) => result.outcome === "won") as Receipt;

test("the served log has the vectors' root, and its receipts agree", async () => {
  const reader = await serve(entries);
  expect(hex(reader.checkpoint.root)).toBe(hex(parseCheckpoint(note).root));
  for (const receipt of receipts) await checkReceipt(receipt, (index) => reader.leaf(index));
});

describe("a falsified receipt is refused with its reason", () => {
  type Change = (receipt: Receipt) => void;
  const rows: [string, string, Change][] = [
    ["the practice label removed", "not_practice", (r) => delete (r as Partial<Receipt>).practice],
    [
      "backed by gold",
      "not_practice",
      (r) => {
        r.backing = "gold";
      },
    ],
    [
      "the order without its label",
      "not_practice",
      (r) => {
        r.order.practice = false;
      },
    ],
    [
      "another world",
      "world_differs",
      (r) => {
        r.world = r.order.world = "elsewhere";
      },
    ],
    [
      "a live market",
      "market_differs",
      (r) => {
        r.market.kind = "live";
      },
    ],
    [
      "another speed",
      "market_differs",
      (r) => {
        r.order.market.speed = 2;
      },
    ],
    [
      "a smaller fee",
      "fee_differs",
      (r) => {
        r.order.fee = "999999";
      },
    ],
    [
      "a larger stake with its fee",
      "order_not_in_root",
      (r) => {
        r.order.stake = "200000000";
        r.order.fee = "2000000";
      },
    ],
    [
      "the other direction",
      "order_not_in_root",
      (r) => {
        r.order.direction = "down";
      },
    ],
    [
      "another salt",
      "order_not_in_root",
      (r) => {
        r.order.salt = "00".repeat(32);
      },
    ],
    [
      "an earlier acceptance",
      "order_not_in_root",
      (r) => {
        r.order.accepted_at_ms -= 100;
      },
    ],
    [
      "an acceptance after the binding leaf",
      "bound_before_acceptance",
      (r) => {
        r.order.accepted_at_ms += 60_000;
      },
    ],
    [
      "a binding leaf without the second before it",
      "bound_too_late",
      (r) => {
        r.before_leaf = r.bound_leaf;
      },
    ],
    [
      "another position in the root",
      "order_not_in_root",
      (r) => {
        r.orders_index = 1;
      },
    ],
    [
      "fewer orders in the root",
      "orders_count_differs",
      (r) => {
        r.orders_count -= 1;
      },
    ],
    [
      "terms with a better rate",
      "terms_hash_differs",
      (r) => {
        (r.terms.tiers[0] as { rate_bp: number }).rate_bp = 9_900;
      },
    ],
    [
      "terms from another leaf",
      "terms_not_in_log",
      (r) => {
        r.terms_leaf += 1;
      },
    ],
    [
      "the entry a second later",
      "entry_leaf_differs",
      (r) => {
        r.entry_leaf += 1;
      },
    ],
    [
      "a better entry price",
      "purchase_price_differs",
      (r) => {
        r.result.purchase_price = "1";
      },
    ],
    [
      "the delivery later",
      "delivery_time_differs",
      (r) => {
        r.result.delivery_at_ms = (r.result.delivery_at_ms as number) + 1_000;
      },
    ],
    [
      "a window truncated at its end",
      "window_incomplete",
      (r) => {
        (r.window_leaves as [number, number])[1] -= 1;
      },
    ],
    [
      "a window truncated at its start",
      "window_incomplete",
      (r) => {
        (r.window_leaves as [number, number])[0] += 1;
      },
    ],
    [
      "one tick on the settlement price",
      "selling_price_differs",
      (r) => {
        r.result.selling_price = String(Number(r.result.selling_price) + 1);
      },
    ],
    [
      "a loss instead of a win",
      "outcome_differs",
      (r) => {
        r.result.outcome = "lost";
      },
    ],
    [
      "a payout of one minor unit more",
      "payout_differs",
      (r) => {
        r.result.payout = String(BigInt(r.result.payout) + 1n);
      },
    ],
    [
      "a better net",
      "payout_differs",
      (r) => {
        r.result.net = "90000000";
      },
    ],
    [
      "an unknown member",
      "receipt_malformed",
      (r) => {
        (r as unknown as Record<string, unknown>).bonus = "1";
      },
    ],
    [
      "an amount with a decimal point",
      "receipt_malformed",
      (r) => {
        r.order.stake = "100.0";
      },
    ],
    [
      "a preceding second after the binding leaf",
      "receipt_malformed",
      (r) => {
        r.before_leaf = r.bound_leaf + 1;
      },
    ],
    [
      "a binding range that is too long",
      "receipt_malformed",
      (r) => {
        r.before_leaf = 0;
        r.bound_leaf = 5_000;
        r.entry_leaf = 5_001;
      },
    ],
    [
      "a leaf beyond the end of the log",
      "leaf_missing",
      (r) => {
        r.before_leaf = 8_999;
        r.bound_leaf = 9_000;
        r.entry_leaf = 9_001;
      },
    ],
  ];
  test.each(rows)("%s: %s", async (_, difference, change) => {
    const reader = await serve(entries);
    const receipt = structuredClone(won);
    change(receipt);
    expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
      difference,
    );
  });
});

test("a void order with another reason than the log's is refused", async () => {
  const reader = await serve(entries);
  const receipt = structuredClone(receipts.find(({ result }) => result.outcome === "void")!);
  receipt.result.void_reason = "few_samples";
  expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
    "outcome_differs",
  );
});

test("terms logged only after the order are refused", async () => {
  const reader = await serve([...entries, entries[won.terms_leaf]!]);
  const receipt = { ...structuredClone(won), terms_leaf: entries.length };
  expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
    "terms_after_order",
  );
});

describe("a falsified log is refused with its reason", () => {
  const folder = mkdtempSync(join(tmpdir(), "drydock-verify-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const check = (reader: LogReader) => checkReceipt(won, (index) => reader.leaf(index));

  test("an entry that is not in the tree is refused", async () => {
    const reader = await serve(entries, (path, bytes) => {
      if (!path.startsWith("tile/entries/000")) return bytes;
      const altered = Buffer.from(bytes);
      altered[altered.length - 1] = (altered.at(-1) as number) ^ 1;
      return altered;
    });
    expect(await getDifference(() => reader.leaf(255))).toBe("leaf_not_in_log");
  });

  test("a tile that does not lead to the signed root is refused", async () => {
    const reader = await serve(entries, (path, bytes) =>
      path.startsWith("tile/0/") ? Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("leaf_not_in_log");
  });

  test("a truncated tile is refused", async () => {
    const reader = await serve(entries, (path, bytes) =>
      path.startsWith("tile/0/") ? bytes.subarray(32) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("tile_malformed");
  });

  test("a truncated bundle is refused", async () => {
    const reader = await serve(entries, (path, bytes) =>
      path.includes("entries") ? bytes.subarray(0, -1) : bytes,
    );
    expect(await getDifference(() => check(reader))).toBe("bundle_malformed");
  });

  test("a rewritten price in an otherwise valid signed log is refused", async () => {
    const at = won.entry_leaf;
    const rewritten = entries.with(at, entries[at + 1] as Buffer);
    const reader = await serve(rewritten);
    expect(await getDifference(() => check(reader))).toMatch(/differs$/);
  });

  test("an index that its quotes do not give is refused", async () => {
    const second = decodeSecond(entries[won.entry_leaf] as Buffer, worldTag(won.world));
    const quote = second.columns[0]?.quotes.find((each) => each !== null) as { ask: bigint };
    expect(hex(writeSecond(second))).toBe(hex(entries[won.entry_leaf] as Buffer));
    quote.ask += 1_000n;
    const reader = await serve(entries.with(won.entry_leaf, writeSecond(second)));
    expect(await getDifference(() => check(reader))).toBe("index_differs");
  });

  test("a checkpoint signed by another key is refused", () => {
    const other = parseCheckpoint(
      note.replace(/(.)=\n$/, (_, digit) => `${digit === "A" ? "B" : "A"}=\n`),
    );
    expect(isSignedBy(other, key)).toBe(false);
  });

  test("a log that shrank, changed or has another key since last seen is refused", async () => {
    const file = join(folder, "memory.json");
    const follow = (reader: LogReader, signer = vkey) =>
      followLog(file, reader, { url: "http://localhost:8080/", vkey: signer, acceptNewLog: false });
    const whole = await serve(entries);
    expect(await follow(whole)).toContain("not seen before");
    expect(await follow(await serve([...entries, entries[5] as Buffer]))).toContain("continues");
    expect(await getDifference(() => follow(whole))).toBe("log_shrank");
    const changed = await serve([
      ...entries.with(3, entries[4] as Buffer),
      entries[5] as Buffer,
      entries[6] as Buffer,
    ]);
    expect(await getDifference(() => follow(changed))).toBe("log_changed");
    const stranger = `${key.name}+00000000+${"A".repeat(44)}`;
    writeFileSync(
      file,
      JSON.stringify({
        logs: { [key.name]: { vkey: load("receipt").vkey, checkpoint: note } },
        instances: {},
      }),
    );
    const unsigned = await serve(entries);
    unsigned.checkpoint.signatures.length = 0;
    expect(await getDifference(() => follow(unsigned, stranger))).toBe("key_replaced");
  });

  test("a different log at a known address is refused unless it is expected", async () => {
    const file = join(folder, "addresses.json");
    const reader = await serve(entries);
    const other = { ...reader.checkpoint, origin: "drydock.invalid/vector/11111111" };
    const renamed = new LogReader(other, async () => Buffer.alloc(0));
    const follow = (of: LogReader, url: string, acceptNewLog = false) =>
      followLog(file, of, { url, vkey, acceptNewLog });
    await follow(reader, "https://one.example/");
    expect(await getDifference(() => follow(renamed, "https://ONE.example"))).toBe("log_replaced");
    expect(await getDifference(() => follow(renamed, "https://one.example/"))).toBe("log_replaced");
    expect(await follow(renamed, "https://two.example")).toContain("not seen before");
    expect(await follow(renamed, "https://one.example", true)).toContain("continues");
    expect(await getDifference(() => follow(reader, "https://one.example"))).toBe("log_replaced");
    writeFileSync(file, JSON.stringify({ [key.name]: { vkey, checkpoint: note } }));
    expect(await getDifference(() => follow(reader, "https://one.example"))).toBe(
      "memory_unreadable",
    );
  });

  test("a hash over text that is not canonical differs", () => {
    const { order } = won;
    expect(hex(canonicalBytes(order))).not.toBe(hex(Buffer.from(JSON.stringify(order))));
  });
});
