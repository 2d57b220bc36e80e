import { expect, test } from "vitest";
import { formatResultsCsv, type Results } from "./csv.ts";

const sums = {
  orders: 3,
  won: 1,
  lost: 2,
  tied: 0,
  voided: 0,
  staked: "300",
  fees: "3",
  spread: "15",
  net: "-113",
  break_even_bp: 5316,
  luck_bp: null,
};
const results: Results = {
  orders: {
    total: sums,
    groups: [{ contract_id: "btc-usdt", symbol: "BTC/USDT", tier_seconds: 60, ...sums }],
    line: [],
    hours: [],
  },
  leases: [
    {
      lease_id: "one",
      model: 'S21 "Pro", 234T',
      quantity: 1,
      days: 30,
      days_paid: 2,
      from_ms: 0,
      to_ms: 86_400_000,
      paid: "120",
      mined: "0.0001",
      worth_then: "6",
      worth_now: null,
      break_even_then_ms: null,
      break_even_now_ms: 43_200_000,
    },
  ],
  pools: [],
};

test("every table has its own heading, and the total follows the groups", () => {
  const lines = formatResultsCsv(results).split("\r\n");
  expect(lines[0]).toBe(
    "table,contract_id,symbol,tier_seconds,orders,won,lost,tied,voided,staked,fees,spread,net,break_even_bp,luck_bp",
  );
  expect(lines[1]).toBe("orders,btc-usdt,BTC/USDT,60,3,1,2,0,0,300,3,15,-113,5316,");
  expect(lines[2]).toBe("orders,,total,,3,1,2,0,0,300,3,15,-113,5316,");
  expect(lines[4]).toMatch(/^table,lease_id,model,/);
});

test("quotes and commas are escaped, times are in ISO 8601, and unknown values are empty", () => {
  const row = formatResultsCsv(results).split("\r\n")[5];
  expect(row).toBe(
    'leases,one,"S21 ""Pro"", 234T",1,30,2,120,0.0001,6,,1970-01-01T00:00:00.000Z,1970-01-02T00:00:00.000Z,,1970-01-01T12:00:00.000Z',
  );
});
