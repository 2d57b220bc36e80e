import type { AnswerOf, Call, InputOf } from "#api/call.ts";
import { errors } from "#api/errors.ts";
import { bodyHashOf, isUuidV7, journalIdOfKey } from "#core/ledger/ids.ts";
import { sameBytes } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import type { Keys } from "#server/ledger/keys.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface MoneyHandlers<C extends Call> {
  /**
   * True when `run` changes nothing but by posting `id`: then a used key shows itself there, and is looked for only when `run` did
   * not succeed. Otherwise it is looked for first.
   */
  postsFirst?: boolean;
  /** Fields of the input that are no part of what is wanted (a PIN): left out of the body hash, so that a retry may change them. */
  unhashed?: readonly string[];
  /** The body's hash of what the domain took under `id` without posting it, as a request that is decided later; null: nothing. */
  taken?(id: string, context: Context<Session>): Promise<Uint8Array | null>;
  /** The answer of what was posted under `id` before; null when there is no such thing. */
  find(id: string, context: Context<Session>): Promise<AnswerOf<C> | null>;
  /** Does it: posts the journal `id` with `bodyHash`, or throws a Refusal and changes nothing. */
  run(
    input: InputOf<C>,
    id: string,
    bodyHash: Uint8Array,
    context: Context<Session>,
  ): Promise<AnswerOf<C>>;
}

/** Keys remembered as seen by this process; past it they are forgotten, which costs no more than the split of a batch. */
const answeredMax = 50_000;

/** What the route needs of the ledger. */
export interface MoneyLedger {
  keys: Keys;
  world: string;
}

/**
 * Mounts a call that moves money (docs/rules/wire.md, "Idempotency"): one key is one posting and one answer. The same key
 * and body gets the first answer again, be it a refusal; another body is refused; a refusal that says "try again" leaves
 * the key free. Two at once with one key share one run.
 * A refusal that depended on the accounts uses the key up: whoever saw it has gone on to something
 * else by the time the money has come.
 */
export function moneyRoute<C extends Call>(
  app: App,
  ledger: MoneyLedger,
  call: C,
  handlers: MoneyHandlers<C>,
): void {
  const running = new Map<string, { bodyHash: Uint8Array; answer: Promise<AnswerOf<C>> }>();
  // A key that comes again must not reach the ledger, where it would split the batch of everybody else.
  const answered = new Set<string>();
  route(app, call, (async (input: InputOf<C>, context: Context<Session>) => {
    const key = context.idempotencyKey;
    if (key === null || key === "") throw new Refusal("idempotency.key_missing");
    if (!isUuidV7(key.toLowerCase())) throw new Refusal("idempotency.key_malformed");
    const id = journalIdOfKey(context.session.userId, key.toLowerCase());
    const bodyHash = bodyHashOf(ledger.world, call.path, bodyOf(input, handlers.unhashed));
    const other = running.get(id);
    if (other) {
      if (!sameBytes(other.bodyHash, bodyHash)) throw new Refusal("idempotency.body_changed");
      return other.answer;
    }
    const lookFirst = handlers.postsFirst !== true || answered.has(id);
    if (answered.size >= answeredMax) answered.clear();
    answered.add(id);
    const answer = answerOnce(ledger.keys, handlers, { input, id, bodyHash, context, lookFirst });
    running.set(id, { bodyHash, answer });
    try {
      return await answer;
    } finally {
      running.delete(id);
    }
    // biome-ignore lint/suspicious/noExplicitAny: money calls are user calls, which the type of a general call cannot say
  }) as any);
}

interface Asked<C extends Call> {
  input: InputOf<C>;
  id: string;
  bodyHash: Uint8Array;
  context: Context<Session>;
  lookFirst: boolean;
}

async function answerOnce<C extends Call>(
  keys: Keys,
  handlers: MoneyHandlers<C>,
  { input, id, bodyHash, context, lookFirst }: Asked<C>,
): Promise<AnswerOf<C>> {
  const findPosted = async () => {
    const found = await handlers.find(id, context);
    if (found === null) throw new Error(`journal ${id} is posted, and its domain does not know it`);
    return found;
  };
  const firstAnswer = async () => {
    const taken = (await handlers.taken?.(id, context)) ?? null;
    if (taken !== null) {
      if (!sameBytes(taken, bodyHash)) throw new Refusal("idempotency.body_changed");
      return findPosted();
    }
    const used = await keys.find(id);
    if (!used) return null;
    if (!sameBytes(used.bodyHash, bodyHash)) throw new Refusal("idempotency.body_changed");
    if (used.state === "refused") throw used.refusal;
    return findPosted();
  };
  const first = lookFirst ? await firstAnswer() : null;
  if (first !== null) return first;
  try {
    return await handlers.run(input, id, bodyHash, context);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // What was answered before counts, whatever would be said of it now.
    const before = lookFirst && !handlers.taken ? null : await firstAnswer();
    if (before !== null) return before;
    if (errors[error.error].retry) throw error;
    // Another process may have posted it between our look and our refusal.
    if (!(await keys.remember(id, bodyHash, error))) return findPosted();
    throw error;
  }
}

/** The checked input without what was left out, and without `unhashed` fields. */
function bodyOf(input: unknown, unhashed: readonly string[] = []): Canonical {
  try {
    const body = JSON.parse(JSON.stringify(input)) as { [key: string]: Canonical };
    for (const field of unhashed) delete body[field];
    return body;
  } catch {
    throw new Refusal("request.malformed", { field: "body" });
  }
}
