import { randomBytes } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import type { Call } from "#api/call.ts";
import type { InviteFate } from "#core/invites/rules.ts";
import { codeBytes, hashCode, writeCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { giveTestPassphrase, testPassphrase } from "#server/testing/passphrase.ts";
import { type NonceFields, signNonce } from "#server/testing/signNonce.ts";
import type { TestContext } from "./testContext.ts";

export interface TestPerson {
  token: string;
  userId: string;
  key: number;
  /** The fate of the invite code. */
  invite: InviteFate;
}

const host = "localhost:4100";

/**
 * People of a whole world in a test: signed in with real signatures, operators among them, each
 * request as their browser would send it.
 */
export function createPeople(app: App, ctx: TestContext, firstCode: () => Promise<string | null>) {
  let count = 0;
  const request = async (
    { method, path }: Pick<Call, "method" | "path">,
    payload: string | Record<string, unknown> = {},
    token = "",
  ) => {
    // No faster than the rate limits allow.
    ctx.realClock.advanceMs(40);
    const headers = {
      host,
      "content-type": "application/json",
      "idempotency-key": newKey(),
      ...(token ? { token } : {}),
    };
    if (method === "POST") return app.inject({ method, url: path, headers, payload });
    const query = typeof payload === "string" ? payload : new URLSearchParams(payload as never);
    return app.inject({ method, url: `${path}?${query}`, headers });
  };
  const data = async (call: Pick<Call, "method" | "path">, payload: object, token = "") => {
    const answer = (await request(call, payload as Record<string, unknown>, token)).json();
    if (answer.code !== 1) throw new Error(`${call.path}: ${answer.error}`);
    return answer.data;
  };
  const createSignedRequest = async (person: number, fields: NonceFields) => {
    const account = privateKeyToAccount(`0x${person.toString(16).padStart(64, "0")}`);
    return signNonce(account, fields);
  };
  const signIn = async (key = ++count, invite?: string): Promise<TestPerson> => {
    ctx.realClock.advanceMs(7_000);
    const { address } = privateKeyToAccount(`0x${key.toString(16).padStart(64, "0")}`);
    const nonceCall = { method: "GET", path: "/api/user/nonce" } as const;
    const nonce = await data(nonceCall, { address, chain_id: "1" });
    const create = { method: "POST", path: "/api/user/create" } as const;
    const {
      token,
      user_id: userId,
      invite: fate,
    } = await data(create, {
      address,
      type: "erc",
      ...(await createSignedRequest(key, nonce)),
      ...(invite === undefined ? {} : { invite }),
    });
    const terms = await data({ method: "GET", path: "/api/index/getTerms" }, {}, token);
    const version = { version: terms.version };
    await data({ method: "POST", path: "/api/user/authorize" }, version, token);
    return { token, userId, key, invite: fate };
  };
  /** Signs the message that a page signs to elevate a session. */
  const signedRaise = async ({ key, token }: TestPerson) => {
    ctx.realClock.advanceMs(7_000);
    const nonceCall = { method: "GET", path: "/api/operator/getRaiseNonce" } as const;
    const nonce = await data(nonceCall, { chain_id: "1" }, token);
    return createSignedRequest(key, nonce);
  };
  const raise = async (person: TestPerson): Promise<void> => {
    const proof = { ...(await signedRaise(person)), passphrase: testPassphrase };
    await data({ method: "POST", path: "/api/operator/raise" }, proof, person.token);
  };
  /** The first operator, or one by a code from `owner`. */
  const operator = async (role: Role, owner?: TestPerson): Promise<TestPerson> => {
    const person = await signIn();
    let code = await firstCode();
    if (owner) {
      code = writeCode(randomBytes(codeBytes));
      await raise(owner);
      const invitation = { code_hash: bytesToHex(hashCode(code)!), role };
      const invite = { method: "POST", path: "/api/operator/inviteOperator" } as const;
      await data(invite, invitation, owner.token);
    }
    const claim = { method: "POST", path: "/api/operator/claim" } as const;
    await data(claim, { code, name: `The ${role}` }, person.token);
    await giveTestPassphrase(ctx, person.userId);
    return person;
  };
  return { ask: request, data, signIn, signedRaise, raise, operator };
}
export type People = ReturnType<typeof createPeople>;
