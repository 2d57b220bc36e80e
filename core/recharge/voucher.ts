import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Coin, coinColumn, isCoin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import { isNetwork, type Network } from "#core/wallet/networks.ts";

/**
 * Specimen vouchers (docs/rules/wallet.md, "Recharge"): what the workshop draws, what its QR says,
 * and how that is read. A voucher is worth nothing and shows no payment; its id says which entry of
 * the server's list it stands for.
 */

/** What a specimen is drawn to teach. Only `good` is credited when the form repeats it. */
export const voucherKinds = [
  "good",
  "wrong_network",
  "already_used",
  "altered",
  "expired",
] as const;
export type VoucherKind = (typeof voucherKinds)[number];

/** The amounts a specimen can be drawn over, as decimals. */
export const voucherAmounts = coinColumn("voucherAmounts");

/** What a voucher says, in its print and in its QR. */
export interface VoucherClaims {
  /** Name of the world that issued it. */
  world: string;
  /** 24 hex digits, made by the server. */
  id: string;
  coin: Coin;
  network: Network;
  /** Minor units. */
  amount: bigint;
  /** World time. */
  expiresAtMs: number;
}

export interface ReadVoucher {
  claims: VoucherClaims;
  /** 32 hex digits, as written; whether they hold is `voucherMac`'s to say. */
  mac: string;
}

/**
 * The text that the issuer signs: practice mark and backing in words, the world, then the claims.
 */
function voucherSigned({ world, id, coin, network, amount, expiresAtMs }: VoucherClaims) {
  const decimal = formatDecimal(amount, scaleOf(coin));
  return `drydock.specimen/1 practice backing:none ${world} ${id} ${coin} ${network} ${decimal} ${expiresAtMs}`;
}

/**
 * The first 16 bytes of HMAC-SHA-256 over `voucherSigned`, in hex. `key`: 32 bytes that only the
 * server holds.
 */
export function voucherMac(key: Uint8Array, claims: VoucherClaims): string {
  return bytesToHex(hmac(sha256, key, utf8ToBytes(voucherSigned(claims))).slice(0, 16));
}

/** What the QR holds. */
export function voucherText(claims: VoucherClaims, mac: string): string {
  return `${voucherSigned(claims)} ${mac}`;
}

/** The form of a voucher's text; `readVoucherText` checks its values too. */
export const specimenForm =
  /^drydock\.specimen\/1 practice backing:none ([a-z0-9-]{1,40}) ([0-9a-f]{24}) (p[A-Z]{2,8}) ([a-z]{3,8}) ([0-9.]{1,24}) ([1-9][0-9]{0,14}) ([0-9a-f]{32})$/;

/** Reads the text of a QR; null for any other text, however alike. */
export function readVoucherText(text: string): ReadVoucher | null {
  const [, world = "", id = "", coin = "", network = "", decimal = "", expires = "", mac = ""] =
    specimenForm.exec(text) ?? [];
  if (!isCoin(coin) || !isNetwork(network)) return null;
  const amount = parseDecimal(decimal, scaleOf(coin));
  // One voucher has one text: "1" and "1.0" would be two.
  if (!amount.ok || formatDecimal(amount.value, scaleOf(coin)) !== decimal) return null;
  return {
    claims: {
      world,
      id,
      coin,
      network,
      amount: amount.value,
      expiresAtMs: Number(expires),
    },
    mac,
  };
}
