import { sha256 } from "@noble/hashes/sha2.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BooksBody, PoolMarkBody } from "#core/hosting/bodies.ts";
import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import type { TradeReceipt } from "#core/hosting/receipt/receiptSchema.ts";
import {
  createPoolAtStart,
  type PoolAfterMark,
  recomputeMark,
} from "#core/hosting/receipt/recompute.ts";
import { checkTrade } from "#core/hosting/receipt/tradeReceipt.ts";
import { createState } from "#core/hosting/state.ts";
import { sumFillCosts } from "#core/market/fillCosts.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, rootFromInclusion } from "#core/transparency-log/merkle.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { toFillCostsView } from "#server/market/fillCostsView.ts";
import { createTestHosting, crossPlan, type TestHosting } from "#server/testing/hosting.ts";

let t: TestHosting;
let leaves: Uint8Array[];

beforeAll(async () => {
  t = await createTestHosting({ plans: [crossPlan] });
  t.source.script = (venue, secondMs) =>
    2_000_000n +
    BigInt((secondMs / 1_000) % 97) * 30n +
    (venue === 1 && secondMs % 60_000 === 30_000 ? 12_000n : 0n);
  const people = await Promise.all([1, 2, 3].map(() => t.openPerson()));
  for (let minute = 1; minute <= 40; minute += 1) {
    await t.tickTo(t.at(minute * 60 - 20));
    if (minute % 4 === 0) await t.subscribe(people[minute % 3]!, `${100 + minute}.5`);
    if (minute % 9 === 0) await t.redeem(people[(minute + 2) % 3]!, "20");
  }
  await t.tickTo(t.at(2_405));
  leaves = (await t.transparencyLog.leaves(0, await t.transparencyLog.count())).map(
    ({ bytes }) => bytes,
  );
});
afterAll(() => t.destroy());

const tag = worldTag("test-world");

function indexAt(leaf: number, symbol: MarketSymbol): bigint | null {
  const second = decodeSecond(leaves[leaf]!, tag);
  if (!second.ok) throw new Error(`leaf ${leaf} is not a second`);
  return second.value.index[symbolNames.indexOf(symbol)] ?? null;
}

/**
 * Walks the whole log as a verifier does; `change` may alter leaves on the way. Returns the marks
 * that agree, or the first mismatch.
 */
function runSteps(
  change: (books: BooksBody) => BooksBody = (books) => books,
): { marks: number; happenings: number } | string {
  let poolState: PoolAfterMark = createPoolAtStart(createState(crossPlan.seed), crossPlan.seed);
  let between: BooksBody[] = [];
  const counts = { marks: 0, happenings: 0 };
  for (const bytes of leaves) {
    const books = decodeHostingLeaf(bytes, "books", tag);
    if (books.ok) between.push(change(books.value as unknown as BooksBody));
    const mark = decodeHostingLeaf(bytes, "mark", tag);
    if (!mark.ok || mark.value.type !== "mark") continue;
    const body = mark.value as unknown as {
      at_ms: number;
      second_leaf: number;
      pools: PoolMarkBody[];
    };
    const { at_ms, second_leaf } = body;
    const result = recomputeMark(
      crossPlan.config,
      poolState,
      between,
      { ...body.pools[0]!, at_ms, second_leaf },
      indexAt,
    );
    if (!result.ok) return result.difference;
    poolState = result.left;
    counts.marks += 1;
    counts.happenings += between.length;
    between = [];
  }
  return counts;
}

describe("recomputing a pool from the log", () => {
  it("every mark is recomputed exactly", () => {
    const counts = runSteps();
    expect(counts).toMatchObject({ marks: 40 });
    expect((counts as { happenings: number }).happenings).toBeGreaterThan(20);
  });

  const firstFill = (change: (fill: BooksBody["fills"][number]) => BooksBody["fills"][number]) => {
    let isDone = false;
    return (books: BooksBody): BooksBody => {
      if (isDone || books.fills.length === 0) return books;
      isDone = true;
      return {
        ...books,
        fills: books.fills.map((fill, index) => (index === 0 ? change(fill) : fill)),
      };
    };
  };
  const cases: [string, (books: BooksBody) => BooksBody, string][] = [
    ["a fee that is too small", firstFill((fill) => ({ ...fill, fee: "0" })), "fill_differs"],
    [
      "a better fill",
      firstFill((fill) => ({ ...fill, quote: `${BigInt(fill.quote) - 1n}` })),
      "fill_differs",
    ],
    [
      "a falsified book",
      firstFill((fill) => ({
        ...fill,
        book: fill.book && { ...fill.book, asks: [["1000000", "100000000"]], bids: fill.book.bids },
      })),
      "fill_differs",
    ],
    [
      "a fill on the decision's own book",
      firstFill((fill) => ({ ...fill, book_ms: 0 })),
      "fill_differs",
    ],
    ["a fill without an order", firstFill((fill) => ({ ...fill, leg: 7 })), "order_unknown"],
    [
      "an invented index",
      (books) =>
        books.decision
          ? {
              ...books,
              decision: {
                ...books.decision,
                orders: books.decision.orders.map((order) => ({ ...order, base_worth: "1" })),
              },
            }
          : books,
      "decision_differs",
    ],
    [
      "money from nowhere",
      (books) => ({ ...books, arrived: books.arrived.map((body) => ({ ...body, amount: "1" })) }),
      "transfer_differs",
    ],
    ["an omitted fill", (books) => ({ ...books, fills: [] }), "decision_differs"],
  ];
  it.each(cases)("the log does not agree with %s", (_name, change, difference) => {
    expect(runSteps(change)).toBe(difference);
  });
});

describe("a trade's costs", () => {
  it("the receipt proves the server's figures, and they sum to slippage and fees", async () => {
    const world = decodeWorld(leaves[0]!);
    if (!world.ok) throw new Error(world.error);
    const byIndex = new Map(leaves.map((bytes, leaf) => [leaf, bytes]));
    const trades = await t.hosting.trades(crossPlan.id, { upTo: null, limit: 100, offset: 0 });
    const completeTrades = trades.filter(({ net }) => net !== null);
    expect(completeTrades.length).toBeGreaterThan(10);
    let delayed = 0;
    for (const { trade_id: id } of completeTrades) {
      const receipt = (await t.hosting.tradeReceipt(id)) as unknown as TradeReceipt;
      const { costs, ok } = checkTrade(receipt, world.value, byIndex);
      expect(ok).toBe(true);
      const { result } = receipt;
      expect(sumFillCosts(costs!)).toBe(BigInt(result.slippage) + BigInt(result.fees));
      expect(costs!.spread).toBeGreaterThan(0n);
      if (costs!.delay !== 0n) delayed += 1;
      const trade = await t.hosting.trade(id);
      expect(trade.costs).toEqual(toFillCostsView(costs!, "pUSDT"));
    }
    expect(delayed).toBeGreaterThan(0);
  });
});

describe("the receipt of an order", () => {
  it("an order's receipt leads to its binding leaf, its units and its money", async () => {
    const { rows } = await sql<{ user_id: string; id: string }>`
      select user_id, id from hosting_order where outcome = 'executed'`.execute(t.ctx.database.db);
    expect(rows.length).toBeGreaterThan(10);
    for (const { user_id: userId, id } of rows) {
      const receipt = (await t.hosting.orderReceipt(userId, id)) as unknown as ReceiptBody;
      const { order, result } = receipt;
      const bound = secondAt(receipt.bound_leaf);
      const hash = sha256(canonicalBytes(order as never));
      const path = receipt.orders_path.map((node) => hexToBytes(node));
      const root = rootFromInclusion(
        leafHash(hash),
        receipt.orders_index,
        receipt.orders_count,
        path,
      );
      expect([bound.ordersCount, bound.ordersRoot]).toEqual([receipt.orders_count, root]);
      const mark = bodyAt(receipt.mark_leaf) as unknown as {
        second_leaf: number;
        pools: PoolMarkBody[];
      };
      expect(mark.second_leaf).toBeGreaterThan(receipt.bound_leaf);
      const [pool] = mark.pools;
      const unit = 10n ** 10n;
      if (order.action === "subscribe") {
        expect(result.nav).toBe(pool!.entry_nav);
        expect(result.units).toBe(`${(BigInt(order.amount!) * unit) / BigInt(pool!.entry_nav)}`);
      } else {
        const worth = (BigInt(order.units!) * BigInt(pool!.nav)) / unit;
        const fee = (worth * 10n + 9_999n) / 10_000n;
        expect([result.amount, result.fee, result.payout]).toEqual([
          `${worth}`,
          `${fee}`,
          `${worth - fee}`,
        ]);
      }
    }
  });
});

interface ReceiptBody {
  order: { action: string; amount: string | null; units: string | null };
  orders_count: number;
  orders_index: number;
  orders_path: string[];
  bound_leaf: number;
  mark_leaf: number;
  result: Record<"nav" | "units" | "amount" | "fee" | "payout", string | null>;
}

function secondAt(leaf: number) {
  const second = decodeSecond(leaves[leaf]!, tag);
  if (!second.ok) throw new Error(second.error);
  return second.value;
}

function bodyAt(leaf: number) {
  const hostingLeaf = decodeHostingLeaf(leaves[leaf]!, "mark", tag);
  if (!hostingLeaf.ok) throw new Error(hostingLeaf.error);
  return hostingLeaf.value;
}
