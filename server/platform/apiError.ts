import type { ErrorName } from "#api/errors.ts";

/**
 * A named refusal: thrown by a service, turned into `{code: 0, error, msg}` with the fitting status
 * by the http layer.
 * `data` carries what the sentence needs (amounts as decimal strings, times as milliseconds).
 */
export class ApiError extends Error {
  readonly error: ErrorName;
  readonly data: Record<string, string | number> | null;

  constructor(error: ErrorName, data: Record<string, string | number> | null = null) {
    super(error);
    this.name = "Refusal";
    this.error = error;
    this.data = data;
  }
}
