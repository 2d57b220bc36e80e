import type { AddressReading } from "#core/addresses/address.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** The Refusal that names what is wrong with a text that is no practice address. */
export function apiErrorOfAddress({
  reason,
  chain,
}: Extract<AddressReading, { ok: false }>): ApiError {
  if (reason === "real_chain") return new ApiError("address.real_chain", { chain: chain ?? "" });
  if (reason === "checksum") return new ApiError("address.checksum");
  if (reason === "network_unknown") return new ApiError("address.network_unknown");
  return new ApiError("address.malformed");
}
