import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { chainId } from "#api/session.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { nameMax } from "#core/operator/name.ts";
import {
  type Permission,
  permissionNames,
  type Role,
  roleNames,
} from "#core/operator/permissions.ts";

export const role = z.enum(roleNames as [Role, ...Role[]]);
const permission = z.enum(permissionNames as [Permission, ...Permission[]]);

/** Read by `parsePassphrase`, which names a wrong length. Never stored, logged or answered. */
export const passphrase = z.string().check(z.minLength(1), z.maxLength(1000));

/** Base64url without padding, as WebAuthn returns bytes. */
export const credentialBytes = z.string().check(z.maxLength(4000), z.regex(/^[\w-]+$/));

const operatorMe = z.object({
  operator_id: id,
  role,
  /** The name they chose; null if erased. */
  name: z.nullable(z.string()),
  /** Drives the console's menu; the server checks permissions again on every call. */
  permissions: z.array(permission),
  raised_until_ms: z.nullable(timeMs),
  /** False: this operator can only read until a second factor is set up. */
  factors_ready: z.boolean(),
  now_ms: timeMs,
});
export type OperatorMe = z.infer<typeof operatorMe>;

export const getMe = defineCall({
  method: "GET",
  path: "/api/operator/getMe",
  summary: "Whether the signed-in user is an operator here, and with which role",
  access: "user",
  input: nothing,
  answer: z.object({ operator: z.nullable(operatorMe) }),
  errors: ["session.required"],
});

export const claim = defineCall({
  method: "POST",
  path: "/api/operator/claim",
  summary:
    "Becomes an operator with a one-time code: the one printed at start, or one from an owner. The same person may submit a used code again",
  access: "user",
  input: z.object({
    code: z.string().check(z.minLength(1), z.maxLength(60)),
    /** The name other operators see. */
    name: z.string().check(z.minLength(1), z.maxLength(4 * nameMax)),
  }),
  answer: z.object({ operator: operatorMe }),
  errors: ["session.required", "operator.code_unknown", "operator.already"],
});

export const getRaiseNonce = defineCall({
  method: "GET",
  path: "/api/operator/getRaiseNonce",
  summary:
    "A nonce bound to this session, with every field of the EIP-4361 message that elevates it",
  access: "operator",
  input: z.object({ chain_id: chainId }),
  answer: z.object({
    /** EIP-55. */
    address: z.string(),
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    statement: z.string(),
    issued_at: z.string(),
    expiration_time: z.string(),
    expires_at_ms: timeMs,
  }),
  errors: ["session.required", "operator.required"],
});

export const raise = defineCall({
  method: "POST",
  path: "/api/operator/raise",
  summary:
    "Elevates this session's permissions for ten minutes, with a newly signed message and a second factor (getFactors)",
  access: "operator",
  input: z.object({
    message: z.string().check(z.maxLength(2000)),
    signature: z.string().check(z.maxLength(2000)),
    passphrase: z.optional(passphrase),
    /** A WebAuthn assertion whose challenge is the message's nonce (16 bytes). */
    key: z.optional(
      z.object({
        credential_id: credentialBytes,
        client_data: credentialBytes,
        authenticator_data: credentialBytes,
        signature: credentialBytes,
      }),
    ),
    /** The one-time code of a reset, to set up new factors. */
    code: z.optional(z.string().check(z.maxLength(60))),
  }),
  answer: z.object({ raised_until_ms: timeMs }),
  errors: [
    "session.required",
    "operator.required",
    "session.nonce_unknown",
    "session.nonce_expired",
    "session.nonce_used",
    "session.message_malformed",
    "session.message_mismatch",
    "session.signature_wrong",
    "session.contract_wallet",
    "operator.proof_required",
    "operator.passphrase_wrong",
    "operator.passphrase_locked",
    "operator.key_wrong",
    "operator.code_unknown",
  ],
});

export const lower = defineCall({
  method: "POST",
  path: "/api/operator/lower",
  summary: "Ends the elevation early",
  access: "operator",
  input: nothing,
  answer: nothing,
  errors: ["session.required", "operator.required"],
});

export const leave = defineCall({
  method: "POST",
  path: "/api/operator/leave",
  summary: "Stops being an operator; the last owner cannot",
  access: "operator",
  input: nothing,
  answer: nothing,
  errors: ["session.required", "operator.required", "operator.last_owner"],
});

export const getPowers = defineCall({
  method: "GET",
  path: "/api/operator/getPowers",
  summary:
    "What operators of this instance may do, how many hold each role, and the head of the audit chain",
  access: "public",
  input: nothing,
  answer: z.object({
    permissions: z.array(
      z.object({
        name: permission,
        raised: z.boolean(),
        touches: z.boolean(),
        roles: z.array(role),
      }),
    ),
    operators: z.array(z.object({ role, count: z.int() })),
    /** How many acts there are, and the newest leaf of the audit chain in the log. */
    audit: z.object({ acts: z.int(), leaf: z.nullable(z.int()), head: z.string() }),
  }),
  errors: [],
});

export const calls = { getMe, claim, getRaiseNonce, raise, lower, leave, getPowers };
