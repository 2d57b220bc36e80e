import { type DecimalError, parseDecimal } from "#core/money/decimal.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** Parses user input as an integer at `scale`; throws the ApiError that names the fault. */
export function requireDecimal(text: string, scale: number): bigint {
  const result = parseDecimal(text, scale);
  if (!result.ok) throw toAmountError(result.error, scale);
  return result.value;
}

/** The ApiError for text that is not an amount at `scale`. */
export function toAmountError(error: DecimalError, scale: number): ApiError {
  switch (error) {
    case "excess_digits":
      return new ApiError("money.excess_digits", { digits: scale });
    case "too_large":
      return new ApiError("money.amount_too_large");
    case "malformed":
      return new ApiError("money.amount_malformed");
  }
}
