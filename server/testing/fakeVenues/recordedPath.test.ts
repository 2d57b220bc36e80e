import { expect, test } from "vitest";
import { createBarFile, createRecording } from "#server/market/replay/testing.ts";
import { startFakeVenues } from "./fakeVenues.ts";
import { createPath } from "./prices.ts";
import { createRecordedPath } from "./recordedPath.ts";

const files = {
  "bitstamp.BTC-USD.1m.csv": createBarFile(3, (minute) => `${30_000 + minute}.00`),
  "kraken.BTC-USD.1m.csv": createBarFile(3, (minute) =>
    minute === 0 ? null : `${40_000 + minute}.00`,
  ),
};

test("prices follow a recording from the first second with all prices, and its last prices remain", async () => {
  let nowMs = 5;
  const generatedPath = createPath(1);
  const path = createRecordedPath(await createRecording(files), generatedPath, () => nowMs);
  const prices = () => ["bitstamp", "kraken", "coinbase"].map((id) => path.priceOf("BTC/USD", id));
  expect(prices()).toEqual([30_001, 40_001, 30_001]);
  nowMs += 61_000;
  expect(prices()).toEqual([30_002, 40_002, 30_002]);
  nowMs += 3_600_000;
  expect(prices()).toEqual([30_002, 40_002, 30_002]);
  expect(path.priceOf("ETH/USDT", "kraken")).toBe(generatedPath.priceOf("ETH/USDT", "kraken"));
});

test("fake venues quote a recording's prices", async () => {
  const fakeVenues = await startFakeVenues(1, 0, await createRecording(files));
  const answer = await fetch(`${fakeVenues.url}/bitstamp/api/v2/order_book/btcusd/`);
  const { bids, asks } = (await answer.json()) as Record<"bids" | "asks", [[string, string]]>;
  expect([bids[0][0], asks[0][0]]).toEqual(["30000", "30002"]);
  await fakeVenues.stop();
});
