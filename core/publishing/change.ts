import { dayMs } from "#core/money/time.ts";

/**
 * What becomes of a publication when somebody changes it. A change names the revision that it was
 * made on: of two made at once the second is refused, and nothing of either is lost.
 */
export interface Publication {
  revision: number;
  hasDraft: boolean;
  publishAtMs: number | null;
  version: number;
  unpublished: boolean;
}

export type PublicationState = "draft" | "scheduled" | "published" | "withdrawn";

/**
 * Where it stands. A published one with a newer draft is published until that draft is scheduled.
 */
export function stateOf(one: Publication): PublicationState {
  if (one.publishAtMs !== null) return "scheduled";
  if (one.version === 0) return "draft";
  return one.unpublished ? "withdrawn" : "published";
}

/** Whether people see a version of it now. */
export function isLive({ version, unpublished }: Publication): boolean {
  return version > 0 && !unpublished;
}

export type Change =
  | { action: "save" }
  | { action: "schedule"; atMs: number }
  | { action: "unschedule" }
  | { action: "discard" }
  | { action: "withdraw" };

/** The furthest a publication may be planned ahead, in real time. */
const scheduleAheadMaxMs = 366 * dayMs;

type ChangeRefusal =
  | "changed_meanwhile"
  | "nothing_to_publish"
  | "too_far_ahead"
  | "not_scheduled"
  | "nothing_to_discard"
  | "not_published";

export type ChangeDecision =
  | { do: "change"; next: Publication }
  | { do: "delete" }
  | { do: "refuse"; why: ChangeRefusal };

/** `revision` is the one the change was made on. */
export function decideChange(
  one: Publication,
  change: Change,
  made: { revision: number; nowMs: number },
): ChangeDecision {
  if (one.revision !== made.revision) return { do: "refuse", why: "changed_meanwhile" };
  const next = { ...one, revision: one.revision + 1 };
  switch (change.action) {
    case "save":
      // What was scheduled was another text.
      return { do: "change", next: { ...next, hasDraft: true, publishAtMs: null } };
    case "schedule":
      if (!one.hasDraft && isLive(one)) return { do: "refuse", why: "nothing_to_publish" };
      if (change.atMs > made.nowMs + scheduleAheadMaxMs)
        return { do: "refuse", why: "too_far_ahead" };
      return { do: "change", next: { ...next, publishAtMs: Math.max(change.atMs, made.nowMs) } };
    case "unschedule":
      if (one.publishAtMs === null) return { do: "refuse", why: "not_scheduled" };
      return { do: "change", next: { ...next, publishAtMs: null } };
    case "discard":
      if (!one.hasDraft) return { do: "refuse", why: "nothing_to_discard" };
      if (one.version === 0) return { do: "delete" };
      return { do: "change", next: { ...next, hasDraft: false, publishAtMs: null } };
    case "withdraw":
      if (!isLive(one)) return { do: "refuse", why: "not_published" };
      return { do: "change", next: { ...next, unpublished: true, publishAtMs: null } };
  }
}
