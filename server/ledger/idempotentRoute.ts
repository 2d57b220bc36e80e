import type { AnswerOf, Call, InputOf } from "#api/call.ts";
import { errors } from "#api/errors.ts";
import { deriveKeyJournalId, hashBody, isUuidV7 } from "#core/ledger/ids.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import type { Keys } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import { userRoute } from "#server/platform/http/route.ts";
import type { Session } from "#server/platform/http/session.ts";

export interface IdempotentHandlers<C extends Call> {
  /**
   * True when `run` changes nothing except by posting `id`: a used key then surfaces in the
   * posting, and is looked up only when `run` fails. Otherwise the key is looked up first.
   */
  optimistic?: boolean;
  /**
   * Input fields that are not part of the request's meaning (a PIN): left out of the body hash, so
   * that a retry may change them.
   */
  excludeFromHash?: readonly string[];
  /**
   * The hash that a `second` leaf will bind for the answer, in hex; null if none will. Omitted for
   * calls that bind nothing.
   */
  boundHash?(answer: AnswerOf<C>): string | null;
  /**
   * The body hash of a request that the domain accepted under `id` without posting it, because it
   * is decided later; null when there is none.
   */
  findPending?(id: string, context: Context<Session>): Promise<Uint8Array | null>;
  /** The answer for the journal already posted under `id`; null if there is none. */
  find(id: string, context: Context<Session>): Promise<AnswerOf<C> | null>;
  /**
   * Executes the call: posts the journal `id` with `bodyHash`, or throws an ApiError and changes
   * nothing.
   */
  run(
    input: InputOf<C>,
    id: string,
    bodyHash: Uint8Array,
    context: Context<Session>,
  ): Promise<AnswerOf<C>>;
}

/**
 * Keys this process remembers having seen. Past this number all are forgotten, which costs no more
 * than a split batch.
 */
const seenKeysMax = 50_000;

/** The parts of the ledger that the route uses. */
export interface IdempotencyLedger {
  keys: Keys;
  world: string;
}

/**
 * Mounts a call that moves money (docs/rules/wire.md, "Idempotency"): one key is one posting,
 * one answer and one acknowledgement. The same key and body returns the first answer again, even if that was an error;
 * another body is rejected; a retryable error leaves the key free. Concurrent requests with one key
 * share one run. An error that depended on balances uses up the key: by the time the money has
 * arrived, the person who saw the error has moved on.
 */
export function idempotentRoute<C extends Call>(
  app: App,
  ledger: IdempotencyLedger,
  call: C,
  handlers: IdempotentHandlers<C>,
): void {
  const running = new Map<string, { bodyHash: Uint8Array; answer: Promise<AnswerOf<C>> }>();
  // A repeated key must not reach the ledger, where it would split everyone else's batch.
  const seenKeys = new Set<string>();
  userRoute(app, call, async (input, context) => {
    const key = context.idempotencyKey;
    if (key === null || key === "") throw new ApiError("idempotency.key_missing");
    if (!isUuidV7(key.toLowerCase())) throw new ApiError("idempotency.key_malformed");
    const id = deriveKeyJournalId(context.session.userId, key.toLowerCase());
    const bodyHash = hashBody(ledger.world, call.path, toBody(input, handlers.excludeFromHash));
    const { acknowledger } = app.platform;
    acknowledger?.requireReady();
    const acknowledged = async (answer: AnswerOf<C>) => {
      const postedAt = acknowledger && (await ledger.keys.postedAt(id));
      if (!postedAt) return answer;
      const { atMs: acceptedAtMs, treeSize } = postedAt;
      const hash = handlers.boundHash?.(answer) ?? null;
      const facts = { call: call.path, key: key.toLowerCase(), bodyHash, id, hash };
      context.acknowledge(await acknowledger.acknowledge({ ...facts, acceptedAtMs, treeSize }));
      return answer;
    };
    const inFlight = running.get(id);
    if (inFlight) {
      if (!equalBytes(inFlight.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");
      return acknowledged(await inFlight.answer);
    }
    const lookFirst = handlers.optimistic !== true || seenKeys.has(id);
    if (seenKeys.size >= seenKeysMax) seenKeys.clear();
    seenKeys.add(id);
    const answer = runOnce(ledger.keys, handlers, { input, id, bodyHash, context, lookFirst });
    running.set(id, { bodyHash, answer });
    try {
      return await acknowledged(await answer);
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
    const existing = await handlers.find(id, context);
    if (existing === null)
      throw new Error(`journal ${id} is posted, but its domain has no record of it`);
    return existing;
  };
  const firstAnswer = async () => {
    const pendingHash = (await handlers.findPending?.(id, context)) ?? null;
    if (pendingHash !== null) {
      if (!equalBytes(pendingHash, bodyHash)) throw new ApiError("idempotency.body_changed");
      return findPosted();
    }
    const keyState = await keys.find(id);
    if (!keyState) return null;
    if (!equalBytes(keyState.bodyHash, bodyHash)) throw new ApiError("idempotency.body_changed");
    if (keyState.state === "refused") throw keyState.apiError;
    return findPosted();
  };
  const first = lookFirst ? await firstAnswer() : null;
  if (first !== null) return first;
  try {
    return await handlers.run(input, id, bodyHash, context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The first answer is repeated, even if the answer would differ now.
    const before = lookFirst && !handlers.findPending ? null : await firstAnswer();
    if (before !== null) return before;
    if (errors[error.error].retry) throw error;
    // Another process may have posted it between our lookup and our error.
    if (!(await keys.remember(id, bodyHash, error))) return findPosted();
    throw error;
  }
}

/** The validated input as canonical JSON, without undefined and `excludeFromHash` fields. */
function toBody(input: unknown, excludeFromHash: readonly string[] = []): Canonical {
  try {
    const body = JSON.parse(JSON.stringify(input)) as { [key: string]: Canonical };
    for (const field of excludeFromHash) delete body[field];
    return body;
  } catch {
    throw new ApiError("request.malformed", { field: "body" });
  }
}
