import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { why } from "#api/operator/operators.ts";
import { credentialBytes, passphrase } from "#api/operator/session.ts";
import { hash, id, nothing, timeMs } from "#api/shapes.ts";
import { nameMax } from "#core/operator/name.ts";

const commonErrors = ["session.required", "operator.required"] as const;

const securityKey = z.object({
  key_id: id,
  /** The name the operator gave it; null if erased. */
  name: z.nullable(z.string()),
  /** Host name of the console's address at which it works. */
  rp_id: z.string(),
  /** Base64url. */
  credential_id: z.string(),
  /** The transports that it reported at registration. */
  transports: z.array(z.string()),
  created_at_ms: timeMs,
  last_used_at_ms: z.nullable(timeMs),
});
export type SecurityKeyView = z.infer<typeof securityKey>;

export const getFactors = defineCall({
  method: "GET",
  path: "/api/operator/getFactors",
  summary: "The operator's own second factors, and what elevation takes besides the signature",
  access: "operator",
  input: nothing,
  answer: z.object({
    /** False: the operator can only read until a factor with a way back is set up. */
    ready: z.boolean(),
    /**
     * `factor`: one that is set up; `code`: the one-time code of a reset; `signature`: nothing more
     * than the signature, for setting up the first one.
     */
    needed: z.enum(["factor", "code", "signature"]),
    passphrase: z.nullable(z.object({ set_at_ms: timeMs })),
    keys: z.array(securityKey),
    /**
     * The relying party id that keys of this address are bound to; null where browsers allow none.
     */
    rp_id: z.nullable(z.string()),
  }),
  errors: [...commonErrors],
});

export const setPassphrase = defineCall({
  method: "POST",
  path: "/api/operator/setPassphrase",
  summary: "Sets or changes the operator's passphrase; needs elevation",
  access: "operator",
  input: z.object({ passphrase }),
  answer: nothing,
  errors: [
    ...commonErrors,
    "operator.raise_required",
    "operator.passphrase_length",
    "operator.passphrase_common",
  ],
});

export const removePassphrase = defineCall({
  method: "POST",
  path: "/api/operator/removePassphrase",
  summary: "Removes the operator's passphrase; needs elevation and two security keys",
  access: "operator",
  input: nothing,
  answer: nothing,
  errors: [...commonErrors, "operator.raise_required", "operator.last_factor"],
});

export const getKeyChallenge = defineCall({
  method: "GET",
  path: "/api/operator/getKeyChallenge",
  summary: "A challenge bound to this session, with the WebAuthn options for registering a key",
  access: "operator",
  input: nothing,
  answer: z.object({
    /** Base64url, valid once for five minutes. */
    challenge: z.string(),
    rp_id: z.string(),
    rp_name: z.string(),
    /** Base64url; says nothing about the person. */
    user_handle: z.string(),
    user_name: z.string(),
    /** COSE algorithm identifiers, preferred first. */
    algorithms: z.array(z.int()),
    /** Credentials registered here already, base64url. */
    exclude: z.array(z.string()),
  }),
  errors: [...commonErrors, "operator.no_keys_here", "operator.too_many_keys"],
});

export const addKey = defineCall({
  method: "POST",
  path: "/api/operator/addKey",
  summary: "Registers a security key with the authenticator's answer; needs elevation",
  access: "operator",
  input: z.object({
    name: z.string().check(z.minLength(1), z.maxLength(4 * nameMax)),
    credential_id: credentialBytes,
    client_data: credentialBytes,
    attestation: z.string().check(z.maxLength(20_000), z.regex(/^[\w-]+$/)),
    transports: z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10)),
  }),
  answer: z.object({ key_id: id }),
  errors: [
    ...commonErrors,
    "operator.raise_required",
    "operator.no_keys_here",
    "operator.too_many_keys",
    "operator.key_wrong",
    "operator.key_known",
  ],
});

export const removeKey = defineCall({
  method: "POST",
  path: "/api/operator/removeKey",
  summary: "Removes one of the operator's security keys; needs elevation",
  access: "operator",
  input: z.object({ key_id: id }),
  answer: nothing,
  errors: [
    ...commonErrors,
    "operator.raise_required",
    "operator.key_unknown",
    "operator.last_factor",
  ],
});

export const resetFactors = defineCall({
  method: "POST",
  path: "/api/operator/resetFactors",
  summary:
    "Removes another operator's second factors; setting up new ones takes the one-time code whose SHA-256 is sent. The person sees it in their records",
  access: "operator",
  permission: "operators.manage",
  input: z.object({ operator_id: id, code_hash: hash, why }),
  answer: z.object({ expires_at_ms: timeMs }),
  errors: [
    ...commonErrors,
    "operator.not_permitted",
    "operator.raise_required",
    "operator.unknown",
    "operator.reset_of_oneself",
  ],
});

export const calls = {
  getFactors,
  setPassphrase,
  removePassphrase,
  getKeyChallenge,
  addKey,
  removeKey,
  resetFactors,
};
