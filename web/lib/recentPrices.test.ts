import { expect, test, vi } from "vitest";
import { createRecentPrices, getPoints } from "#web/lib/recentPrices.ts";

const message = (second_ms: number, prices: Record<string, string | null>) =>
  ({ topic: "prices", second_ms, leaf: second_ms / 1_000, prices }) as const;

test("the last 600 seconds of each symbol are kept, oldest first", () => {
  const { read, take } = createRecentPrices();
  for (let i = 1; i <= 700; i++) {
    take(message(i * 1_000, { "BTC/USDT": String(i), "ETH/USDT": null }));
  }
  expect(getPoints(read(), "BTC/USDT")).toHaveLength(600);
  expect(getPoints(read(), "BTC/USDT").at(-1)).toEqual({ ms: 700_000, price: "700" });
  expect(getPoints(read(), "ETH/USDT").at(0)).toEqual({ ms: 101_000, price: null });
  expect(getPoints(read(), "XRP/USDT")).toEqual([]);
});

test("a message that is not newer changes nothing and notifies no listener", () => {
  const { read, subscribe, take } = createRecentPrices();
  take(message(2_000, { a: "1" }));
  const onChange = vi.fn();
  subscribe(onChange);
  take(message(2_000, { a: "2" }));
  take(message(1_000, { a: "3" }));
  expect(getPoints(read(), "a")).toEqual([{ ms: 2_000, price: "1" }]);
  expect(read().last?.leaf).toBe(2);
  expect(onChange).not.toHaveBeenCalled();
});

test("a symbol missing from a message keeps its points array", () => {
  const { read, take } = createRecentPrices();
  take(message(1_000, { a: "1", b: "1" }));
  const before = getPoints(read(), "b");
  take(message(2_000, { a: "2" }));
  expect(getPoints(read(), "b")).toBe(before);
});
