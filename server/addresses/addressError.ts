import type { AddressResult } from "#core/addresses/address.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** The ApiError that says why a text is not a practice address. */
export function toAddressApiError({
  error,
  chain,
}: Extract<AddressResult, { ok: false }>): ApiError {
  if (error === "real_chain") return new ApiError("address.real_chain", { chain: chain ?? "" });
  if (error === "checksum") return new ApiError("address.checksum");
  if (error === "network_unknown") return new ApiError("address.network_unknown");
  return new ApiError("address.malformed");
}
