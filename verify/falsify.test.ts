import { describe, expect, test } from "vitest";
import { checkReceipt } from "./contracts/receipt.ts";
import type { Receipt } from "./contracts/receiptSchema.ts";
import { toHex } from "./log/bytes.ts";
import { parseCheckpoint } from "./log/note.ts";
import { entries, note, receipts, serveLog, wonReceipt } from "./servedLog.testdata.ts";
import { getDifference } from "./testing.ts";

/**
 * More than twenty ways to falsify a receipt, each refused with its own reason. The log is
 * that of the vectors.
 */
test("the served log has the vectors' root, and its receipts agree", async () => {
  const reader = await serveLog(entries);
  expect(toHex(reader.checkpoint.root)).toBe(toHex(parseCheckpoint(note).root));
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
    const reader = await serveLog(entries);
    const receipt = structuredClone(wonReceipt);
    change(receipt);
    expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
      difference,
    );
  });
});

test("a void order with another reason than the log's is refused", async () => {
  const reader = await serveLog(entries);
  const receipt = structuredClone(receipts.find(({ result }) => result.outcome === "void")!);
  receipt.result.void_reason = "few_samples";
  expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
    "outcome_differs",
  );
});

test("terms logged only after the order are refused", async () => {
  const reader = await serveLog([...entries, entries[wonReceipt.terms_leaf]!]);
  const receipt = { ...structuredClone(wonReceipt), terms_leaf: entries.length };
  expect(await getDifference(() => checkReceipt(receipt, (index) => reader.leaf(index)))).toBe(
    "terms_after_order",
  );
});
