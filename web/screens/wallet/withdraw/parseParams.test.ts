import { describe, expect, test } from "vitest";
import { encodeAddress } from "#core/addresses/address.ts";
import { parseDestination, parseWithdrawAmount } from "./parseParams.ts";

const unit = 1_000_000n;

describe("parseWithdrawAmount", () => {
  test.each<[string, string, bigint, bigint | null, unknown]>([
    [
      "a partial amount at the minimum is accepted",
      "20",
      100n * unit,
      20n * unit,
      { ok: true, amount: 20n * unit, fee: unit, leaves: 19n * unit },
    ],
    [
      "a partial amount below the minimum is refused",
      "19.99",
      100n * unit,
      20n * unit,
      { ok: false, error: "below" },
    ],
    [
      "the whole balance below the minimum is accepted",
      "5",
      5n * unit,
      20n * unit,
      { ok: true, amount: 5n * unit, fee: unit, leaves: 4n * unit },
    ],
    [
      "the whole balance below the fee is accepted",
      "0.5",
      unit / 2n,
      20n * unit,
      { ok: true, amount: unit / 2n, fee: 0n, leaves: unit / 2n },
    ],
    [
      "a partial amount without a minimum is accepted",
      "2",
      100n * unit,
      null,
      { ok: true, amount: 2n * unit, fee: unit, leaves: unit },
    ],
    [
      "more than is available is refused",
      "100.000001",
      100n * unit,
      20n * unit,
      { ok: false, error: "overdraft" },
    ],
    ["an empty amount is refused", "", 100n * unit, null, { ok: false, error: "empty" }],
    [
      "a trailing point is accepted",
      "20.",
      100n * unit,
      null,
      { ok: true, amount: 20n * unit, fee: unit, leaves: 19n * unit },
    ],
    ["zero", "0", 100n * unit, null, { ok: false, error: "empty" }],
  ])("%s", (_title, input, available, minimum, expected) => {
    expect(parseWithdrawAmount("pUSDT", input, available, minimum)).toEqual(expected);
  });
});

describe("parseDestination", () => {
  const ownAddress = encodeAddress("peth", new Uint8Array(20).fill(7));
  test.each<[string, string, unknown]>([
    [
      "a practice address with surrounding blanks is accepted",
      ` ${ownAddress}\n`,
      { ok: true, address: ownAddress, network: "peth" },
    ],
    [
      "another network is refused",
      encodeAddress("pbtc", new Uint8Array(20)),
      { ok: false, error: "wrongNetwork", network: "pbtc" },
    ],
    [
      "a real address is refused",
      `0x${"ab".repeat(20)}`,
      { ok: false, error: "real", chain: "Ethereum" },
    ],
    ["nothing", " ", { ok: false, error: "empty" }],
    ["a word is refused", "harbour", { ok: false, error: "malformed" }],
    [
      "a typo is refused",
      `${ownAddress.slice(0, -1)}${ownAddress.endsWith("q") ? "p" : "q"}`,
      { ok: false, error: "checksum" },
    ],
  ])("%s", (_title, input, expected) => {
    expect(parseDestination("pUSDT", input)).toEqual(expected);
  });
});
