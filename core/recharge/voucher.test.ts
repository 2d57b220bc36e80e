import fc from "fast-check";
import { expect, test } from "vitest";
import { type Coin, coinCodes, coinScale } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import {
  computeVoucherMac,
  formatVoucherText,
  parseVoucherText,
  type VoucherClaims,
  voucherAmounts,
} from "#core/recharge/voucher.ts";
import { networkNames } from "#core/wallet/networks.ts";

const key = new Uint8Array(32).fill(7);
const claims: VoucherClaims = {
  world: "harbour",
  id: "0123456789abcdef01234567",
  coin: "pUSDT",
  network: "peth",
  amount: 100_000_000n,
  expiresAtMs: 1_767_571_200_000,
};
const text =
  "drydock.specimen/1 practice backing:none harbour 0123456789abcdef01234567 pUSDT peth 100 1767571200000 b61f86a0";

test("the voucher text carries the practice labels and the claims before its signature", () => {
  const mac = computeVoucherMac(key, claims);
  expect(mac).toMatch(/^[0-9a-f]{32}$/);
  expect(formatVoucherText(claims, mac)).toBe(`${text.slice(0, -8)}${mac}`);
});

test("every written voucher text parses back to its claims", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...coinCodes),
      fc.constantFrom(...networkNames),
      fc.bigInt({ min: 1n, max: 10n ** 17n }),
      fc.integer({ min: 1, max: 9e13 }),
      (coin, network, amount, expiresAtMs) => {
        const voucherClaims = { ...claims, coin, network, amount, expiresAtMs };
        const mac = computeVoucherMac(key, voucherClaims);
        expect(parseVoucherText(formatVoucherText(voucherClaims, mac))).toEqual({
          claims: voucherClaims,
          mac,
        });
      },
    ),
  );
});

const validText = formatVoucherText(claims, computeVoucherMac(key, claims));
test.each<[string, string]>([
  ["nothing", ""],
  ["an address", "https://example.org/pay"],
  ["a payment request", "bitcoin:bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh?amount=1"],
  ["a later version", validText.replace("/1 ", "/2 ")],
  ["a text without its practice label", validText.replace("practice ", "")],
  ["one that claims a backing", validText.replace("backing:none", "backing:full")],
  ["an unmarked coin", validText.replace("pUSDT", "USDT")],
  ["an unknown coin", validText.replace("pUSDT", "pDOGE")],
  ["an unknown network", validText.replace("peth", "pxyz")],
  ["a network by an inherited name", validText.replace("peth", "valueof")],
  ["a padded amount", validText.replace(" 100 ", " 100.0 ")],
  ["excess digits", validText.replace(" 100 ", " 0.0000001 ")],
  ["a short id", validText.replace("0123456789abcdef01234567", "0123456789abcdef")],
  ["a cut signature", validText.slice(0, -1)],
  ["a trailing space", `${validText} `],
  ["a trailing line break", `${validText}\n`],
  ["capitals in the signature", validText.slice(0, -32) + validText.slice(-32).toUpperCase()],
  ["full-width digits", validText.replace(" 100 ", " １００ ")],
])("%s is not a voucher", (_title, otherText) => {
  expect(parseVoucherText(otherText)).toBe(null);
});

test.each<[string, Partial<VoucherClaims>]>([
  ["world", { world: "class" }],
  ["id", { id: "0123456789abcdef01234568" }],
  ["coin", { coin: "pUSDC" }],
  ["network", { network: "ptron" }],
  ["amount", { amount: 1_000_000_000n }],
  ["expiry", { expiresAtMs: claims.expiresAtMs + 1 }],
])("the signature covers the %s", (_title, change) => {
  expect(computeVoucherMac(key, { ...claims, ...change })).not.toBe(computeVoucherMac(key, claims));
});

test("another key gives another signature", () => {
  expect(computeVoucherMac(new Uint8Array(32).fill(8), claims)).not.toBe(
    computeVoucherMac(key, claims),
  );
});

test.each(
  coinCodes.flatMap((coin) => voucherAmounts[coin].map((amount): [Coin, string] => [coin, amount])),
)("a tenth of the %s voucher amount %s is a valid amount too", (coin, amount) => {
  const result = parseDecimal(amount, coinScale(coin));
  expect(result.ok && result.value % 10n === 0n && result.value > 0n).toBe(true);
});
