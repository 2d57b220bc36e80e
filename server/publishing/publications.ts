import type { Bodies } from "#api/operator/publishing.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { type Change, decideChange } from "#core/publishing/change.ts";
import { getSubject } from "#core/publishing/subject.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";
import { publishDue } from "#server/publishing/publisher.ts";
import type { Listings } from "#server/publishing/seededProducts.ts";
import {
  deleteDraft,
  insertDraft,
  listPublications,
  listVersions,
  readBySubject,
  readPublication,
  unscheduleAll,
  writeChange,
} from "#server/publishing/store.ts";
import type {
  DraftProblem,
  Figure,
  PublicationRow,
  RulesByKind,
  RulesOf,
} from "#server/publishing/types.ts";
import { recordWithdrawn } from "#server/transparency-log/auditChain.ts";

export interface ChangeParams {
  /** The revision shown on the operator's screen; 0 for a new draft. */
  revision: number;
  /** The operator's opaque id. */
  by: string;
}

export interface PublicationsDeps {
  listings: Listings;
  /** The rules of each kind. */
  kinds: RulesByKind;
}

/**
 * Everything that operators publish, of any kind: drafts, schedules, versions. A route only ever
 * changes rows here; the job `publishing.due` is what publishes anything, exactly once, even across
 * a restart.
 */
export function createPublications(ctx: AppContext, { listings, kinds }: PublicationsDeps) {
  const { db } = ctx.database;
  const getRules: RulesOf = (kind) => kinds[kind];
  const runDue = () => publishDue(ctx, getRules, listings.forget);

  const save = async <Name extends Kind>(
    tx: Tx,
    kind: Name,
    id: string,
    body: Bodies[Name],
    params: ChangeParams,
  ): Promise<PublicationRow> => {
    const nowMs = ctx.realClock.nowMs();
    const subject = getSubject(kind, body);
    const draft = JSON.stringify(body);
    if (params.revision === 0) {
      if (await insertDraft(tx, { id, kind, subject, draft, nowMs, by: params.by }))
        return requireOne(tx, kind, id);
      const otherRow = subject === null ? null : await readBySubject(tx, kind, subject);
      if (otherRow && otherRow.id !== id)
        throw new ApiError("publishing.subject_taken", { subject: subject!, id: otherRow.id });
    }
    const publicationRow = await requireOne(tx, kind, id);
    if (subject !== null && publicationRow.subject !== subject)
      throw new ApiError("publishing.subject_fixed", { subject: publicationRow.subject ?? "" });
    await apply(tx, publicationRow, { action: "save" }, params, draft);
    return requireOne(tx, kind, id);
  };

  const apply = async (
    tx: Tx,
    publicationRow: PublicationRow,
    change: Change,
    params: ChangeParams,
    draft?: string,
  ): Promise<void> => {
    const nowMs = ctx.realClock.nowMs();
    const decision = decideChange(publicationRow, change, { revision: params.revision, nowMs });
    if (decision.do === "refuse") {
      if (decision.why === "changed_meanwhile") throw changedMeanwhile(publicationRow);
      throw new ApiError(`publishing.${decision.why}`);
    }
    if (decision.do === "delete") await deleteDraft(tx, publicationRow.id);
    else
      await writeChange(tx, publicationRow.id, decision.next, {
        nowMs,
        by: params.by,
        ...(draft === undefined ? {} : { draft }),
      });
  };

  return {
    /** The problems that prevent a body from being published now. */
    check: async <Name extends Kind>(
      kind: Name,
      body: Bodies[Name],
      tx?: Tx,
    ): Promise<DraftProblem[]> => getRules(kind).check(body, tx),
    /** The resulting figures of a product, for its preview; empty for texts. */
    figures: async <Name extends Kind>(kind: Name, body: Bodies[Name]): Promise<Figure[]> =>
      (await getRules(kind).figures?.(body)) ?? [],
    /**
     * Saves a draft, valid or not. Throws `publishing.changed_meanwhile`,
     * `publishing.subject_taken`.
     */
    save,
    /**
     * Schedules it for a real time, past or present for now: the job publishes it within about a
     * second. Throws the first problem.
     */
    schedule: async (tx: Tx, kind: Kind, id: string, atMs: number, params: ChangeParams) => {
      const publicationRow = await requireOne(tx, kind, id);
      if (publicationRow.revision !== params.revision) throw changedMeanwhile(publicationRow);
      const body = publicationRow.draft ?? publicationRow.live?.body;
      const [problem] = body ? await getRules(kind).check(JSON.parse(body), tx) : [];
      if (problem) throw toApiError(problem);
      await apply(tx, publicationRow, { action: "schedule", atMs }, params);
      return requireOne(tx, kind, id);
    },
    unschedule: async (tx: Tx, kind: Kind, id: string, params: ChangeParams) => {
      await apply(tx, await requireOne(tx, kind, id), { action: "unschedule" }, params);
      return requireOne(tx, kind, id);
    },
    /** Drops the draft; one that was never published is deleted, and the answer is null. */
    discard: async (tx: Tx, kind: Kind, id: string, params: ChangeParams) => {
      await apply(tx, await requireOne(tx, kind, id), { action: "discard" }, params);
      return readPublication(tx, id);
    },
    /** Removes what people see, and delists it. */
    unpublish: async (tx: Tx, kind: Kind, id: string, params: ChangeParams) => {
      const publicationRow = await requireOne(tx, kind, id);
      await apply(tx, publicationRow, { action: "withdraw" }, params);
      await getRules(kind).unpublish?.(tx, JSON.parse(publicationRow.live!.body));
      await recordWithdrawn(tx, ctx.world.name, id, ctx.realClock.nowMs());
      return requireOne(tx, kind, id);
    },
    /** Throws `publishing.unknown`. */
    read: (kind: Kind, id: string) => requireOne(db, kind, id, false),
    list: (kind: Kind, page: Parameters<typeof listPublications>[2]) =>
      listPublications(db, kind, page),
    versions: async (kind: Kind, id: string) => {
      await requireOne(db, kind, id, false);
      return listVersions(db, id);
    },
    /** The live version of one publication; null if it is not, or no longer, published. */
    liveOne: async <Name extends Kind>(
      tx: Tx,
      kind: Name,
      id: string,
    ): Promise<Bodies[Name] | null> => {
      const publicationRow = isUuid(id) ? await readPublication(tx, id) : null;
      if (publicationRow?.kind !== kind || !publicationRow.live || publicationRow.unpublished)
        return null;
      return JSON.parse(publicationRow.live.body) as Bodies[Name];
    },
    /** Ends what an operator scheduled, since no operator answers for it any more. */
    operatorEnded: async (tx: Tx, operator: { operatorId: string; by: string }) => {
      const nowMs = ctx.realClock.nowMs();
      const rows = await unscheduleAll(tx, { ...operator, nowMs });
      return rows.map(({ id, kind }) => ({
        what: "publishing.unscheduled" as const,
        target: id,
        details: { kind },
      }));
    },
    runDue,
    jobs: [{ name: "publishing.due", everySeconds: 1, run: runDue }] satisfies readonly Job[],
    ...listings,
  };
}
export type Publications = ReturnType<typeof createPublications>;

async function requireOne(
  db: Parameters<typeof readPublication>[0],
  kind: Kind,
  id: string,
  lock = true,
): Promise<PublicationRow> {
  const publicationRow = await readPublication(db, id, lock);
  if (!publicationRow || publicationRow.kind !== kind) throw new ApiError("publishing.unknown");
  return publicationRow;
}

function toApiError({ error, field, data }: DraftProblem): ApiError {
  return new ApiError(error, { ...data, at: field });
}

/** Carries the current state, so that both texts can be seen before one is chosen. */
function changedMeanwhile(publicationRow: PublicationRow): ApiError {
  return new ApiError("publishing.changed_meanwhile", {
    revision: publicationRow.revision,
    changed_at_ms: publicationRow.changedAtMs,
    changed_by: publicationRow.changedBy,
    current: publicationRow.draft ?? publicationRow.live?.body ?? "",
  });
}
