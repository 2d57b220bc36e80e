import { privateKeyToAccount } from "viem/accounts";
import { createSession, getNonce } from "#api/session.ts";
import { type SignInMessage, writeMessage } from "#core/session/message.ts";
import { mountUserInfo } from "#server/account/userInfo.ts";
import { createStream } from "#server/platform/http/stream.ts";
import { sessionRoutes } from "#server/session/routes.ts";
import { createSessions, type SessionDeps } from "#server/session/session.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext } from "#server/testing/testContext.ts";

/** A server with only the session domain, for its tests. */
export async function createSessionWorld(config: Parameters<typeof createTestContext>[0] = {}) {
  const ctx = await createTestContext(config);
  const openedAttempts: { userId: string; attemptId: string }[] = [];
  const deps: SessionDeps = {
    invites: {
      join: async (_tx, { code }) => (code === "HARBOUR7" ? "kept" : "unknown"),
      admits: async (_tx, code) => code === "CLASS",
      lateOutcome: async () => "not_new",
    },
    contributions: { onUserCreated: [async (owner) => void openedAttempts.push(owner)] },
  };
  const service = createSessions(ctx, deps, {
    version: 3,
    text: (language) => `Practice terms, version 3 (${language})`,
  });
  ctx.jobs.add(service.jobs);
  const app = await createTestApp(
    ctx,
    async (app) => {
      await createStream(app, ctx.bus);
      sessionRoutes(app, service);
      mountUserInfo(app, {
        session: service,
        publishing: { links: { isSupportUrl: async () => true } },
        people: { viewings: { until: async () => null } },
      });
    },
    service.resolve,
  );
  return {
    ctx,
    service,
    app,
    opened: openedAttempts,
    close: async () => {
      await app.close();
      await ctx.destroy();
    },
  };
}
export type SessionWorld = Awaited<ReturnType<typeof createSessionWorld>>;

export const testHost = "localhost:4100";

export function createTestAccount(number: number) {
  return privateKeyToAccount(`0x${number.toString(16).padStart(64, "0")}`);
}
export type Account = ReturnType<typeof createTestAccount>;

interface SessionAnswer {
  status: number;
  body: { code: 0 | 1; error?: string; msg: string; data: Record<string, never> };
  cookie: string | undefined;
  headers: Record<string, unknown>;
}

/** One request as a program would send it to `testHost`, from `remoteAddress`. */
export async function send(
  { app }: SessionWorld,
  call: { method: "GET" | "POST"; path: string },
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
  remoteAddress = "127.0.0.1",
): Promise<SessionAnswer> {
  const query = call.method === "GET" ? `?${new URLSearchParams(input as never)}` : "";
  const response = await app.inject({
    method: call.method,
    url: call.path + query,
    remoteAddress,
    headers: { host: testHost, ...headers },
    ...(call.method === "POST" ? { payload: input } : {}),
  });
  return {
    status: response.statusCode,
    body: response.json(),
    cookie: response.headers["set-cookie"] as string | undefined,
    headers: response.headers,
  };
}

/** Requests a nonce and returns the message that a page would have signed. */
export async function prepare(
  world: SessionWorld,
  signer: Account,
  headers: Record<string, string> = {},
): Promise<SignInMessage> {
  const { body } = await send(world, getNonce, { address: signer.address, chain_id: "1" }, headers);
  const data = body.data as unknown as Record<string, string>;
  return {
    scheme: null,
    domain: data.domain as string,
    address: signer.address,
    statement: data.statement as string,
    uri: data.uri as string,
    chainId: "1",
    nonce: data.nonce as string,
    issuedAt: data.issued_at as string,
    expirationTime: data.expiration_time as string,
    notBefore: null,
    requestId: null,
    resources: null,
  };
}

/** The input of `create` for a message, with a real signature. */
export async function signRequest(signer: Account, message: SignInMessage) {
  const text = writeMessage(message);
  return {
    address: signer.address as string,
    type: "erc",
    message: text,
    signature: (await signer.signMessage({ message: text })) as string,
  };
}

/** Signs in and returns the token. */
export async function signIn(
  world: SessionWorld,
  signer: Account,
  headers: Record<string, string> = {},
) {
  const request = await signRequest(signer, await prepare(world, signer, headers));
  const { body } = await send(world, createSession, request, headers);
  return body.data as unknown as { token: string; user_id: string; created: boolean };
}
