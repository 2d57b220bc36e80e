import { expect, test } from "vitest";
import { parseAddressUri, writeAddressUri } from "#core/addresses/addressUri.ts";

const address = "peth1wwwwwwwwwwwwwwwwwwwwwwwwwwwwwww4p3xv";

test.each([
  [null, ""],
  ["12.5", "&amount=12.5"],
])("parseAddressUri reads what writeAddressUri writes, amount %s", (amount, suffix) => {
  const uri = writeAddressUri(address, "pUSDC", amount);
  expect(uri).toBe(`drydock-practice:${address}?coin=pUSDC&practice=1${suffix}`);
  expect(parseAddressUri(uri)).toEqual({ address, coin: "pUSDC", amount });
});

test.each([
  ["an address", address, address, null],
  ["surrounding whitespace", ` ${address}\n`, address, null],
  ["groups of four", "peth1 wwww wwww", "peth1wwwwwwww", null],
  ["the scheme in capitals", `DRYDOCK-PRACTICE:${address}`, address, null],
  ["an unmarked coin is ignored", `drydock-practice:${address}?coin=USDT`, address, null],
  ["another scheme is returned unchanged", "ethereum:0x12", "ethereum:0x12", null],
  ["nothing", "  ", "", null],
])("%s", (_title, text, expected, coin) => {
  expect(parseAddressUri(text)).toEqual({ address: expected, coin, amount: null });
});

test.each([
  ["zero", "coin=pUSDT&amount=0"],
  ["more digits than the coin has", "coin=pUSDT&amount=0.1234567"],
  ["a malformed amount", "coin=pUSDT&amount=1.2.3"],
  ["a sign", "coin=pUSDT&amount=-1"],
  ["an amount without a coin", "amount=5"],
  ["an amount of an unmarked coin", "coin=USDT&amount=5"],
])("no amount is read from %s", (_title, query) => {
  expect(parseAddressUri(`drydock-practice:${address}?${query}`).amount).toBeNull();
});
