import { expect, test } from "vitest";
import type { WalletRecord } from "#api/records.ts";
import { pairWithdrawals } from "./pairWithdrawals.ts";

const record = (type: string, id: string, order: string | null = null): WalletRecord => ({
  journal_id: id,
  type,
  group: "withdraw",
  coin: "pUSDT",
  amount: "-10065",
  balance_after: "0",
  order_id: order,
  legs: [],
  facts: {},
  link: null,
  act: null,
  at_ms: 1,
  recorded_at_ms: 1,
});
const rows = (...records: WalletRecord[]) =>
  pairWithdrawals(records).map(({ record: { journal_id: id }, held }) => [
    id,
    held?.journal_id ?? null,
  ]);

test("a completed withdrawal is one row with its hold", () => {
  expect(
    rows(
      record("withdraw.leave", "b", "a"),
      record("exchange.execute", "x"),
      record("withdraw.place", "a", "a"),
    ),
  ).toEqual([
    ["b", "a"],
    ["x", null],
  ]);
});

test("a cancelled withdrawal is one row", () => {
  expect(rows(record("withdraw.cancel", "b", "a"), record("withdraw.place", "a", "a"))).toEqual([
    ["b", "a"],
  ]);
});

test("a pending withdrawal, and one whose hold is not loaded, have separate rows", () => {
  expect(rows(record("withdraw.place", "c", "c"), record("withdraw.leave", "b", "a"))).toEqual([
    ["c", null],
    ["b", null],
  ]);
});
