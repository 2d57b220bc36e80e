import { expect, test } from "vitest";
import { parseSpan } from "./span.ts";

const now = new Date(2026, 0, 5, 13, 30).getTime();
const midnight = (year: number, month: number, day: number) =>
  new Date(year, month - 1, day).getTime();
const parseQuery = (query: string) => parseSpan(new URLSearchParams(query), now);

test.each([
  ["today", "days=1", midnight(2026, 1, 5), "&from=2026-01-05&to=2026-01-05"],
  ["the last seven days", "days=7", midnight(2025, 12, 30), "&from=2025-12-30&to=2026-01-05"],
])("%s begins at midnight and ends with today", (_title, query, from, records) => {
  expect(parseQuery(query).bounds).toEqual({ from_ms: from, to_ms: midnight(2026, 1, 6) - 1 });
  expect(parseQuery(query).records).toBe(records);
});

test("custom days include the last one, and link to the records of the same days", () => {
  const span = parseQuery("do=results&from=2026-01-02&to=2026-01-03");
  expect(span).toMatchObject({ preset: null, problem: null });
  expect(span.bounds).toEqual({
    from_ms: midnight(2026, 1, 2),
    to_ms: midnight(2026, 1, 4) - 1,
  });
  expect(span.records).toBe("&from=2026-01-02&to=2026-01-03");
});

test.each(["", "days=all", "days=12"])("%s is all time", (query) => {
  expect(parseQuery(query)).toMatchObject({ preset: "all", bounds: {}, records: "" });
});

test.each([
  ["from=2026-01-03", "both"],
  ["from=2026-01-03&to=2026-01-02", "range_backwards"],
  ["from=2025-01-03&to=2026-01-02", "range_too_long"],
])("%s reports what is wrong and leaves the span unchanged", (query, problem) => {
  expect(parseQuery(query)).toMatchObject({ problem, bounds: {} });
});
