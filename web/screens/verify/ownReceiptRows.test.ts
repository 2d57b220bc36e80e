import { expect, test } from "vitest";
import type { Order } from "#api/contracts.ts";
import type { HostingOrder } from "#api/hosting/order.ts";
import type { Lease } from "#api/mining.ts";
import type { Withdrawal } from "#api/withdraw.ts";
import { listOwnReceiptRows, type ReceiptSources } from "./ownReceiptRows.ts";

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
const lease = (id: string, daysPaid: number, acceptedAtMs: number) =>
  ({
    lease_id: id,
    model: "M60",
    days_paid: daysPaid,
    accepted_at_ms: acceptedAtMs,
    mined: "0.0001",
    coin: "pUSDT",
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
  listOwnReceiptRows({ ...none, ...sources }).map(({ to }) => to);

test("receipts of all kinds are listed newest first", () => {
  expect(
    paths({
      orders: [order("o1", 10), order("o2", 40)],
      withdrawals: [withdrawal("w1", 30)],
      leases: [lease("l1", 0, 20)],
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

test("a lease has a receipt from its start, and one that includes mined amounts after its first day", () => {
  const acceptedAtMs = Date.UTC(2026, 0, 1, 12);
  const leases = [lease("new", 0, acceptedAtMs), lease("old", 2, acceptedAtMs)];
  expect(listOwnReceiptRows({ ...none, leases })).toEqual([
    {
      to: "/verify?lease_id=old",
      kind: "lease",
      subject: "M60",
      // The lease takes an hour to commission, then runs two days.
      atMs: Date.UTC(2026, 0, 3, 13),
      amount: { value: "0.0001", coin: "pBTC", signed: false },
    },
    {
      to: "/verify?lease_id=new",
      kind: "lease",
      subject: "M60",
      atMs: acceptedAtMs,
      amount: null,
    },
  ]);
});

test("unfinished orders, withdrawals and subscriptions have no receipt", () => {
  expect(
    paths({
      orders: [order("o1", null)],
      withdrawals: [withdrawal(null, null)],
      hosting: [hosting("h1", "returned", null), hosting("h2", null, null)],
    }),
  ).toEqual([]);
});

test("at most six receipts are listed", () => {
  const orders = Array.from({ length: 9 }, (_, index) => order(`o${index}`, index));
  expect(paths({ orders })).toHaveLength(6);
});
