import type { ErrorName } from "#api/errors.ts";

/**
 * A named error of the wire: thrown by a service, turned into `{code: 0, error, msg}` with the
 * matching status by the HTTP layer. `data` carries the values its sentence needs (amounts as
 * decimal strings, times as milliseconds).
 */
export class ApiError extends Error {
  readonly error: ErrorName;
  readonly data: Record<string, string | number> | null;

  constructor(error: ErrorName, data: Record<string, string | number> | null = null) {
    super(error);
    this.name = "ApiError";
    this.error = error;
    this.data = data;
  }
}
