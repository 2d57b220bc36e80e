import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { role } from "#api/operator/session.ts";
import { hash, id, nothing, timeMs } from "#api/shapes.ts";

const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;

/** The reason for an action; the affected person sees it in their records. */
export const why = z.string().check(z.minLength(1), z.maxLength(500));

const operator = z.object({
  operator_id: id,
  role,
  /** The name they chose; null if erased. */
  name: z.nullable(z.string()),
  since_ms: timeMs,
  /** False: they have set up no second factor, and can only read. */
  factors_ready: z.boolean(),
  me: z.boolean(),
});
export type OperatorView = z.infer<typeof operator>;

export const getOperators = defineCall({
  method: "GET",
  path: "/api/operator/getOperators",
  summary: "The operators of this instance, and the codes not used yet",
  access: "operator",
  permission: "audit.read",
  input: nothing,
  answer: z.object({
    items: z.array(operator),
    codes: z.array(z.object({ code_hash: hash, role, made_by: id, expires_at_ms: timeMs })),
  }),
  errors: [...commonErrors],
});

export const inviteOperator = defineCall({
  method: "POST",
  path: "/api/operator/inviteOperator",
  summary:
    "Stores the SHA-256 of a one-time code made in the owner's browser: whoever submits the code within 24 hours becomes an operator",
  access: "operator",
  permission: "operators.manage",
  input: z.object({ code_hash: hash, role }),
  answer: z.object({ expires_at_ms: timeMs }),
  errors: [...commonErrors, "operator.raise_required", "operator.too_many_codes"],
});

export const withdrawInvitation = defineCall({
  method: "POST",
  path: "/api/operator/withdrawInvitation",
  summary: "Revokes a code that has not been used yet",
  access: "operator",
  permission: "operators.manage",
  input: z.object({ code_hash: hash }),
  answer: nothing,
  errors: [...commonErrors, "operator.raise_required", "operator.code_unknown"],
});

export const setRole = defineCall({
  method: "POST",
  path: "/api/operator/setRole",
  summary: "Gives an operator another of the four roles; the person sees it in their records",
  access: "operator",
  permission: "operators.manage",
  input: z.object({ operator_id: id, role, why }),
  answer: nothing,
  errors: [...commonErrors, "operator.raise_required", "operator.unknown", "operator.last_owner"],
});

export const removeOperator = defineCall({
  method: "POST",
  path: "/api/operator/removeOperator",
  summary: "Ends an operator's permissions at once; the person sees it in their records",
  access: "operator",
  permission: "operators.manage",
  input: z.object({ operator_id: id, why }),
  answer: nothing,
  errors: [...commonErrors, "operator.raise_required", "operator.unknown", "operator.last_owner"],
});

export const calls = { getOperators, inviteOperator, withdrawInvitation, setRole, removeOperator };
