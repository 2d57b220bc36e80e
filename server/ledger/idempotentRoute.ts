import type { AnswerOf, Call, InputOf } from "#api/call.ts";
import { errors } from "#api/errors.ts";
import { bodyHashOf, isUuidV7, journalIdOfKey } from "#core/ledger/ids.ts";
import { sameBytes } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import type { Keys } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import { userRoute } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface IdempotentHandlers<C extends Call> {
  /**
   * True when `run` changes nothing but by posting `id`: then a used key shows itself there, and is
   * looked for only when `run` did not succeed. Otherwise it is looked for first.
   */
  optimistic?: boolean;
  /**
   * Fields of the input that are no part of what is wanted (a PIN): left out of the body hash, so
   * that a retry may change them.
   */
  excludeFromHash?: readonly string[];
  /**
   * The body's hash of what the domain took under `id` without posting it, as a request that is
   * decided later; null: nothing.
   */
  findPending?(id: string, context: Context<Session>): Promise<Uint8Array | null>;
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

/**
 * Keys remembered as seen by this process; past it they are forgotten, which costs no more than the
 * split of a batch.
 */
const seenKeysMax = 50_000;

/** What the route needs of the ledger. */
export interface IdempotencyLedger {
  keys: Keys;
  world: string;
}

/**
 * Mounts a call that moves money (docs/rules/wire.md, "Idempotency"): one key is one posting and
 * one answer. The same key and body gets the first answer again, be it a refusal; another body is
 * refused; a refusal that says "try again" leaves the key free. Two at once with one key share one
 * run.
 * A refusal that depended on the accounts uses the key up: whoever saw it has gone on to something
 * else by the time the money has come.
 */
export function idempotentRoute<C extends Call>(
  app: App,
  ledger: IdempotencyLedger,
  call: C,
  handlers: IdempotentHandlers<C>,
): void {
  const running = new Map<string, { bodyHash: Uint8Array; answer: Promise<AnswerOf<C>> }>();
  // A key that comes again must not reach the ledger, where it would split the batch of everybody
  // else.
  const seenKeys = new Set<string>();
  userRoute(app, call, async (input, context) => {
    const key = context.idempotencyKey;
    if (key === null || key === "") throw new ApiError("idempotency.key_missing");
    if (!isUuidV7(key.toLowerCase())) throw new ApiError("idempotency.key_malformed");
    const id = journalIdOfKey(context.session.userId, key.toLowerCase());
    const bodyHash = bodyHashOf(ledger.world, call.path, bodyOf(input, handlers.excludeFromHash));
    const other = running.get(id);
    if (other) {
      if (!sameBytes(other.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");
      return other.answer;
    }
    const lookFirst = handlers.optimistic !== true || seenKeys.has(id);
    if (seenKeys.size >= seenKeysMax) seenKeys.clear();
    seenKeys.add(id);
    const answer = runOnce(ledger.keys, handlers, { input, id, bodyHash, context, lookFirst });
    running.set(id, { bodyHash, answer });
    try {
      return await answer;
    } finally {
      running.delete(id);
    }
  });
}

interface IdempotentRequest<C extends Call> {
  input: InputOf<C>;
  id: string;
  bodyHash: Uint8Array;
  context: Context<Session>;
  lookFirst: boolean;
}

async function runOnce<C extends Call>(
  keys: Keys,
  handlers: IdempotentHandlers<C>,
  { input, id, bodyHash, context, lookFirst }: IdempotentRequest<C>,
): Promise<AnswerOf<C>> {
  const findPosted = async () => {
    const found = await handlers.find(id, context);
    if (found === null) throw new Error(`journal ${id} is posted, and its domain does not know it`);
    return found;
  };
  const firstAnswer = async () => {
    const pendingHash = (await handlers.findPending?.(id, context)) ?? null;
    if (pendingHash !== null) {
      if (!sameBytes(pendingHash, bodyHash)) throw new ApiError("idempotency.body_changed");
      return findPosted();
    }
    const used = await keys.find(id);
    if (!used) return null;
    if (!sameBytes(used.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");
    if (used.state === "refused") throw used.apiError;
    return findPosted();
  };
  const first = lookFirst ? await firstAnswer() : null;
  if (first !== null) return first;
  try {
    return await handlers.run(input, id, bodyHash, context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // What was answered before counts, whatever would be said of it now.
    const before = lookFirst && !handlers.findPending ? null : await firstAnswer();
    if (before !== null) return before;
    if (errors[error.error].retry) throw error;
    // Another process may have posted it between our look and our refusal.
    if (!(await keys.remember(id, bodyHash, error))) return findPosted();
    throw error;
  }
}

/** The checked input without what was left out, and without `unhashed` fields. */
function bodyOf(input: unknown, excludeFromHash: readonly string[] = []): Canonical {
  try {
    const body = JSON.parse(JSON.stringify(input)) as { [key: string]: Canonical };
    for (const field of excludeFromHash) delete body[field];
    return body;
  } catch {
    throw new ApiError("request.malformed", { field: "body" });
  }
}
