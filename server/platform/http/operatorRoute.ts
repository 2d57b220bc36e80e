import type { Readable } from "node:stream";
import { type AnswerOf, type Call, changesSomething, type InputOf } from "#api/call.ts";
import { isUuidV7 } from "#core/ledger/ids.ts";
import type { Act } from "#core/operator/auditEvents.ts";
import { decide, type Permission, permissions, roles } from "#core/operator/permissions.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { FileAnswer, mount } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface OperatorContext extends Context<Session> {
  operator: Operator & { permissions: readonly Permission[] };
  /**
   * Says what was done. Written when the handler has succeeded, before anything is answered: into the audit and, when a person was
   * touched, into that person's records.
   */
  act: (act: Act) => void;
  /** The same at once, before anything is read. Only of a call that changes nothing: one that does has its transaction for all of it. */
  actFirst: (act: Act) => Promise<void>;
  /**
   * What is read here is covered by an entry written before: a viewing is recorded when it is opened, and each part of a person's pages
   * when it is first opened, not with every page that is turned.
   */
  covered: () => void;
  /** Runs once what was done is committed, before the answer; not when a first answer is given again. */
  afterwards: (work: () => void) => void;
  /** Runs before the refusal is answered when the call, or what is written after it, failed and all of it is undone. */
  ifUndone: (work: () => Promise<void>) => void;
  /** The transaction of a call that changes something: committed together with its acts and its answer. A call that only reads has none. */
  readonly tx: Tx;
}

export type OperatorHandler<C extends Call> = (
  input: InputOf<C>,
  context: OperatorContext,
) => Promise<AnswerOf<C>> | AnswerOf<C>;

/**
 * Mounts a call of the console. Refused unless the session is an operator's (`operator.required`) whose role has the call's permission
 * (`operator.not_permitted`), raised where the permission says so and the call changes something (`operator.raise_required`): before the input is looked at.
 *
 * A POST that changes something takes an `Idempotency-Key` and is done once; it must say what it did, or it is undone and fails. So
 * must every call whose permission touches a person, reading included (promise 8).
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
      const work = workOf(app, call, handler, input as InputOf<C>, {
        ...(context as Context<Session>),
        operator: { ...operator, permissions: roles[operator.role] },
      });
      return changesSomething(call) ? work.change() : work.read();
    },
  });
}

/** The same for a call that answers a file: what the handler said it did is written before the first byte leaves. */
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
  if (!session) throw new Refusal("session.required");
  const operator = await door(app).find(session);
  if (!operator) throw new Refusal("operator.required");
  const { realClock } = app.platform.parts;
  const { role, raisedUntilMs } = operator;
  const asked = { role, raisedUntilMs, permission: call.permission ?? null };
  switch (decide({ ...asked, changes: changesSomething(call), nowMs: realClock.nowMs() })) {
    case "not_permitted":
      throw new Refusal("operator.not_permitted");
    case "raise_required":
      throw new Refusal("operator.raise_required");
    case "allowed":
      return operator;
  }
}

function door(app: App) {
  const { operators } = app.platform;
  if (!operators) throw new Error("an operator's call is mounted on a server without operators");
  return operators;
}

type Given = Context<Session> & Pick<OperatorContext, "operator">;

function workOf<C extends Call>(
  app: App,
  call: C,
  handler: OperatorHandler<C>,
  input: InputOf<C>,
  given: Given,
) {
  let said = 0;
  const later: (() => void)[] = [];
  const undone: (() => Promise<void>)[] = [];
  const run = async (tx: Tx | null) => {
    const acts: Act[] = [];
    let touched = false;
    const note = (act: Act) => {
      touched ||= act.touches !== undefined;
    };
    const answer = await handler(input, {
      ...given,
      act: (act) => {
        note(act);
        acts.push(act);
      },
      actFirst: async (act) => {
        note(act);
        await door(app).write(given.operator, [act]);
        said += 1;
      },
      covered: () => {
        touched = true;
      },
      afterwards: (work) => later.push(work),
      ifUndone: (work) => undone.push(work),
      get tx(): Tx {
        if (!tx) throw new Error(`${call.path} only reads`);
        return tx;
      },
    });
    requireSaid(call, acts.length + said, touched);
    return { answer, acts };
  };
  return {
    read: async () => {
      const { answer, acts } = await run(null);
      if (acts.length > 0) await door(app).write(given.operator, acts);
      return answer;
    },
    change: async () => {
      const key = given.idempotencyKey?.toLowerCase() ?? "";
      if (key === "") throw new Refusal("idempotency.key_missing");
      if (!isUuidV7(key)) throw new Refusal("idempotency.key_malformed");
      const ask = { operator: given.operator, key, path: call.path, input };
      const answer = await door(app)
        .once(ask, run)
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
function requireSaid(call: Call, said: number, touched: boolean): void {
  if (changesSomething(call) && said === 0) throw new Error(`${call.path} did not say what it did`);
  if (call.permission && permissions[call.permission].touches && !touched) {
    throw new Error(`${call.path} did not say whom it touched`);
  }
}
