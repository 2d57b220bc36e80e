import { expect, test } from "vitest";
import type { Order } from "#api/contracts.ts";
import type { HostingOrder } from "#api/hosting/order.ts";
import type { Lease } from "#api/mining.ts";
import type { Withdrawal } from "#api/withdraw.ts";
import { ownReceiptRows, type ReceiptSources } from "./ownReceiptRows.ts";

const order = (id: string, settledAtMs: number | null) =>
  ({
    order_id: id,
    symbol: "BTC/USDT",
    settled_at_ms: settledAtMs,
    net: "-101",
    coin: "pUSDT",
  }) as Order;
const withdrawal = (id: string | null, endedAtMs: number | null) =>
  ({
    ended_journal_id: id,
    ended_at_ms: endedAtMs,
    amount: "100",
    coin: "pUSDT",
  }) as Withdrawal;
const lease = (id: string, daysPaid: number, asOfMs: number) =>
  ({
    lease_id: id,
    model: "M60",
    days_paid: daysPaid,
    as_of_ms: asOfMs,
    mined: "0.0001",
    coin: "pBTC",
  }) as Lease;
const hosting = (id: string, outcome: HostingOrder["outcome"], markAtMs: number | null) =>
  ({
    order_id: id,
    action: "redeem",
    outcome,
    mark_at_ms: markAtMs,
    amount: "500",
    coin: "pUSDT",
  }) as HostingOrder;

const none: ReceiptSources = { orders: [], withdrawals: [], leases: [], hosting: [] };
const paths = (sources: Partial<ReceiptSources>) =>
  ownReceiptRows({ ...none, ...sources }).map(({ to }) => to);

test("receipts of all kinds are listed newest first", () => {
  expect(
    paths({
      orders: [order("o1", 10), order("o2", 40)],
      withdrawals: [withdrawal("w1", 30)],
      leases: [lease("l1", 1, 20)],
      hosting: [hosting("h1", "executed", 50)],
    }),
  ).toEqual([
    "/verify?hosting_order_id=h1",
    "/verify?order_id=o2",
    "/verify?journal_id=w1",
    "/verify?lease_id=l1",
    "/verify?order_id=o1",
  ]);
});

test("unfinished orders, withdrawals, leases and subscriptions have no receipt", () => {
  expect(
    paths({
      orders: [order("o1", null)],
      withdrawals: [withdrawal(null, null)],
      leases: [lease("l1", 0, 20)],
      hosting: [hosting("h1", "returned", null), hosting("h2", null, null)],
    }),
  ).toEqual([]);
});

test("at most six receipts are listed", () => {
  const orders = Array.from({ length: 9 }, (_, at) => order(`o${at}`, at));
  expect(paths({ orders })).toHaveLength(6);
});
