import { describe, expect, test } from "vitest";
import { parseFilter, toRange } from "./filterQuery.ts";

describe("parseFilter", () => {
  test.each([
    ["", {}],
    ["coin=pBTC&group=exchange", { coin: "pBTC", group: "exchange" }],
    ["coin=BTC&group=other", {}],
    ["search=abc", {}],
    ["search= abcd ", { search: "abcd" }],
    ["attempt_id=a1&from=2026-01-01", { attempt_id: "a1" }],
  ])("%j", (query, filter) => {
    expect(parseFilter(new URLSearchParams(query))).toEqual(filter);
  });
});

describe("toRange", () => {
  test("a range includes both of its days", () => {
    expect(toRange("2026-01-05", "2026-01-06")).toEqual({
      ok: true,
      from_ms: new Date(2026, 0, 5).getTime(),
      to_ms: new Date(2026, 0, 7).getTime() - 1,
    });
  });
  test.each([
    ["2026-01-05", "", "both"],
    ["", "2026-01-05", "both"],
    ["x", "2026-01-05", "both"],
    ["2026-01-06", "2026-01-05", "range_backwards"],
    ["2026-01-01", "2026-07-01", "range_too_long"],
  ])("from %j to %j: %s", (from, to, problem) => {
    expect(toRange(from, to)).toEqual({ ok: false, error: problem });
  });
  test("a range may be six months", () => {
    expect(toRange("2026-01-01", "2026-06-30")).toMatchObject({ ok: true });
  });
});
