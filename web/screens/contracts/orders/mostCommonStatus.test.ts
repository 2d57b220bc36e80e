import { expect, test } from "vitest";
import { mostCommonStatus, type Status } from "./mostCommonStatus.ts";

test.each<[string, Status[], Status]>([
  ["none at all", [], "waiting"],
  ["five over and none waiting", ["over", "over", "over", "over", "over"], "over"],
  ["one waiting and two over", ["waiting", "over", "over"], "over"],
  ["as many waiting as over", ["over", "waiting"], "waiting"],
  ["one being collected", ["closing"], "closing"],
])("%s", (_title, list, expected) => {
  expect(mostCommonStatus(list.map((status) => ({ status })))).toBe(expected);
});
