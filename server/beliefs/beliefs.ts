import { sql } from "kysely";
import type { Belief, getBeliefs, stateBelief } from "#api/beliefs.ts";
import type { AnswerOf, InputOf } from "#api/call.ts";
import { computeCalibration, type ResolvedBelief } from "#core/beliefs/calibration.ts";
import { computeBinomialTailBp, luckFromOrders } from "#core/contracts/binomialTail.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";

/** The part of an order that a belief is about. */
export interface BeliefSubject {
  orderId: string;
  attemptId: string;
  acceptedAtMs: number;
  /** Null while it cannot be known. */
  outcome: "right" | "wrong" | "none" | null;
  market: Belief["market"];
  productId: string | null;
}

/** The person's orders by id; others are left out. */
type ReadSubjects = (userId: string, ids: readonly string[]) => Promise<BeliefSubject[]>;

export interface BeliefsDeps {
  contracts: { beliefSubjects: ReadSubjects };
  hosting: { beliefSubjects: ReadSubjects };
}

/** Real time after acceptance within which a belief may be stated, enough for one retry. */
const statedWithinMs = 10_000;
const listMax = 200;

interface Row {
  order_id: string;
  kind: Belief["kind"];
  content_encrypted: Buffer;
  stated_at_ms: bigint;
}

/** Beliefs of people about their own orders (docs/rules/beliefs.md). */
export function createBeliefs(ctx: AppContext, { contracts, hosting }: BeliefsDeps) {
  const {
    clock,
    database: { db },
    fieldEncryption,
  } = ctx;
  const subjects = { order: contracts.beliefSubjects, subscription: hosting.beliefSubjects };
  const decryptBelief = async (userId: string, row: Row) => {
    const text = await fieldEncryption.decryptText(userId, row.content_encrypted);
    if (text === null) return null;
    const { confidence, reason } = JSON.parse(text) as Pick<Belief, "confidence" | "reason">;
    return { row, confidence, reason };
  };
  const list = async (userId: string, attemptId: string | null): Promise<Belief[]> => {
    const rows = await readRows(db, userId, attemptId);
    const subjectById = new Map<string, BeliefSubject>();
    for (const kind of ["order", "subscription"] as const) {
      const ids = rows.filter((row) => row.kind === kind).map((row) => row.order_id);
      const beliefSubjects = ids.length === 0 ? [] : await subjects[kind](userId, ids);
      for (const beliefSubject of beliefSubjects)
        subjectById.set(beliefSubject.orderId, beliefSubject);
    }
    const decryptedBeliefs = await Promise.all(rows.map((row) => decryptBelief(userId, row)));
    return decryptedBeliefs.flatMap((item) => {
      if (!item) return [];
      const subject = subjectById.get(item.row.order_id);
      return [
        {
          order_id: item.row.order_id,
          kind: item.row.kind,
          confidence: item.confidence,
          reason: item.reason,
          stated_at_ms: Number(item.row.stated_at_ms),
          outcome: subject?.outcome ?? "open",
          market: subject?.market ?? null,
          product_id: subject?.productId ?? null,
        },
      ];
    });
  };
  return {
    /** The first statement counts; the same one again changes nothing. */
    state: async (userId: string, input: InputOf<typeof stateBelief>): Promise<void> => {
      const { kind, order_id: orderId, confidence, reason = "" } = input;
      const [subject] = await subjects[kind](userId, [orderId]);
      if (!subject) throw new ApiError("beliefs.unknown");
      const lateMs = clock.nowMs() - subject.acceptedAtMs;
      // No belief is accepted once the outcome is visible.
      if (subject.outcome !== null || lateMs > statedWithinMs * clock.speed) {
        throw new ApiError("beliefs.too_late");
      }
      const trimmed = reason.trim();
      const content = JSON.stringify({
        confidence: Number(confidence),
        reason: trimmed === "" ? null : trimmed,
      });
      const encrypted = await fieldEncryption.encrypt(userId, content);
      await sql`
        insert into belief (user_id, order_id, attempt_id, kind, content_encrypted, stated_at_ms)
        values (${userId}, ${subject.orderId}, ${subject.attemptId}, ${kind}, ${encrypted},
          ${subject.acceptedAtMs})
        on conflict do nothing`.execute(db);
    },
    /** Filters people to those with a stored belief about an order. */
    filterUsersWithOrderBelief: async (userIds: readonly string[]): Promise<string[]> => {
      const { rows } = await sql<{ user_id: string }>`
        select distinct user_id from belief
        where user_id = any(${userIds}::text[]) and kind = 'order'`.execute(db);
      return rows.map((row) => row.user_id);
    },
    remove: async (userId: string, orderId: string): Promise<void> => {
      const { rows } = await sql`
        delete from belief where user_id = ${userId} and order_id::text = ${orderId}
        returning order_id`.execute(db);
      if (rows.length === 0) throw new ApiError("beliefs.unknown");
    },
    /** The newest 200 resolved beliefs over all attempts, without their reasons. */
    resolvedOf: async (userId: string) => resolvedIn(await list(userId, null)),
    read: async (userId: string, attemptId: string): Promise<AnswerOf<typeof getBeliefs>> => {
      const items = await list(userId, attemptId);
      const calibration = computeCalibration(resolvedIn(items));
      if (!calibration) return { items, calibration: null };
      const { count, right } = calibration;
      const luck = count >= luckFromOrders ? computeBinomialTailBp(right, count) : null;
      return { items, calibration: { ...calibration, luck_bp: luck } };
    },
  };
}
export type Beliefs = ReturnType<typeof createBeliefs>;

function resolvedIn(items: readonly Belief[]): ResolvedBelief[] {
  return items.flatMap(({ confidence, outcome }) =>
    outcome === "right" || outcome === "wrong" ? [{ confidence, right: outcome === "right" }] : [],
  );
}

/** Rows of one attempt, or of all if null. */
async function readRows(db: Db, userId: string, attemptId: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select order_id, kind, content_encrypted, stated_at_ms from belief
    where user_id = ${userId} and (${attemptId}::text is null or attempt_id = ${attemptId})
    order by stated_at_ms desc, order_id limit ${listMax}`.execute(db);
  return rows;
}
