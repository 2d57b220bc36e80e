import { describe, expect, it } from "vitest";
import type { Order } from "#api/contracts.ts";
import { phaseOf, windowStartMs } from "./phase.ts";

const order = {
  status: "waiting",
  window_seconds: 10,
  entry_at_ms: 100_000,
  delivery_at_ms: 160_000,
} as Order;

describe("phaseOf", () => {
  it("the window's first second is so far before delivery that W seconds fit, the delivery second included", () => {
    expect(windowStartMs(order, 160_000)).toBe(151_000);
  });

  it.each([
    [
      "an order without an entry is entering",
      { entry_at_ms: null, delivery_at_ms: null },
      150_000,
      { name: "entering" },
    ],
    ["before the window it runs", {}, 120_000, { name: "running", toWindowMs: 31_000 }],
    [
      "the first second of the window counts as one",
      {},
      151_000,
      { name: "collecting", closed: 1, of: 10 },
    ],
    [
      "the delivery second is the last one",
      {},
      160_000,
      { name: "collecting", closed: 10, of: 10, toDeliveryMs: 0 },
    ],
    ["after delivery it is being settled", {}, 160_001, { name: "settling", of: 10 }],
    [
      "what the server calls over is over, whatever the clock",
      { status: "over" },
      120_000,
      { name: "over" },
    ],
  ])("%s", (_, changes, nowMs, expected) => {
    expect(phaseOf({ ...order, ...changes } as Order, nowMs, [])).toMatchObject(expected);
  });

  it("samples are the seconds of the window and no others", () => {
    const seconds = Array.from({ length: 100 }, (_, i) => ({
      ms: 90_000 + i * 1_000,
      price: String(i),
    }));
    const phase = phaseOf(order, 165_000, seconds);
    expect(phase).toMatchObject({ name: "settling" });
    expect((phase as { samples: { ms: number }[] }).samples.map(({ ms }) => ms)).toEqual(
      Array.from({ length: 10 }, (_, i) => 151_000 + i * 1_000),
    );
  });
});
