import { expect, test } from "vitest";
import { barFileExample, parseBarFileName } from "./fileName.ts";

test.each<[string, ReturnType<typeof parseBarFileName>]>([
  [barFileExample, { venue: "kraken", symbol: "BTC/USDT" }],
  ["my-venue2.1INCH-USDT.1m.csv", { venue: "my-venue2", symbol: "1INCH/USDT" }],
  ["kraken.btc-usdt.1m.csv", null],
  ["Kraken.BTC-USDT.1m.csv", null],
  ["kraken.BTCUSDT.1m.csv", null],
  ["kraken.BTC-USDT.5m.csv", null],
  ["kraken.BTC-USDT.1m.csv.gz", null],
  ["../kraken.BTC-USDT.1m.csv", null],
  ["network.csv", null],
])("%s is parsed as %o", (name, expected) => {
  expect(parseBarFileName(name)).toEqual(expected);
});
