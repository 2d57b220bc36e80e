import { expect, test } from "vitest";
import { findMostCommonStatus, type Status } from "./mostCommonStatus.ts";

test.each<[string, Status[], Status]>([
  ["no orders give waiting", [], "waiting"],
  ["five orders that are over yield `over`", ["over", "over", "over", "over", "over"], "over"],
  ["one waiting and two over give over", ["waiting", "over", "over"], "over"],
  ["as many waiting as over give waiting", ["over", "waiting"], "waiting"],
  ["a single closing order yields `closing`", ["closing"], "closing"],
])("%s", (_title, list, expected) => {
  expect(findMostCommonStatus(list.map((status) => ({ status })))).toBe(expected);
});
