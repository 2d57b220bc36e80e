import { type AnswerOf, type Call, changesSomething, type InputOf } from "#api/call.ts";
import { isUuidV7 } from "#core/ledger/ids.ts";
import type { AuditEvent } from "#core/operator/auditEvents.ts";
import {
  decidePermission,
  type Permission,
  permissions,
  roles,
} from "#core/operator/permissions.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { mountCall } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface OperatorContext extends Context<Session> {
  operator: Operator & { permissions: readonly Permission[] };
  /**
   * Records an act. Written after the handler has succeeded and before the answer is sent: to the
   * audit and, if a person was touched, to that person's records.
   */
  audit: (event: AuditEvent) => void;
  /**
   * Writes the event immediately, before anything is read. Only for read-only calls: changing calls
   * have one transaction for everything.
   */
  auditBefore: (event: AuditEvent) => Promise<void>;
  /**
   * Marks the read as covered by an earlier event: a viewing is recorded when it is opened, and
   * each part of a person's pages when it is first opened, not with every page turned.
   */
  alreadyAudited: () => void;
  /** Runs once the changes are committed, before the answer; not when an answer is replayed. */
  afterCommit: (work: () => void) => void;
  /**
   * The transaction of a changing call: committed together with its audit events and its answer.
   * Read-only calls have no transaction.
   */
  readonly tx: Tx;
}

export type OperatorHandler<C extends Call, Prepared = undefined> = (
  input: InputOf<C>,
  context: OperatorContext & { readonly prepared: Prepared },
) => Promise<AnswerOf<C>> | AnswerOf<C>;

type OperatorRequestContext = Context<Session> & Pick<OperatorContext, "operator">;

interface HandlerOptions<C extends Call, Prepared> {
  /**
   * Runs before the transaction of a changing call, for what must stay although the call is
   * refused; the handler gets its result as `prepared`. Not run when an answer is replayed.
   */
  prepare: ((input: InputOf<C>, context: OperatorRequestContext) => Promise<Prepared>) | null;
  handler: OperatorHandler<C, Prepared>;
}

/**
 * Mounts a console call. Before the input is examined, it is refused unless the session belongs to
 * an operator (`operator.required`) whose role has the call's permission
 * (`operator.not_permitted`) and, if the call changes something under a permission, who has set up
 * a second factor (`operator.factor_required`) and is elevated where the permission requires it
 * (`operator.raise_required`).
 *
 * A POST that changes something needs an `Idempotency-Key` and runs once; it must record what it
 * did, or it is rolled back and fails. The same goes for every call whose permission touches a
 * person, including reads (promise 8).
 */
export function operatorRoute<C extends Call>(
  app: App,
  call: C,
  handler: OperatorHandler<C>,
): void {
  preparedOperatorRoute<C, undefined>(app, call, { prepare: null, handler });
}

/** The same with a step before the transaction. */
export function preparedOperatorRoute<C extends Call, Prepared>(
  app: App,
  call: C,
  handling: HandlerOptions<C, Prepared>,
): void {
  if (call.access !== "operator") throw new Error(`${call.path} is not an operator call`);
  mountCall(app, call, {
    guard: (session) => requireOperator(app, call, session),
    handle: async (input, context, operator) => {
      const execution = getExecution(app, call, handling, input as InputOf<C>, {
        ...(context as Context<Session>),
        operator: { ...operator, permissions: roles[operator.role] },
      });
      return changesSomething(call) ? execution.change() : execution.read();
    },
  });
}

/**
 * The same for a call that answers a file: its audit events are written before the first byte is
 * sent.
 */
export function operatorFileRoute<C extends Call>(
  app: App,
  call: C,
  handler: (input: InputOf<C>, context: OperatorContext) => FileAnswer | Promise<FileAnswer>,
): void {
  if (!call.file) throw new Error(`${call.path} does not answer a file`);
  operatorRoute(app, call, ((input, context) => handler(input, context)) as OperatorHandler<C>);
}

async function requireOperator(app: App, call: Call, session: Session | null): Promise<Operator> {
  if (!session) throw new ApiError("session.required");
  const operator = await operatorDeps(app).find(session);
  if (!operator) throw new ApiError("operator.required");
  const { realClock } = app.platform.ctx;
  const { role, factorsReady, elevatedUntilMs } = operator;
  const request = { role, factorsReady, elevatedUntilMs, permission: call.permission ?? null };
  switch (
    decidePermission({ ...request, changes: changesSomething(call), nowMs: realClock.nowMs() })
  ) {
    case "not_permitted":
      throw new ApiError("operator.not_permitted");
    case "factor_required":
      throw new ApiError("operator.factor_required");
    case "raise_required":
      throw new ApiError("operator.raise_required");
    case "allowed":
      return operator;
  }
}

function operatorDeps(app: App) {
  const { operators } = app.platform;
  if (!operators) throw new Error("operator call mounted on a server without operators");
  return operators;
}

function getExecution<C extends Call, Prepared>(
  app: App,
  call: C,
  { handler, prepare }: HandlerOptions<C, Prepared>,
  input: InputOf<C>,
  requestContext: OperatorRequestContext,
) {
  let auditedBefore = 0;
  const afterCommit: (() => void)[] = [];
  let prepared = undefined as Prepared;
  const run = async (tx: Tx | null) => {
    const auditEvents: AuditEvent[] = [];
    let touchesPerson = false;
    const noteTouched = (event: AuditEvent) => {
      touchesPerson ||= event.touches !== undefined;
    };
    const answer = await handler(input, {
      ...requestContext,
      prepared,
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
        touchesPerson = true;
      },
      afterCommit: (work) => afterCommit.push(work),
      get tx(): Tx {
        if (!tx) throw new Error(`${call.path} is read-only`);
        return tx;
      },
    });
    await discardIfRefused(answer, () =>
      requireAudited(call, auditEvents.length + auditedBefore, touchesPerson),
    );
    return { answer, auditEvents };
  };
  return {
    read: async () => {
      const { answer, auditEvents } = await run(null);
      if (auditEvents.length > 0)
        await discardIfRefused(answer, () =>
          operatorDeps(app).write(requestContext.operator, auditEvents),
        );
      return answer;
    },
    change: async () => {
      const key = requestContext.idempotencyKey?.toLowerCase() ?? "";
      if (key === "") throw new ApiError("idempotency.key_missing");
      if (!isUuidV7(key)) throw new ApiError("idempotency.key_malformed");
      const request = { operator: requestContext.operator, key, path: call.path, input };
      const first = prepare && {
        prepare: async () => {
          prepared = await prepare(input, requestContext);
        },
      };
      const answer = await operatorDeps(app).once({ ...request, ...first }, run);
      for (const work of afterCommit) work();
      return answer;
    },
  };
}

/** Runs what may still refuse an answer; the file of one that is refused is closed. */
async function discardIfRefused(answer: unknown, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (answer instanceof FileAnswer) answer.discard();
    throw error;
  }
}

/** A handler that recorded no audit event is a programming error: its writes are rolled back. */
function requireAudited(call: Call, audited: number, hasTouched: boolean): void {
  if (changesSomething(call) && audited === 0)
    throw new Error(`${call.path} recorded no audit event`);
  if (call.permission && permissions[call.permission].touches && !hasTouched) {
    throw new Error(`${call.path} recorded no person it touched`);
  }
}
