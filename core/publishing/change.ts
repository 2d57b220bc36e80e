import { dayMs } from "#core/money/time.ts";

/**
 * Applies changes to a publication. A change names the revision it was based on: of two concurrent
 * changes the second is refused, so neither is silently lost.
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
 * The state of a publication. A published one with a newer draft stays published until that draft
 * is scheduled.
 */
export function getPublicationState(publication: Publication): PublicationState {
  if (publication.publishAtMs !== null) return "scheduled";
  if (publication.version === 0) return "draft";
  return publication.unpublished ? "withdrawn" : "published";
}

/** Returns true if a version of it is visible now. */
export function isLive({ version, unpublished }: Publication): boolean {
  return version > 0 && !unpublished;
}

export type Change =
  | { action: "save" }
  | { action: "schedule"; atMs: number }
  | { action: "unschedule" }
  | { action: "discard" }
  | { action: "withdraw" };

/** How far ahead a publication may be scheduled, in real time. */
const scheduleAheadMaxMs = 366 * dayMs;

type ChangeError =
  | "changed_meanwhile"
  | "nothing_to_publish"
  | "too_far_ahead"
  | "not_scheduled"
  | "nothing_to_discard"
  | "not_published";

export type ChangeDecision =
  | { do: "change"; next: Publication }
  | { do: "delete" }
  | { do: "refuse"; why: ChangeError };

/** Decides a change. `revision` is the one it was based on. */
export function decideChange(
  publication: Publication,
  change: Change,
  request: { revision: number; nowMs: number },
): ChangeDecision {
  if (publication.revision !== request.revision) return { do: "refuse", why: "changed_meanwhile" };
  const next = { ...publication, revision: publication.revision + 1 };
  switch (change.action) {
    case "save":
      // The schedule applied to the previous text.
      return { do: "change", next: { ...next, hasDraft: true, publishAtMs: null } };
    case "schedule":
      if (!publication.hasDraft && isLive(publication))
        return { do: "refuse", why: "nothing_to_publish" };
      if (change.atMs > request.nowMs + scheduleAheadMaxMs)
        return { do: "refuse", why: "too_far_ahead" };
      return { do: "change", next: { ...next, publishAtMs: Math.max(change.atMs, request.nowMs) } };
    case "unschedule":
      if (publication.publishAtMs === null) return { do: "refuse", why: "not_scheduled" };
      return { do: "change", next: { ...next, publishAtMs: null } };
    case "discard":
      if (!publication.hasDraft) return { do: "refuse", why: "nothing_to_discard" };
      if (publication.version === 0) return { do: "delete" };
      return { do: "change", next: { ...next, hasDraft: false, publishAtMs: null } };
    case "withdraw":
      if (!isLive(publication)) return { do: "refuse", why: "not_published" };
      return { do: "change", next: { ...next, unpublished: true, publishAtMs: null } };
  }
}
