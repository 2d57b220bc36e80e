import type * as z from "zod/mini";
import type { ErrorName } from "#api/errors.ts";
import type { Permission } from "#core/operator/permissions.ts";

/**
 * The callers that a call admits: anyone, a signed-in user, or a signed-in user who is an operator
 * with the call's `permission`.
 */
export type Access = "public" | "user" | "operator";

/**
 * The parts of a call's definition that a client needs: its path and which headers it takes.
 * `api/routes` has one for each call, generated from its definition, so that browsers load no
 * schemas. `input` and `answer` exist for their types only.
 */
export interface Route<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
> {
  readonly method: "GET" | "POST";
  readonly path: `/api/${string}`;
  readonly access: Who;
  /**
   * Permission an operator call requires. Without one, any operator may make it; only calls about
   * the operator's own account may omit it.
   */
  readonly permission?: Permission;
  /**
   * For an operator's POST: false if it changes nothing (a preview), and so needs no idempotency
   * key and no audit event.
   */
  readonly changes?: boolean;
  readonly money?: boolean;
  /** Takes `multipart/form-data` with one file in this field of the input. */
  readonly upload?: { field: string };
  readonly input?: Input;
  readonly answer?: Answer;
}

/**
 * One call of the wire: the single definition from which the server's route, the typed client and
 * the OpenAPI document are derived.
 *
 * `errors` are the stable names of the errors this call can return, besides those that any call can
 * return (`commonErrors`). A `money` call, and an operator's call that changes something, takes an
 * `Idempotency-Key` header (UUIDv7, see docs/rules/wire.md).
 */
export interface Call<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
> extends Route<Input, Answer, Who> {
  readonly summary: string;
  /** The file must be of one of these types and have at most this many bytes. */
  readonly upload?: { field: string; types: readonly string[]; maxBytes: number };
  /** Answers a file of one of these types instead of an envelope; errors are still envelopes. */
  readonly file?: readonly string[];
  /** Query of a GET, body of a POST. Query values arrive as strings. */
  readonly input: Input;
  readonly answer: Answer;
  readonly errors: readonly ErrorName[];
}

export type InputOf<R> = R extends Route<infer Input, z.ZodMiniType> ? z.infer<Input> : never;
export type AnswerOf<R> = R extends Route<z.ZodMiniType, infer Answer> ? z.infer<Answer> : never;

/** The routes of one call, or of an object of calls (`publishing.news.save`). */
export type RoutesOf<T> =
  T extends Call<infer Input, infer Answer, infer Who>
    ? Route<Input, Answer, Who>
    : { readonly [Name in keyof T]: RoutesOf<T[Name]> };

/** Preserves the literal types of a definition. */
export function defineCall<
  Input extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  const Who extends Access,
>(call: Call<Input, Answer, Who>): Call<Input, Answer, Who> {
  return call;
}

/**
 * Returns true if an operator's call changes something: it then takes an `Idempotency-Key` and is
 * recorded in the audit.
 */
export function changesSomething({ access, method, changes }: Route): boolean {
  return access === "operator" && method === "POST" && changes !== false;
}

/** Returns true if a call takes an `Idempotency-Key`. */
export function requiresIdempotencyKey(call: Route): boolean {
  return call.money === true || changesSomething(call);
}
