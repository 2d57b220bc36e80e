import { sha256, toHex } from "./bytes.ts";
import { canonicalBytes } from "./canonical.ts";

type Members = Record<string, unknown>;

/** Every decimal in which a person may have written an amount of minor units. */
function listDecimals(minor: unknown, scale: number): string[] {
  if (typeof minor !== "string" || !/^(0|[1-9][0-9]{0,29})$/.test(minor)) return [];
  const digits = minor.padStart(scale + 1, "0");
  const integerPart = digits.slice(0, -scale);
  const fraction = digits.slice(-scale);
  const forms: string[] = [];
  for (let length = 0; length <= scale; length += 1) {
    if (!/^0*$/.test(fraction.slice(length))) continue;
    forms.push(length === 0 ? integerPart : `${integerPart}.${fraction.slice(0, length)}`);
  }
  return forms;
}

/** The requests that may have caused an order or lease: the path of the call, and the bodies. */
function listRequests(fields: Members): [call: string, inputs: Members[]] {
  const { contract_id, product_id, pool_id, direction, quantity, days, attempt_id } = fields;
  const { terms_hash, tier_seconds: tier } = fields;
  switch (fields.format) {
    case "drydock.contract.order/1":
      return [
        "/api/contract/contractPlaceOrder",
        listDecimals(fields.stake, 6).map((stake) => ({
          contract_id,
          direction,
          stake,
          tier,
          terms_hash,
        })),
      ];
    case "drydock.mining.lease/1":
      return ["/api/machine/leaseProduct", [{ product_id, quantity, days, terms_hash }]];
    case "drydock.hosting.order/1": {
      if (fields.action === "subscribe") {
        const amounts = listDecimals(fields.amount, 6);
        const inputs = amounts.map((amount) => ({ product_id: pool_id, amount, terms_hash }));
        return ["/api/pledge/trusteeshipProduct", inputs];
      }
      const inputs = ["all", ...listDecimals(fields.units, 8)].map((units) => ({
        product_id: pool_id,
        units,
      }));
      return [
        "/api/pledge/redeem",
        [...inputs, ...inputs.map((input) => ({ ...input, attempt_id }))],
      ];
    }
    default:
      return ["", []];
  }
}

/** Returns true if the acknowledged body is a request for this order or lease. */
export function isAskedFor(
  { world, body_hash: expected }: { world: string; body_hash: string },
  fields: Members,
): boolean {
  const [call, inputs] = listRequests(fields);
  return inputs.some((input) => {
    const body = { practice: true, backing: "none", world, call, input };
    return toHex(sha256(canonicalBytes(body))) === expected;
  });
}
