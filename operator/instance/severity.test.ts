import { describe, expect, test } from "vitest";
import {
  getDiskSeverity,
  getGapsSeverity,
  getLagSeverity,
  getLedgerSeverity,
  getVenueSeverity,
} from "./severity.ts";

test.each([
  [null, "bad"],
  [0, "good"],
  [-2_000, "good"],
  [-2_001, "bad"],
  [5_000, "good"],
  [5_001, "warning"],
  [10_001, "bad"],
])("a lag of %s ms is %s", (lag, severity) => expect(getLagSeverity(lag)).toBe(severity));

test.each([
  [0, "good"],
  [1, "warning"],
  [36, "bad"],
])("%d missing seconds of 3600 are %s", (missingSeconds, severity) =>
  expect(getGapsSeverity({ expected: 3_600, missing: missingSeconds })).toBe(severity));

test.each([
  [3, 3, "good"],
  [3, 1, "warning"],
  [3, 0, "bad"],
  [0, 0, "good"],
])("of %d listed symbols %d fresh is %s", (listedCount, freshCount, severity) =>
  expect(getVenueSeverity({ listed: listedCount, fresh: freshCount })).toBe(severity));

test.each([
  [null, null],
  [100, "good"],
  [9, "warning"],
  [4, "bad"],
])("%s of 100 bytes free is %s", (free, severity) => {
  const sizes = { database_bytes: 1, log_bytes: 0, ledger_bytes: 0, market_bytes: 0, before: null };
  expect(getDiskSeverity({ ...sizes, disk_free_bytes: free, disk_total_bytes: 100 })).toBe(
    severity,
  );
});

describe("ledgerSeverity", () => {
  const row = (total: string) => ({
    coin: "pUSDT" as const,
    accounts: 2,
    people: "1",
    house: "-1",
    total,
  });
  const audit = (count: number) => ({
    at_ms: 1,
    complete: true,
    entries: 1,
    took_ms: 1,
    findings: Array.from({ length: count }, () => ({ check: "trial_balance", detail: "x" })),
  });
  test.each<[string, string, ReturnType<typeof audit> | null, string]>([
    ["a balanced ledger is good", "0", audit(0), "good"],
    ["an unaudited ledger is a warning", "0", null, "warning"],
    ["a ledger that does not sum to zero is bad", "0.000001", audit(0), "bad"],
    ["a ledger that sums to less than zero is bad", "-5", null, "bad"],
    ["a ledger with a finding is bad", "0", audit(1), "bad"],
  ])("%s", (_title, total, last, severity) => {
    expect(getLedgerSeverity({ trial: [row(total)], audit: last, chain: null, house: [] })).toBe(
      severity,
    );
  });
});
