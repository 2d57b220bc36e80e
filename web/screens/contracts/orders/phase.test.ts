import { describe, expect, it } from "vitest";
import type { Order } from "#api/contracts.ts";
import { getPhase } from "./phase.ts";

const order = {
  status: "waiting",
  window_seconds: 10,
  entry_at_ms: 100_000,
  delivery_at_ms: 160_000,
} as Order;

describe("getPhase", () => {
  it.each([
    [
      "an order without an entry is entering",
      { entry_at_ms: null, delivery_at_ms: null },
      150_000,
      { name: "entering" },
    ],
    ["an order before its window is running", {}, 120_000, { name: "running", toWindowMs: 30_000 }],
    [
      "an order is running until W seconds before delivery",
      {},
      149_999,
      { name: "running", toWindowMs: 1 },
    ],
    [
      "an order at the opening of its window is collecting with no second closed",
      {},
      150_000,
      { name: "collecting", closed: 0, of: 10, toDeliveryMs: 10_000 },
    ],
    [
      "the first second of the window counts as one",
      {},
      151_000,
      { name: "collecting", closed: 1, of: 10 },
    ],
    [
      "the delivery second is the last of the window",
      {},
      160_000,
      { name: "collecting", closed: 10, of: 10, toDeliveryMs: 0 },
    ],
    ["an order after delivery is settling", {}, 160_001, { name: "settling", of: 10 }],
    [
      "an order that the server reports as over is over at any time",
      { status: "over" },
      120_000,
      { name: "over" },
    ],
  ])("%s", (_, changes, nowMs, expected) => {
    expect(getPhase({ ...order, ...changes } as Order, nowMs, [])).toMatchObject(expected);
  });

  it("samples are exactly the seconds of the window", () => {
    const seconds = Array.from({ length: 100 }, (_, i) => ({
      ms: 90_000 + i * 1_000,
      price: String(i),
    }));
    const phase = getPhase(order, 165_000, seconds);
    expect(phase).toMatchObject({ name: "settling" });
    expect((phase as { samples: { ms: number }[] }).samples.map(({ ms }) => ms)).toEqual(
      Array.from({ length: 10 }, (_, i) => 151_000 + i * 1_000),
    );
  });
});
