import { expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import {
  type Change,
  decideChange,
  getPublicationState,
  type Publication,
} from "#core/publishing/change.ts";

const nowMs = 1_000_000;
const newPublication: Publication = {
  revision: 3,
  hasDraft: true,
  publishAtMs: null,
  version: 0,
  unpublished: false,
};
const livePublication = { ...newPublication, hasDraft: false, version: 2 };

test.each<[string, Publication, string]>([
  ["never published", newPublication, "draft"],
  ["scheduled", { ...newPublication, publishAtMs: 5 }, "scheduled"],
  ["out", livePublication, "published"],
  ["published, with a newer draft", { ...livePublication, hasDraft: true }, "published"],
  ["unpublished", { ...livePublication, unpublished: true }, "withdrawn"],
])("the state of a publication that is %s", (_title, publication, state) => {
  expect(getPublicationState(publication)).toBe(state);
});

test.each<[string, Publication, Change, unknown]>([
  [
    "saving clears the schedule",
    { ...newPublication, publishAtMs: 9 },
    { action: "save" },
    { ...newPublication, revision: 4 },
  ],
  [
    "scheduling in the past publishes immediately",
    newPublication,
    { action: "schedule", atMs: 5 },
    { ...newPublication, revision: 4, publishAtMs: nowMs },
  ],
  [
    "scheduling an unchanged publication requires a draft",
    livePublication,
    { action: "schedule", atMs: 5 },
    "nothing_to_publish",
  ],
  [
    "an unpublished publication can be published again unchanged",
    { ...livePublication, unpublished: true },
    { action: "schedule", atMs: 5 },
    { ...livePublication, unpublished: true, revision: 4, publishAtMs: nowMs },
  ],
  [
    "scheduling more than a year ahead is refused",
    newPublication,
    { action: "schedule", atMs: nowMs + 367 * dayMs },
    "too_far_ahead",
  ],
  ["unscheduling requires a schedule", newPublication, { action: "unschedule" }, "not_scheduled"],
  [
    "discarding a draft that was never published deletes it",
    newPublication,
    { action: "discard" },
    "delete",
  ],
  [
    "discarding a newer draft keeps the published version",
    { ...livePublication, hasDraft: true, publishAtMs: 7 },
    { action: "discard" },
    { ...livePublication, revision: 4 },
  ],
  ["discarding requires a draft", livePublication, { action: "discard" }, "nothing_to_discard"],
  [
    "unpublishing clears the schedule",
    { ...livePublication, publishAtMs: 7 },
    { action: "withdraw" },
    { ...livePublication, unpublished: true, revision: 4 },
  ],
  [
    "unpublishing requires a published version",
    newPublication,
    { action: "withdraw" },
    "not_published",
  ],
])("%s", (_title, publication, change, expected) => {
  const decision = decideChange(publication, change, { revision: 3, nowMs });
  const result =
    decision.do === "change"
      ? decision.next
      : decision.do === "refuse"
        ? decision.why
        : decision.do;
  expect(result).toEqual(expected);
});

test("every change to an outdated revision is refused", () => {
  for (const action of ["save", "unschedule", "discard", "withdraw"] as const) {
    expect(decideChange(livePublication, { action }, { revision: 2, nowMs })).toEqual({
      do: "refuse",
      why: "changed_meanwhile",
    });
  }
});
