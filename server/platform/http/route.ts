import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access, AnswerOf, Call, InputOf } from "#api/call.ts";
import type { SignedAcknowledgement } from "#core/transparency-log/acknowledgement.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { getHost, getScheme } from "#server/platform/http/hosts.ts";
import type { MessageValues } from "#server/platform/http/language.ts";
import { getTimeLimit } from "#server/platform/http/limits/timeLimits.ts";
import type { Session } from "#server/platform/http/session.ts";

type SessionOf<C> = C extends { access: infer Who }
  ? Access extends Who
    ? Session | null
    : Who extends "user"
      ? Session
      : Session | null
  : never;

export type Handler<C extends Call> = (
  input: InputOf<C>,
  context: Context<SessionOf<C>>,
) => AnswerOf<C> | Promise<AnswerOf<C>>;

/**
 * Mounts one call of `api`: its input is validated against the schema (`request.malformed` names
 * the field), a `user` call needs a session (`session.required`), and what the handler returns
 * becomes `{code: 1, msg, data}`. A thrown ApiError becomes `{code: 0, error, msg}`. Operator calls
 * are mounted with `operatorRoute`.
 */
export function route<C extends Call>(app: App, call: C, handler: Handler<C>): void {
  mountHandler(app, call, handler);
}

/** Like `route`, for a call that answers a file. Operator calls: `operatorFileRoute`. */
export function fileRoute<C extends Call>(
  app: App,
  call: C,
  handler: (input: InputOf<C>, context: Context<SessionOf<C>>) => FileAnswer | Promise<FileAnswer>,
): void {
  if (!call.file) throw new Error(`${call.path} does not answer a file`);
  mountHandler(app, call, handler);
}

function mountHandler<C extends Call>(
  app: App,
  call: C,
  handler: (input: InputOf<C>, context: Context<SessionOf<C>>) => unknown,
): void {
  if (call.access === "operator") throw new Error(`${call.path} needs operatorRoute`);
  mountCall(app, call, {
    guard: async (session) => {
      if (call.access === "user" && !session) throw new ApiError("session.required");
    },
    handle: async (input, context) =>
      handler(input as InputOf<C>, context as Context<SessionOf<C>>),
  });
}

/**
 * Like `route`, for calls of signed-in people where the call is known only by its type parameter.
 */
export function userRoute<C extends Call>(
  app: App,
  call: C,
  handler: (input: InputOf<C>, context: Context<Session>) => AnswerOf<C> | Promise<AnswerOf<C>>,
): void {
  if (call.access !== "user") throw new Error(`${call.path} is not a call of signed-in people`);
  mountCall(app, call, {
    guard: async (session) => {
      if (!session) throw new ApiError("session.required");
      return session;
    },
    handle: async (input, context, session) =>
      handler(input as InputOf<C>, { ...context, session }),
  });
}

/**
 * How a call is mounted: `guard` rejects callers who may not make it before the input is examined,
 * and otherwise returns who they are.
 */
interface MountOptions<Who> {
  guard(session: Session | null): Promise<Who>;
  handle(input: unknown, context: Context, who: Who): Promise<unknown>;
}

export function mountCall<Who>(app: App, call: Call, mounting: MountOptions<Who>): void {
  app.route({
    method: call.method,
    url: call.path,
    handlerTimeout: getTimeLimit(call),
    handler: async (request, reply) => {
      const session = request.session ?? null;
      const caller = await mounting.guard(session);
      const input = readInput(call, request);
      let acknowledgement: SignedAcknowledgement | null = null;
      let message: { key: string; values: MessageValues | undefined } | null = null;
      const context: Context = {
        ...describe(request, app.platform.ctx.config.publicUrl),
        session,
        acknowledge: (signedAcknowledgement) => {
          acknowledgement = signedAcknowledgement;
        },
        message: (key, values) => {
          message = { key, values };
        },
        setCookie: (name, value, options) => setCookie(reply, name, value, options),
        clearCache: () => void reply.header("clear-site-data", '"cache"'),
      };
      const data = await mounting.handle(input, context, caller);
      if (data instanceof FileAnswer) return data.send(reply);
      const { key, values } = message ?? { key: null, values: undefined };
      const msg = key === null ? "" : app.platform.messages.format(request.language, key, values);
      return { code: 1, msg, data, ...(acknowledgement === null ? {} : { acknowledgement }) };
    },
  });
}

function readInput(call: Call, request: FastifyRequest): unknown {
  const input = call.method === "GET" ? request.query : (request.body ?? {});
  const unwritable = unwritableText(input);
  if (unwritable !== null) throw new ApiError("request.malformed", { field: unwritable || "body" });
  const result = call.input.safeParse(input);
  if (result.success) return result.data;
  throw new ApiError("request.malformed", {
    field: result.error.issues[0]?.path.join(".") || "body",
  });
}

/**
 * The path of the field in which an input contains text with no UTF-8 form (half of a surrogate
 * pair) or a NUL, which PostgreSQL cannot store; empty for the input itself, null if all text is
 * fine. Neither is meaningful in any of our fields.
 */
function unwritableText(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0") ? null : "";
  if (typeof value !== "object" || value === null) return null;
  // None of our inputs is nested that deep.
  if (depth > 8) return "";
  for (const [name, inner] of Object.entries(value)) {
    const path = unwritableText(inner, depth + 1);
    if (path !== null) return path === "" ? name : `${name}.${path}`;
  }
  return null;
}

function describe(request: FastifyRequest, publicUrl: URL | null) {
  const host = getHost(request);
  const key = request.headers["idempotency-key"];
  return {
    requestId: request.id,
    language: request.language,
    ip: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    fromBrowser: isFromBrowser(request),
    host,
    protocol: getScheme({ host, protocol: request.protocol }, publicUrl),
    idempotencyKey: typeof key === "string" ? key : null,
  };
}

/**
 * Browsers send `Origin` with every POST, and `Sec-Fetch-Site` to https and to this machine. Of the
 * headers named `Sec-Fetch-`, that is the one which programs do not send (Node's fetch sends
 * `Sec-Fetch-Mode`).
 */
function isFromBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

function setCookie(
  reply: FastifyReply,
  name: string,
  value: string | null,
  options: Parameters<Context["setCookie"]>[2],
): void {
  if (value === null) void reply.clearCookie(name, options);
  else void reply.setCookie(name, value, options);
}
