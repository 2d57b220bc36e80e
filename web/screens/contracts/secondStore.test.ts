import { expect, it } from "vitest";
import { createSecondStore } from "./secondStore.ts";

it("keeps the last 600 seconds of each symbol, oldest first", () => {
  const store = createSecondStore();
  for (let i = 1; i <= 700; i++)
    store.record(i * 1_000, { "BTC/USDT": String(i), "ETH/USDT": null });
  expect(store.of("BTC/USDT")).toHaveLength(600);
  expect(store.of("BTC/USDT").at(-1)).toEqual({ ms: 700_000, price: "700" });
  expect(store.of("ETH/USDT").at(0)).toEqual({ ms: 101_000, price: null });
  expect(store.of("XRP/USDT")).toEqual([]);
});

it("a second that came before is not taken twice", () => {
  const store = createSecondStore();
  store.record(2_000, { a: "1" });
  store.record(2_000, { a: "2" });
  store.record(1_000, { a: "3" });
  expect(store.of("a")).toEqual([{ ms: 2_000, price: "1" }]);
});
