import type { AddressReading } from "#core/addresses/address.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** The ApiError that says why a text is not a practice address. */
export function apiErrorOfAddress({
  reason,
  chain,
}: Extract<AddressReading, { ok: false }>): ApiError {
  if (reason === "real_chain") return new ApiError("address.real_chain", { chain: chain ?? "" });
  if (reason === "checksum") return new ApiError("address.checksum");
  if (reason === "network_unknown") return new ApiError("address.network_unknown");
  return new ApiError("address.malformed");
}
