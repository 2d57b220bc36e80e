import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { hash, id, nothing, timeMs } from "#api/shapes.ts";
import { inviteFates } from "#core/invites/rules.ts";
import { sessionEndings } from "#core/session/lifetime.ts";

/**
 * A 20-byte address in hex, in either case; the server verifies the EIP-55 checksum of mixed case.
 */
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));

/** A chain id as a decimal string, 1 to 2^53. */
export const chainId = z.string().check(z.regex(/^[1-9][0-9]{0,15}$/));

export const getNonce = defineCall({
  method: "GET",
  path: "/api/user/nonce",
  summary:
    "A nonce bound to address, chain id and this host, with every field of the EIP-4361 message to sign",
  access: "public",
  input: z.object({ address, chain_id: chainId }),
  answer: z.object({
    nonce: z.string(),
    domain: z.string(),
    uri: z.string(),
    statement: z.string(),
    issued_at: z.string(),
    expiration_time: z.string(),
    expires_at_ms: timeMs,
  }),
  errors: [],
});

export const createSession = defineCall({
  method: "POST",
  path: "/api/user/create",
  summary:
    "Registers an address or signs it in again; sets the cookie w1Token, and returns the session token to clients other than browsers",
  access: "public",
  input: z.object({
    address,
    type: z.string().check(z.maxLength(16)),
    message: z.string().check(z.maxLength(2000)),
    signature: z.string().check(z.maxLength(2000)),
    invite: z.optional(z.string().check(z.maxLength(20))),
  }),
  answer: z.object({
    /** For clients other than browsers, which have it in the cookie only. */
    token: z.optional(z.string()),
    user_id: id,
    /** True if this sign-in created the account. */
    created: z.boolean(),
    /** Fate of the invite code; only `kept` and `class` attribute the sign-up to it. */
    invite: z.enum(inviteFates),
    expires_at_ms: timeMs,
  }),
  errors: [
    "session.nonce_unknown",
    "session.nonce_expired",
    "session.nonce_used",
    "session.message_malformed",
    "session.message_mismatch",
    "session.signature_wrong",
    "session.contract_wallet",
    "session.type_unknown",
    "session.sign_up_closed",
    "session.too_many_sign_ups",
    "class.code_unknown",
    "class.code_over",
    "class.code_used",
  ],
});

const userInfo = z.object({
  user_id: id,
  /** The signing address in EIP-55 form. Displayed shortened, never as an address to send to. */
  address,
  attempt_id: id,
  attempt_number: z.int(),
  created_at_ms: timeMs,
  language: z.string(),
  terms: z.object({
    current_version: z.int(),
    accepted_version: z.nullable(z.int()),
    accepted_at_ms: z.nullable(timeMs),
  }),
  custom_service_url: z.nullable(z.string()),
  /**
   * Until when an operator views this person's pages with their code (real time); null if no one
   * does.
   */
  viewed_until_ms: z.nullable(timeMs),
  session: z.object({ session_id: id, expires_at_ms: timeMs }),
});
export type UserInfo = z.infer<typeof userInfo>;

export const getUserInfo = defineCall({
  method: "POST",
  path: "/api/user/userinfo",
  summary: "The signed-in user",
  access: "user",
  input: nothing,
  answer: userInfo,
  errors: ["session.required"],
});

export const getOwnerSalt = defineCall({
  method: "GET",
  path: "/api/user/getOwnerSalt",
  summary:
    "The secret salt that ties the user's accounts to their wallet in receipts (docs/rules/ledger.md)",
  access: "user",
  input: nothing,
  answer: z.object({ salt: hash }),
  errors: ["session.required", "server.unavailable"],
});

export const authorize = defineCall({
  method: "POST",
  path: "/api/user/authorize",
  summary: "Accepts one version of the practice terms, inside the app, without a wallet prompt",
  access: "user",
  input: z.object({ version: z.coerce.number().check(z.int()) }),
  answer: z.object({ version: z.int(), accepted_at_ms: timeMs }),
  errors: ["session.required", "terms.version_unknown"],
});

export const signOut = defineCall({
  method: "POST",
  path: "/api/user/signOut",
  summary: "Ends this session",
  access: "user",
  input: nothing,
  answer: nothing,
  errors: ["session.required"],
});

const session = z.object({
  session_id: id,
  current: z.boolean(),
  created_at_ms: timeMs,
  last_seen_at_ms: timeMs,
  expires_at_ms: timeMs,
  /** Browser and operating system in a few words, from the user agent; empty if unknown. */
  client: z.string(),
});

const endedSession = z.object({
  session_id: id,
  created_at_ms: timeMs,
  ended_at_ms: timeMs,
  why: z.enum(sessionEndings),
  client: z.string(),
});

export const listSessions = defineCall({
  method: "GET",
  path: "/api/user/getSessionList",
  summary: "The open sessions of this user, and those that ended within a day",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(session),
    /** Sessions that ended within a day, latest first. */
    ended: z.array(endedSession),
  }),
  errors: ["session.required"],
});

export const revokeSession = defineCall({
  method: "POST",
  path: "/api/user/revokeSession",
  summary: "Ends one of this user's sessions",
  access: "user",
  input: z.object({ session_id: id }),
  answer: nothing,
  errors: ["session.required", "session.unknown"],
});

export const revokeAllSessions = defineCall({
  method: "POST",
  path: "/api/user/revokeAllSessions",
  summary: "Ends every session of this user except the one that makes the call, or that one too",
  access: "user",
  input: z.object({ which: z.enum(["others", "all"]) }),
  answer: z.object({ ended: z.int() }),
  errors: ["session.required"],
});

const authorisation = z.object({
  authorisation_id: id,
  /** `sign_in`: a message signed with the wallet; `terms`: practice terms accepted in the app. */
  kind: z.enum(["sign_in", "terms"]),
  version: z.nullable(z.int()),
  /** SHA-256 of the text that was signed or accepted, in hex. */
  text_hash: z.string(),
  /** The text itself, in the language it was shown in. */
  text: z.string(),
  at_ms: timeMs,
  revoked_at_ms: z.nullable(timeMs),
});

export const listAuthorisations = defineCall({
  method: "GET",
  path: "/api/user/getAuthorisationList",
  summary: "What this user has signed and accepted",
  access: "user",
  input: nothing,
  answer: z.object({ items: z.array(authorisation) }),
  errors: ["session.required"],
});

export const revokeAuthorisation = defineCall({
  method: "POST",
  path: "/api/user/revokeAuthorisation",
  summary:
    "Revokes the acceptance of the practice terms, or ends the sessions that a sign-in opened",
  access: "user",
  input: z.object({ authorisation_id: id }),
  answer: nothing,
  errors: ["session.required", "terms.authorisation_unknown"],
});

export const calls = {
  getNonce,
  createSession,
  getUserInfo,
  getOwnerSalt,
  authorize,
  signOut,
  listSessions,
  revokeSession,
  revokeAllSessions,
  listAuthorisations,
  revokeAuthorisation,
};
