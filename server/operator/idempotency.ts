import { createHash } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import type { AuditEvent } from "#core/operator/auditEvents.ts";
import { requireStillOperator } from "#server/operator/operatorRows.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { OperatorRequest } from "#server/platform/http/operator.ts";

/** How long a used key is remembered, in real time: long after any client has stopped retrying. */
export const keyLifeMs = 30 * dayMs;

type StoredAnswer = Pick<AppContext, "database" | "realClock" | "fieldEncryption">;

interface IdempotentCall<Answer> {
  request: OperatorRequest;
  run: (tx: Tx) => Promise<{ answer: Answer; auditEvents: readonly AuditEvent[] }>;
  finish: (tx: Tx, auditEvents: readonly AuditEvent[]) => Promise<void>;
}

interface Hashes {
  keyHash: Buffer;
  bodyHash: Buffer;
}

/**
 * Runs changing calls once per key. Requests to this process under a key that is running share its
 * run and its answer: what `prepare` consumes, such as a nonce, is available only once.
 */
export function createIdempotentRuns(ctx: StoredAnswer) {
  const running = new Map<string, { bodyHash: Buffer; answer: Promise<unknown> }>();
  return async <Answer>(call: IdempotentCall<Answer>): Promise<Answer> => {
    const { operator, key, path, input } = call.request;
    const keyHash = digest(operator.userId, key);
    const bodyHash = digest(key, path, JSON.stringify(input));
    const id = keyHash.toString("hex");
    const inFlight = running.get(id);
    if (inFlight) {
      if (!inFlight.bodyHash.equals(bodyHash)) throw new ApiError("idempotency.body_changed");
      // The same key and body, and so the same call.
      return (await inFlight.answer) as Answer;
    }
    const answer = runOnce(ctx, call, { keyHash, bodyHash });
    running.set(id, { bodyHash, answer });
    try {
      return await answer;
    } finally {
      running.delete(id);
    }
  };
}

/**
 * The key is inserted first, in the transaction of the work: a request to another process waits for
 * it and then reads its answer, and an error or a crash rolls the key back with everything else.
 */
async function runOnce<Answer>(
  { database: { db }, realClock, fieldEncryption }: StoredAnswer,
  { request: { operator, prepare }, run, finish }: IdempotentCall<Answer>,
  { keyHash, bodyHash }: Hashes,
): Promise<Answer> {
  if (prepare) {
    const { rows } = await sql`
      select from operator_call where key_hash = ${keyHash}`.execute(db);
    if (rows.length === 0) await prepare();
  }
  return db.transaction().execute(async (tx) => {
    const result = await sql`
      insert into operator_call (key_hash, body_hash, at_ms) values (${keyHash}, ${bodyHash}, ${realClock.nowMs()})
      on conflict do nothing returning key_hash`.execute(tx);
    if (result.rows.length === 0) {
      const { rows } = await sql<{ body_hash: Buffer; answer_encrypted: Buffer }>`
        select body_hash, answer_encrypted from operator_call where key_hash = ${keyHash}`.execute(
        tx,
      );
      const before = rows[0];
      if (!before?.body_hash.equals(bodyHash)) throw new ApiError("idempotency.body_changed");
      return JSON.parse(
        (await fieldEncryption.decrypt(operator.userId, before.answer_encrypted)).toString(),
      ) as Answer;
    }
    await requireStillOperator(tx, operator);
    const { answer, auditEvents } = await run(tx);
    await finish(tx, auditEvents);
    const answerEncrypted = await fieldEncryption.encrypt(operator.userId, JSON.stringify(answer));
    await sql`update operator_call set answer_encrypted = ${answerEncrypted} where key_hash = ${keyHash}`.execute(
      tx,
    );
    return answer;
  });
}

function digest(...texts: string[]): Buffer {
  return createHash("sha256").update(texts.join("\0")).digest();
}
