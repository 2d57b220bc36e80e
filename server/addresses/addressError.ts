import type { AddressReading } from "#core/addresses/address.ts";
import { Refusal } from "#server/platform/apiError.ts";

/** The Refusal that names what is wrong with a text that is no practice address. */
export function refusalOfAddress({
  reason,
  chain,
}: Extract<AddressReading, { ok: false }>): Refusal {
  if (reason === "real_chain") return new Refusal("address.real_chain", { chain: chain ?? "" });
  if (reason === "checksum") return new Refusal("address.checksum");
  if (reason === "network_unknown") return new Refusal("address.network_unknown");
  return new Refusal("address.malformed");
}
