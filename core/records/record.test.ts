import { describe, expect, test } from "vitest";
import {
  addSixMonths,
  checkRange,
  getGroup,
  getPrefixes,
  recordGroups,
} from "#core/records/record.ts";

test.each([
  ["attempt.start", "attempt"],
  ["recharge.credit", "recharge"],
  ["withdraw.leave", "withdraw"],
  ["send.move", "transfer"],
  ["hosting.redeem", "hosting"],
  ["console.act", "console"],
  ["constructor.x", "other"],
  ["", "other"],
])("a journal of kind %s belongs to group %s", (kind, group) => {
  expect(getGroup(kind)).toBe(group);
});

test("every group has at least one kind", () => {
  expect(recordGroups.filter((group) => getPrefixes(group).length === 0)).toEqual([]);
});

describe("addSixMonths", () => {
  test.each([
    ["2026-01-15T10:00:00Z", "2026-07-15T10:00:00Z"],
    ["2026-08-31T23:59:59Z", "2027-02-28T23:59:59Z"],
    ["2027-08-31T00:00:00Z", "2028-02-29T00:00:00Z"],
    ["2026-03-31T12:00:00Z", "2026-09-30T12:00:00Z"],
  ])("six months after %s is %s", (from, to) => {
    expect(new Date(addSixMonths(Date.parse(from))).toISOString()).toBe(new Date(to).toISOString());
  });
  const from = Date.parse("2026-01-01T00:00:00Z");
  test.each([
    [undefined, undefined, "fine"],
    [from, undefined, "half"],
    [undefined, from, "half"],
    [from, from, "fine"],
    [from, from - 1, "backwards"],
    [from, Date.parse("2026-07-01T00:00:00Z"), "fine"],
    [from, Date.parse("2026-07-01T00:00:00.001Z"), "too_long"],
  ])("a range from %s to %s is %s", (fromMs, toMs, result) => {
    expect(checkRange(fromMs, toMs)).toBe(result);
  });
});
