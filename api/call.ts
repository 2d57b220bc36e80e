import type * as z from "zod/mini";
import type { ErrorName } from "#api/errors.ts";
import type { Permission } from "#core/operator/permissions.ts";

/**
 * Who may make a call: anyone, a signed-in user, or a signed-in user who is an operator with the
 * call's `permission`.
 */
export type Access = "public" | "user" | "operator";

/**
 * What a client needs to make a call: where it goes and which headers it takes. `api/routes` has
 * one of these for each call, generated from its definition, so that a browser loads no schemas.
 * `input` and `answer` are there for their types alone.
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
   * Of an operator call: what it needs. Without one any operator may make it, which only calls
   * about oneself may allow.
   */
  readonly permission?: Permission;
  /**
   * Of an operator's POST: false when it changes nothing (a preview), and so needs no key and no
   * entry in the audit.
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
 * OpenAPI come.
 *
 * `errors` are the stable names this call can be refused with, besides those every call can meet
 * (`commonErrors`). A `money` call, and an operator's call that changes something, takes an
 * `Idempotency-Key` header (UUIDv7, see docs/rules/wire.md).
 */
export interface Call<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
> extends Route<Input, Answer, Who> {
  readonly summary: string;
  /** The file is of one of these types and has at most so many bytes. */
  readonly upload?: { field: string; types: readonly string[]; maxBytes: number };
  /** Answers a file of one of these types instead of an envelope; refusals are envelopes still. */
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

/** Keeps the literal types of a definition. */
export function defineCall<
  Input extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  const Who extends Access,
>(call: Call<Input, Answer, Who>): Call<Input, Answer, Who> {
  return call;
}

/**
 * Whether a call of an operator changes something: it takes an `Idempotency-Key`, and what it did
 * is in the audit.
 */
export function changesSomething({ access, method, changes }: Route): boolean {
  return access === "operator" && method === "POST" && changes !== false;
}

/** Whether a call takes an `Idempotency-Key`. */
export function requiresIdempotencyKey(call: Route): boolean {
  return call.money === true || changesSomething(call);
}
