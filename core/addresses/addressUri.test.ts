import { expect, test } from "vitest";
import { parseAddressUri, writeAddressUri } from "#core/addresses/addressUri.ts";

const address = "peth1wwwwwwwwwwwwwwwwwwwwwwwwwwwwww4p3xv";

test("parseAddressUri reads what writeAddressUri writes", () => {
  const uri = writeAddressUri(address, "pUSDC");
  expect(uri).toBe(`drydock-practice:${address}?coin=pUSDC&practice=1`);
  expect(parseAddressUri(uri)).toEqual({ address, coin: "pUSDC" });
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
  expect(parseAddressUri(text)).toEqual({ address: expected, coin });
});
