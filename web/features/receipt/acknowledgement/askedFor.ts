import { placeOrder } from "#api/routes/contracts.ts";
import { redeem, trusteeshipProduct } from "#api/routes/hosting.ts";
import { leaseProduct } from "#api/routes/mining.ts";
import { hashBody } from "#core/ledger/ids.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Acknowledgement } from "#core/transparency-log/acknowledgement.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import { isInteger } from "#core/transparency-log/schema.ts";

type Input = Record<string, Canonical>;

const minor = isInteger(30);

/** Lists the ways to write an amount: with any number of trailing zeros. */
function spellings(amount: Canonical | undefined, scale: number): string[] {
  if (!minor(amount)) return [];
  const fullText = formatDecimal(BigInt(amount), scale, true);
  const shortest = formatDecimal(BigInt(amount), scale).length;
  const lengths = Array.from(
    { length: fullText.length - shortest + 1 },
    (_, index) => shortest + index,
  );
  return lengths.map((length) => fullText.slice(0, length)).filter((text) => !text.endsWith("."));
}

/** Returns the call behind an order or lease, and every input that asks for it. */
function getInputs(input: Input): { call: string; inputs: Input[] } | null {
  const { terms_hash } = input as { terms_hash: string };
  if (input.format === "drydock.contract.order/1") {
    const { contract_id, direction, tier_seconds: tier } = input as Record<string, string>;
    const identifying = { contract_id, direction, tier, terms_hash } as Input;
    const inputs = spellings(input.stake, 6).map((stake) => ({ ...identifying, stake }));
    return { call: placeOrder.path, inputs };
  }
  if (input.format === "drydock.mining.lease/1") {
    const { product_id, quantity, days } = input as Record<string, string>;
    return {
      call: leaseProduct.path,
      inputs: [{ product_id, quantity, days, terms_hash } as Input],
    };
  }
  if (input.format !== "drydock.hosting.order/1") return null;
  const { pool_id: product_id, attempt_id } = input as { pool_id: string; attempt_id: string };
  if (input.action === "subscribe") {
    const inputs = spellings(input.amount, 6).map((amount) => ({ product_id, amount, terms_hash }));
    return { call: trusteeshipProduct.path, inputs };
  }
  const inputs = [...spellings(input.units, 8), "all"].flatMap((units) => [
    { product_id, units },
    { product_id, units, attempt_id },
  ]);
  return { call: redeem.path, inputs };
}

/** Returns true if the acknowledged call, known by its body hash, asked for this order or lease. */
export function isAskedFor({ world, body_hash }: Acknowledgement, orderOrLease: Input): boolean {
  const request = getInputs(orderOrLease);
  return (
    request?.inputs.some(
      (input) => bytesToHex(hashBody(world, request.call, input)) === body_hash,
    ) === true
  );
}
