import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { privateKeyToAccount } from "viem/accounts";
import { dayMs } from "#core/money/time.ts";
import { codeBytes, hashCode, writeCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import type { SignInMessage } from "#core/session/message.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createOperators, type OperatorDeps } from "#server/operator/operator.ts";
import { operatorRoutes } from "#server/operator/routes.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import type { Session } from "#server/platform/http/session.ts";
import { newKey } from "#server/testing/client.ts";
import { createTestApp } from "#server/testing/http.ts";
import { giveTestPassphrase, testPassphrase } from "#server/testing/passphrase.ts";
import { signNonce } from "#server/testing/signNonce.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

const host = "localhost:4100";

export interface Person {
  userId: string;
  token: string;
  key: number;
}

interface Answer {
  status: number;
  code: 0 | 1;
  error?: string;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields of the call they made
  data: any;
}

/**
 * A server with the operator domain only; sessions are made by hand, signatures are real.
 * `hasSchedules`: another domain unschedules something when an operator ends. `mount`: routes of
 * another domain.
 */
export async function createOperatorWorld({
  hasSchedules = true,
  mount = () => {},
}: {
  hasSchedules?: boolean;
  mount?: (app: App, ctx: TestContext) => void;
} = {}) {
  const ctx = await createTestContext();
  const sessions = new Map<string, Session>();
  const notified: Parameters<OperatorDeps["records"]["recordAuditEvent"]>[0][] = [];
  let notifying = true;
  const { recoverMessageAddress } = await import("viem/utils");
  const session: OperatorDeps["session"] = {
    user: async (userId) => ({ address: buildAccount(keys.get(userId)!).address.toLowerCase() }),
    languageOf: async () => "en",
    prove: async ({ message, text, signature }, expected) => {
      if (message.domain !== expected.host)
        throw new ApiError("session.message_mismatch", { field: "domain" });
      const signer = await recoverMessageAddress({
        message: text,
        signature: signature as `0x${string}`,
      });
      if (signer.toLowerCase() !== expected.address) throw new ApiError("session.signature_wrong");
    },
  };
  const recordAuditEvent: OperatorDeps["records"]["recordAuditEvent"] = async (act) => {
    if (!notifying) throw new Error("records cannot be written");
    notified.push(act);
  };
  const endedRoles: { operatorId: string; by: string }[] = [];
  const deps: OperatorDeps = {
    session,
    records: { recordAuditEvent },
    contributions: {
      onOperatorEnded: [
        async (_tx, endedRole) => {
          endedRoles.push(endedRole);
          if (!hasSchedules) return [];
          const details = { kind: "news" };
          return [
            { what: "publishing.unscheduled", target: `of ${endedRole.operatorId}`, details },
          ];
        },
      ],
    },
  };
  const service = createOperators(ctx, deps);
  const app = await createTestApp(
    ctx,
    (app) => {
      operatorRoutes(app, ctx, service);
      mount(app, ctx);
    },
    async (token) => sessions.get(token) ?? null,
  );
  const keys = new Map<string, number>();

  const openSession = (userId: string, key: number): Person => {
    const token = randomBytes(16).toString("hex");
    const nowMs = ctx.realClock.nowMs();
    const expiresAtMs = nowMs + dayMs;
    sessions.set(token, { sessionId: token, userId, attemptId: `${userId}-attempt`, expiresAtMs });
    return {
      userId,
      token,
      key,
    };
  };
  const request = async (
    person: Person,
    method: "GET" | "POST",
    name: string,
    payload: object,
    { key, at = host }: { key?: string | undefined; at?: string | undefined } = {},
  ): Promise<Answer> => {
    ctx.realClock.advanceMs(40);
    const sentKey = key ?? newKey();
    const query = method === "GET" ? `?${new URLSearchParams(payload as never)}` : "";
    const answer = await app.inject({
      method,
      url: `/api/operator/${name}${query}`,
      headers: {
        host: at,
        token: person.token,
        ...(sentKey ? { "idempotency-key": sentKey } : {}),
      },
      ...(method === "POST" ? { payload } : {}),
    });
    const isJson = String(answer.headers["content-type"]).includes("json");
    const body = isJson ? answer.json() : { code: 1, msg: "", data: answer.body };
    return { status: answer.statusCode, ...body };
  };
  const world = {
    ctx,
    deps,
    service,
    app,
    /** Operators whose end other domains heard of. */
    ended: endedRoles,
    notified,
    newKey,
    failNotifying: (fails: boolean) => {
      notifying = !fails;
    },
    person: async (): Promise<Person> => {
      const key = keys.size + 1;
      const userId = `user-${randomBytes(8).toString("hex")}`;
      keys.set(userId, key);
      await sql`insert into user_account (user_id, created_at_ms) values (${userId}, 0)`.execute(
        ctx.owner.db,
      );
      await ctx.fieldEncryption.createKey(userId);
      return openSession(userId, key);
    },
    /** The same person in another browser. */
    again: (person: Person) => openSession(person.userId, person.key),
    post: (person: Person, name: string, payload: object, key?: string, host?: string) =>
      request(person, "POST", name, payload, { key, at: host }),
    get: (person: Person, name: string, payload: object = {}, host?: string) =>
      request(person, "GET", name, payload, { at: host }),
    /** A new operator: the first, or by a code from `owner`. */
    operator: async (role: Role, owner?: Person, hasFactor = true): Promise<Person> => {
      const person = await world.person();
      let code = await service.firstCode();
      if (owner) {
        code = writeCode(randomBytes(codeBytes));
        await world.raise(owner);
        const invitation = { code_hash: bytesToHex(hashCode(code)!), role };
        await world.post(owner, "inviteOperator", invitation);
      }
      const claimed = await world.post(person, "claim", { code, name: `The ${role}` });
      if (claimed.code !== 1) throw new Error(`claiming failed: ${claimed.error}`);
      if (hasFactor) await giveTestPassphrase(ctx, person.userId);
      return person;
    },
    /** A page's request to elevate a session, with overrides. */
    signedRaise: async (
      person: Person,
      { signer, ...change }: Partial<SignInMessage> & { signer?: number } = {},
    ) => {
      ctx.realClock.advanceMs(7_000);
      const { data } = await world.get(person, "getRaiseNonce", { chain_id: "1" });
      return signNonce(buildAccount(signer ?? person.key), data, {
        address: data.address,
        ...change,
      });
    },
    raise: async (
      person: Person,
      change: Partial<SignInMessage> & { signer?: number } = {},
    ): Promise<Answer> =>
      world.post(person, "raise", {
        ...(await world.signedRaise(person, change)),
        passphrase: testPassphrase,
      }),
    /** Operator ids by user id. */
    ids: async () => {
      const { rows } = await sql<{ operator_id: string; user_id: string }>`
        select operator_id, user_id from operator where ended_at_ms is null`.execute(ctx.owner.db);
      return new Map(rows.map((row) => [row.user_id, row.operator_id]));
    },
    close: async () => {
      await app.close();
      await ctx.destroy();
    },
  };
  return world;
}
export type OperatorWorld = Awaited<ReturnType<typeof createOperatorWorld>>;

function buildAccount(number: number) {
  return privateKeyToAccount(`0x${number.toString(16).padStart(64, "0")}`);
}
