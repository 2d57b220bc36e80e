import type { Readable } from "node:stream";
import { type AnswerOf, type Call, changesSomething, type InputOf } from "#api/call.ts";
import { isUuidV7 } from "#core/ledger/ids.ts";
import type { AuditEvent } from "#core/operator/auditEvents.ts";
import { decide, type Permission, permissions, roles } from "#core/operator/permissions.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { FileAnswer, mount } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface OperatorContext extends Context<Session> {
  operator: Operator & { permissions: readonly Permission[] };
  /**
   * Says what was done. Written when the handler has succeeded, before anything is answered: into
   * the audit and, when a person was touched, into that person's records.
   */
  audit: (event: AuditEvent) => void;
  /**
   * The same at once, before anything is read. Only of a call that changes nothing: one that does
   * has its transaction for all of it.
   */
  auditBefore: (event: AuditEvent) => Promise<void>;
  /**
   * What is read here is covered by an entry written before: a viewing is recorded when it is
   * opened, and each part of a person's pages when it is first opened, not with every page that is
   * turned.
   */
  alreadyAudited: () => void;
  /**
   * Runs once what was done is committed, before the answer; not when a first answer is given
   * again.
   */
  afterCommit: (work: () => void) => void;
  /**
   * Runs before the refusal is answered when the call, or what is written after it, failed and all
   * of it is undone.
   */
  ifUndone: (work: () => Promise<void>) => void;
  /**
   * The transaction of a call that changes something: committed together with its acts and its
   * answer. A call that only reads has none.
   */
  readonly tx: Tx;
}

export type OperatorHandler<C extends Call> = (
  input: InputOf<C>,
  context: OperatorContext,
) => Promise<AnswerOf<C>> | AnswerOf<C>;

/**
 * Mounts a call of the console. Refused unless the session is an operator's (`operator.required`)
 * whose role has the call's permission (`operator.not_permitted`), raised where the permission says
 * so and the call changes something (`operator.raise_required`): before the input is looked at.
 *
 * A POST that changes something takes an `Idempotency-Key` and is done once; it must say what it
 * did, or it is undone and fails. So must every call whose permission touches a person, reading
 * included (promise 8).
 */
export function operatorRoute<C extends Call>(
  app: App,
  call: C,
  handler: OperatorHandler<C>,
): void {
  if (call.access !== "operator") throw new Error(`${call.path} is no call of an operator`);
  mount(app, call, {
    guard: (session) => requireOperator(app, call, session),
    handle: async (input, context, operator) => {
      const execution = executionOf(app, call, handler, input as InputOf<C>, {
        ...(context as Context<Session>),
        operator: { ...operator, permissions: roles[operator.role] },
      });
      return changesSomething(call) ? execution.change() : execution.read();
    },
  });
}

/**
 * The same for a call that answers a file: what the handler said it did is written before the first
 * byte leaves.
 */
export function operatorFileRoute<C extends Call>(
  app: App,
  call: C,
  handler: (
    input: InputOf<C>,
    context: OperatorContext,
  ) => { name: string; type: string; stream: Readable },
): void {
  if (!call.file) throw new Error(`${call.path} answers no file`);
  operatorRoute(app, call, ((input, context) => {
    const { name, type, stream } = handler(input, context);
    return new FileAnswer(name, type, stream);
  }) as OperatorHandler<C>);
}

async function requireOperator(app: App, call: Call, session: Session | null): Promise<Operator> {
  if (!session) throw new ApiError("session.required");
  const operator = await operatorDeps(app).find(session);
  if (!operator) throw new ApiError("operator.required");
  const { realClock } = app.platform.ctx;
  const { role, elevatedUntilMs } = operator;
  const request = { role, elevatedUntilMs, permission: call.permission ?? null };
  switch (decide({ ...request, changes: changesSomething(call), nowMs: realClock.nowMs() })) {
    case "not_permitted":
      throw new ApiError("operator.not_permitted");
    case "raise_required":
      throw new ApiError("operator.raise_required");
    case "allowed":
      return operator;
  }
}

function operatorDeps(app: App) {
  const { operators } = app.platform;
  if (!operators) throw new Error("an operator's call is mounted on a server without operators");
  return operators;
}

type OperatorRequestContext = Context<Session> & Pick<OperatorContext, "operator">;

function executionOf<C extends Call>(
  app: App,
  call: C,
  handler: OperatorHandler<C>,
  input: InputOf<C>,
  requestContext: OperatorRequestContext,
) {
  let auditedBefore = 0;
  const later: (() => void)[] = [];
  const undone: (() => Promise<void>)[] = [];
  const run = async (tx: Tx | null) => {
    const auditEvents: AuditEvent[] = [];
    let touched = false;
    const noteTouched = (event: AuditEvent) => {
      touched ||= event.touches !== undefined;
    };
    const answer = await handler(input, {
      ...requestContext,
      audit: (event) => {
        noteTouched(event);
        auditEvents.push(event);
      },
      auditBefore: async (event) => {
        noteTouched(event);
        await operatorDeps(app).write(requestContext.operator, [event]);
        auditedBefore += 1;
      },
      alreadyAudited: () => {
        touched = true;
      },
      afterCommit: (work) => later.push(work),
      ifUndone: (work) => undone.push(work),
      get tx(): Tx {
        if (!tx) throw new Error(`${call.path} only reads`);
        return tx;
      },
    });
    requireAudited(call, auditEvents.length + auditedBefore, touched);
    return { answer, auditEvents };
  };
  return {
    read: async () => {
      const { answer, auditEvents } = await run(null);
      if (auditEvents.length > 0)
        await operatorDeps(app).write(requestContext.operator, auditEvents);
      return answer;
    },
    change: async () => {
      const key = requestContext.idempotencyKey?.toLowerCase() ?? "";
      if (key === "") throw new ApiError("idempotency.key_missing");
      if (!isUuidV7(key)) throw new ApiError("idempotency.key_malformed");
      const request = { operator: requestContext.operator, key, path: call.path, input };
      const answer = await operatorDeps(app)
        .once(request, run)
        .catch(async (error: unknown) => {
          for (const work of undone) await work();
          throw error;
        });
      for (const work of later) work();
      return answer;
    },
  };
}

/** A handler that forgot to say what it did is a fault of ours: what it wrote is rolled back. */
function requireAudited(call: Call, audited: number, touched: boolean): void {
  if (changesSomething(call) && audited === 0)
    throw new Error(`${call.path} did not say what it did`);
  if (call.permission && permissions[call.permission].touches && !touched) {
    throw new Error(`${call.path} did not say whom it touched`);
  }
}
