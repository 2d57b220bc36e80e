import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromHex, MismatchError } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { decodeWorld, worldTag } from "../log/leaves.ts";
import { checkPoolOrder } from "./hosting.ts";
import { decodeBooks, decodeMark } from "./leaves.ts";
import { checkMarkReceipt } from "./mark.ts";
import { computeFill, computePnl, findArbitrageFault, findPair } from "./rules.ts";
import { checkTradeReceipt } from "./trade.ts";

interface Vectors {
  leaves: string[];
  receipts: { orders: unknown[]; trades: Trade[]; marks: { mark_leaf: number; at_ms: number }[] };
  altered: { name: string; step: string; difference: string; receipt: { format: string } }[];
  falsified: (Vectors["altered"][number] & { at: number; remove: number; insert: string[] })[];
}
interface Trade {
  number: number;
  decision_leaf: number;
  fill_leaves: number[];
}
const file = join(import.meta.dirname, "../../docs/formats/vectors/hosting.json");
const { leaves, receipts, altered, falsified } = JSON.parse(readFileSync(file, "utf8")) as Vectors;
const entries = leaves.map(fromHex);
const tag = worldTag("vector");

const getReader = (leaves: readonly Uint8Array[]) => async (index: number) => {
  const entry = leaves[index];
  if (!entry) throw new MismatchError("leaves", "leaf_missing");
  return entry;
};
const leaf = getReader(entries);

function check(receipt: unknown, from = leaf, size = entries.length): Promise<unknown> {
  const { format } = receipt as { format: string };
  if (format.endsWith("hosting/1")) return checkPoolOrder(receipt, from, size);
  return format.endsWith("trade/1")
    ? checkTradeReceipt(receipt, from)
    : checkMarkReceipt(receipt, from);
}

async function getFault(run: () => unknown): Promise<[string, string] | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return [error.step, error.difference];
    throw error;
  }
}

/** The log with one leaf's JSON changed. */
function alterLeaf(index: number, change: (fields: Record<string, never>) => void) {
  const fields = JSON.parse(Buffer.from(entries[index]!.subarray(11)).toString());
  change(fields);
  const entry = Buffer.concat([entries[index]!.subarray(0, 11), canonicalBytes(fields)]);
  return getReader(entries.with(index, entry));
}

describe("receipts of pools", () => {
  test.each(
    receipts.orders.map((order, index) => [index, order]),
  )("the receipt of order %i agrees with the log", async (_at, receipt) => {
    const { steps } = (await check(receipt)) as { steps: { step: string }[] };
    expect(steps.map(({ step }) => step)).toEqual([
      "marks",
      "terms",
      "bound",
      "executed",
      "amounts",
    ]);
  });
  test("every trade agrees: arbitrage and stock, filled and partial", async () => {
    expect(receipts.trades.length).toBeGreaterThan(5);
    for (const trade of receipts.trades) {
      const { steps } = await checkTradeReceipt(trade, leaf);
      expect(steps.map(({ step }) => step)).toEqual([
        "marks",
        "terms",
        "decision",
        "fills",
        "takings",
      ]);
    }
  });
  test("the first mark follows from the seed, and every later one from the mark before", async () => {
    expect(receipts.marks.length).toBeGreaterThan(30);
    for (const mark of receipts.marks) {
      const { steps } = await checkMarkReceipt(mark, leaf);
      expect(steps.map(({ step }) => step)).toEqual([
        "marks",
        "terms",
        "happenings",
        "state",
        "nav",
      ]);
    }
  });
  test.each(altered)("altered: $name: $step, $difference", async ({
    receipt,
    step,
    difference,
  }) => {
    expect(await getFault(() => check(receipt))).toEqual([step, difference]);
  });
});

describe("a falsified log", () => {
  test.each(falsified)("from the vectors: $name: $step, $difference", async ({
    at,
    remove,
    insert,
    receipt,
    step,
    difference,
  }) => {
    const log = leaves.toSpliced(at, remove, ...insert).map(fromHex);
    expect(await getFault(() => check(receipt, getReader(log), log.length))).toEqual([
      step,
      difference,
    ]);
  });

  const arbitrage = receipts.trades.findLast(
    ({ decision_leaf: leaf }) =>
      decodeBooks(entries[leaf]!, tag)?.decision?.purpose === "arbitrage",
  )!;
  const { decision_leaf: decisionLeaf, fill_leaves: fills, number } = arbitrage;
  const after = receipts.marks.find(({ mark_leaf: leaf }) => leaf > fills[0]!)!;
  // biome-ignore lint/suspicious/noExplicitAny: leaves as logged
  type Change = (fields: any) => void;
  test.each<[string, number, Change, string, string]>([
    [
      "an invented gap",
      decisionLeaf,
      (leaf) => (leaf.decision.gap += 1),
      "decision",
      "decision_differs",
    ],
    [
      "a wider limit",
      decisionLeaf,
      (leaf) => (leaf.decision.orders[0].limit += "0"),
      "decision",
      "decision_differs",
    ],
    [
      "another base worth",
      decisionLeaf,
      (leaf) => (leaf.decision.orders[0].base_worth += "0"),
      "decision",
      "decision_differs",
    ],
    [
      "another best price",
      decisionLeaf,
      (leaf) => {
        leaf.decision.orders[0].book.asks[0][0] = "1999000";
        leaf.decision.orders[0].mid2 = (
          1999000n + BigInt(leaf.decision.orders[0].book.bids[0][0])
        ).toString();
      },
      "decision",
      "book_differs",
    ],
    [
      "another second's leaf",
      decisionLeaf,
      (leaf) => (leaf.second_leaf -= 1),
      "leaves",
      "second_leaf_wrong",
    ],
    ["an earlier book", fills[0]!, (leaf) => (leaf.fills[0].book_ms = 1), "fills", "book_differs"],
    [
      "a deeper book",
      fills[0]!,
      (leaf) => (leaf.fills[0].book.asks[0][1] = "1"),
      "fills",
      "fill_differs",
    ],
    [
      "a larger gross pnl",
      fills[0]!,
      (leaf) => (leaf.fills[0].gross += "0"),
      "takings",
      "takings_differ",
    ],
  ])("%s is detected by the trade's check", async (_what, index, change, step, difference) => {
    const fault = await getFault(() => checkTradeReceipt(arbitrage, alterLeaf(index, change)));
    expect(fault).toEqual([step, difference]);
  });
  test.each<[string, number, Change, string, string]>([
    ["an omitted fill", fills[0]!, (leaf) => leaf.fills.pop(), "happenings", "decision_differs"],
    [
      "a fill without an order",
      fills[0]!,
      (leaf) => (leaf.fills[0].number += 1),
      "happenings",
      "order_unknown",
    ],
    [
      "a cheaper fill",
      fills[0]!,
      (leaf) => (leaf.fills[0].quote = "1"),
      "happenings",
      "fill_differs",
    ],
    [
      "an invented arrival",
      fills[0]!,
      (leaf) =>
        leaf.arrived.push({
          amount: "5",
          arrive_ms: 1,
          asset: "USDT",
          from: null,
          sent_ms: 0,
          to: "east",
        }),
      "happenings",
      "transfer_differs",
    ],
    [
      "another state",
      after.mark_leaf,
      (leaf) => (leaf.pools[0].state_hash = "0".repeat(64)),
      "state",
      "state_differs",
    ],
    ["a larger NAV", after.mark_leaf, (leaf) => (leaf.pools[0].nav += "0"), "nav", "nav_differs"],
    [
      "invented units",
      after.mark_leaf,
      (leaf) => (leaf.pools[0].units += "0"),
      "nav",
      "units_differ",
    ],
  ])("%s is detected by the mark's check", async (_what, index, change, step, difference) => {
    const fault = await getFault(() => checkMarkReceipt(after, alterLeaf(index, change)));
    expect(fault).toEqual([step, difference]);
  });
  test("unknown members are refused", async () => {
    const addField: Change = (fields) => (fields.note = "x");
    const reader = alterLeaf(after.mark_leaf, addField);
    expect(await getFault(async () => decodeMark(await reader(after.mark_leaf), tag))).toEqual([
      "leaves",
      "leaf_value_invalid",
    ]);
    expect(number).toBeGreaterThan(0);
  });
});

describe("the examples of docs/rules/hosting.md", () => {
  const world = decodeWorld(entries[0]!);
  const pair = findPair(world, "BTC/USDT")!;
  const half = 50_000_000n;
  const book = {
    bids: [] as [string, string][],
    asks: ["2000000", "2001000", "2002000"].map((price): [string, string] => [price, `${half}`]),
  };
  const buy = { side: "buy" as const, quantity: 2n * half, limit: 3_000_000n };
  test("one bitcoin costs 20 005 and a fee of 20.005", () => {
    const computed = computeFill(pair, buy, book, null, 10n);
    expect(computed).toEqual({
      quantity: 2n * half,
      quote: 20_005_000_000n,
      fee: 20_005_000n,
      why: null,
    });
  });
  test("one satoshi costs 0.0002 and a fee of 0.000001", () => {
    const { quote, fee } = computeFill(pair, { ...buy, quantity: 1n }, book, null, 10n);
    expect([quote, fee]).toEqual([200n, 1n]);
  });
  test.each<[string, bigint | null, bigint, string]>([
    ["no fill with nothing held", 2n, 3_000_000n, "no_money"],
    ["no fill beyond the limit", null, 1_999_999n, "beyond_limit"],
  ])("%s: %s", (_what, balance, limit, why) => {
    expect(computeFill(pair, { ...buy, limit }, book, balance, 10n)).toMatchObject({
      quantity: 0n,
      why,
    });
  });
  test("a buy at 20 000 with a mid of 19 990 has gross 10, slippage 10 and fee 20", () => {
    const order = {
      side: "buy",
      mid2: "3998000",
      base_worth: "200000000000000000000",
      quote_worth: "1000000000000000000",
    } as never;
    // 10¹⁸ satoshi at 20 000 are 2 × 10²⁰ minor units of USDT.
    const expectedFill = {
      quantity: 100_000_000n,
      quote: 20_000_000_000n,
      fee: 20_000_000n,
      why: null,
    };
    expect(computePnl(pair, order, expectedFill)).toEqual({
      gross: 10_000_000n,
      slippage: 10_000_000n,
      fees: 20_000_000n,
    });
  });
  test.each([
    ["2004406", null],
    ["2004405", "its last level does not pay"],
  ])("an ask of 20 000.00 against a bid of %s", (bid, fault) => {
    const costs = { strategy: "cross", fee: 10n, margin: 2n, limit: 25n };
    const order = (side: string, limit: string) => ({
      symbol: "BTC/USDT",
      side,
      quantity: "1",
      limit,
      book: { bids: [[bid, "5"]], asks: [["2000000", "5"]] },
    });
    const limit = (BigInt(bid) * 9_975n + 9_999n) / 10_000n;
    const orders = [order("buy", "2005000"), order("sell", `${limit}`)] as never;
    const gap = Math.trunc(((Number(bid) - 2_000_000) * 1_000_000) / 2_000_000);
    const decision = { gap, needed: 2202, orders };
    expect(findArbitrageFault(world, costs, decision)).toBe(fault);
  });
});
