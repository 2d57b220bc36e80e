import { expect, test } from "vitest";
import type { Machine } from "#api/mining.ts";
import { type SortKey, sortMachines } from "./sortMachines.ts";

const machine = (model: string, net: string | null, price: string, joules: string) =>
  ({
    model,
    price_per_day: price,
    joules_per_th: joules,
    expected: net === null ? null : { payout: "0", worth: "0", net },
  }) as unknown as Machine;

const machines = [
  machine("dear", "-0.9", "12.5", "13.5"),
  machine("cheap", "-0.25", "2", "29.5"),
  machine("unpriced", null, "9.99", "15"),
  machine("best", "0.1", "10", "17.5"),
];

test.each<[SortKey, string[]]>([
  ["leaves", ["best", "cheap", "dear", "unpriced"]],
  ["price", ["cheap", "unpriced", "best", "dear"]],
  ["efficiency", ["dear", "unpriced", "best", "cheap"]],
])("machines sort by %s, best first and unknown last", (by, expected) => {
  expect(sortMachines(machines, by).map(({ model }) => model)).toEqual(expected);
});
