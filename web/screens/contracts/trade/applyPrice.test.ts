import { expect, test } from "vitest";
import type { Contract } from "#api/contracts.ts";
import { applyPrice } from "./applyPrice.ts";

const contract = {
  price: "100.00",
  price_scale: 2,
  high_24h: "110.00",
  low_24h: "90.00",
} as Contract;

test.each([
  ["95.00", "110.00", "90.00"],
  ["89.99", "110.00", "89.99"],
  ["110.01", "110.01", "90.00"],
  [null, "110.00", "90.00"],
])("a pushed price of %s makes the day's high %s and its low %s", (price, high, low) => {
  const updated = applyPrice(contract, price);
  expect([updated.price, updated.high_24h, updated.low_24h]).toEqual([price, high, low]);
});
