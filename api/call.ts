import type * as z from "zod/mini";
import type { ErrorName } from "#api/errors.ts";
import type { Permission } from "#core/operator/permissions.ts";

/** Who may make a call: anyone, a signed-in user, or a signed-in user who is an operator with the call's `permission`. */
export type Access = "public" | "user" | "operator";

/**
 * One call of the wire: the single definition from which the server's route, the typed client and OpenAPI come.
 *
 * `errors` are the stable names this call can be refused with, besides those every call can meet (`commonErrors`).
 * A `money` call, and an operator's call that changes something, takes an `Idempotency-Key` header (UUIDv7, see docs/rules/wire.md).
 */
export interface Call<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
> {
  readonly method: "GET" | "POST";
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Who;
  /** Of an operator call: what it needs. Without one any operator may make it, which only calls about oneself may allow. */
  readonly permission?: Permission;
  /** Of an operator's POST: false when it changes nothing (a preview), and so needs no key and no entry in the audit. */
  readonly changes?: boolean;
  readonly money?: boolean;
  /** Takes `multipart/form-data` with one file in this field of the input, of one of these types and at most so many bytes. */
  readonly upload?: { field: string; types: readonly string[]; maxBytes: number };
  /** Answers a file of one of these types instead of an envelope; refusals are envelopes still. */
  readonly file?: readonly string[];
  /** Query of a GET, body of a POST. Query values arrive as strings. */
  readonly input: Input;
  readonly answer: Answer;
  readonly errors: readonly ErrorName[];
}

export type InputOf<C> = C extends Call<infer Input, z.ZodMiniType> ? z.infer<Input> : never;
export type AnswerOf<C> = C extends Call<z.ZodMiniType, infer Answer> ? z.infer<Answer> : never;

/** Keeps the literal types of a definition. */
export function defineCall<
  Input extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  const Who extends Access,
>(call: Call<Input, Answer, Who>): Call<Input, Answer, Who> {
  return call;
}

/** Whether a call of an operator changes something: it takes an `Idempotency-Key`, and what it did is in the audit. */
export function changesSomething({ access, method, changes }: Call): boolean {
  return access === "operator" && method === "POST" && changes !== false;
}

/** Whether a call takes an `Idempotency-Key`. */
export function takesKey(call: Call): boolean {
  return call.money === true || changesSomething(call);
}
