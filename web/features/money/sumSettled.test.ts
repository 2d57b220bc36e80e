import { expect, test } from "vitest";
import { sumSettled } from "./sumSettled.ts";

const order = (outcome: "won" | "lost" | "tie" | "void", net: string) => ({
  outcome,
  net,
  coin: "pUSDT" as const,
});

test("a win and a loss are reported as their sum", () => {
  expect(sumSettled([order("won", "89"), order("lost", "-101")])).toEqual({
    net: -12_000_000n,
    won: 1,
    lost: 1,
    other: 0,
  });
});

test("ties and void orders are counted separately", () => {
  expect(sumSettled([order("tie", "-1"), order("void", "0"), order("won", "89.5")])).toEqual({
    net: 88_500_000n,
    won: 1,
    lost: 0,
    other: 2,
  });
});
