import type { Bodies } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import type { Canonical } from "#core/transparency-log/canonical.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { lockProducts } from "#server/publishing/seededProducts.ts";
import { insertVersion, listDue, readPublication, writeChange } from "#server/publishing/store.ts";
import type { DraftProblem, KindRules, RulesOf } from "#server/publishing/types.ts";
import { recordPublished } from "#server/transparency-log/auditChain.ts";

/**
 * Publishes everything due, each once: its row is locked from the read until its version is
 * written, and the work of its kind to publish it is part of the same transaction. What may not be
 * published (any more) becomes a draft again, with the reason.
 */
export async function publishDue(
  ctx: AppContext,
  rulesOf: RulesOf,
  invalidate: (kind: Kind) => void,
): Promise<void> {
  const { db } = ctx.database;
  for (const id of await listDue(db, ctx.realClock.nowMs())) {
    try {
      const kind = await publishOne(ctx, rulesOf, id);
      if (kind) invalidate(kind);
    } catch (error) {
      // One failure must not hold up the others; it is retried.
      ctx.logger.error({ err: error, publication: id }, "publication failed; will retry");
    }
  }
}

async function publishOne(ctx: AppContext, rulesOf: RulesOf, id: string): Promise<Kind | null> {
  return ctx.database.db.transaction().execute(async (tx) => {
    await lockProducts(ctx, tx);
    const row = await readPublication(tx, id, true);
    const nowMs = ctx.realClock.nowMs();
    if (!row || row.publishAtMs === null || row.publishAtMs > nowMs) return null;
    const scheduledBy = row.scheduledBy!;
    const text = row.draft ?? row.live!.body;
    const problems = await put(tx, rulesOf(row.kind), text, id);
    const next = { ...row, revision: row.revision + 1, publishAtMs: null };
    if (problems.length > 0) {
      await writeChange(tx, id, next, {
        nowMs,
        by: scheduledBy,
        refused: JSON.stringify(problems),
      });
      return row.kind;
    }
    const version = row.version + 1;
    const body: Canonical = JSON.parse(text);
    const { kind, subject } = row;
    const publishedText = { publication: id, kind, subject, version, body };
    const leaf = await recordPublished(tx, ctx.world.name, publishedText, nowMs);
    await insertVersion(tx, id, {
      version,
      body: text,
      publishedAtMs: nowMs,
      publishedBy: scheduledBy,
      leaf,
    });
    await writeChange(
      tx,
      id,
      { ...next, version, hasDraft: false, unpublished: false },
      { nowMs, by: scheduledBy },
    );
    return row.kind;
  });
}

/** Checks once more, because prices and offers change while a draft waits, and publishes it. */
async function put(
  tx: Tx,
  rules: KindRules<Kind>,
  text: string,
  id: string,
): Promise<DraftProblem[]> {
  const body: Bodies[Kind] = JSON.parse(text);
  const problems = await rules.check(body, tx);
  if (problems.length > 0) return problems;
  try {
    await rules.publish?.(tx, body, id);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [{ error: error.error, field: "", data: error.data ?? {} }];
  }
}
