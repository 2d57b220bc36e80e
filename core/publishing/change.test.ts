import { expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import {
  type Change,
  decideChange,
  getPublicationState,
  type Publication,
} from "#core/publishing/change.ts";

const nowMs = 1_000_000;
const fresh: Publication = {
  revision: 3,
  hasDraft: true,
  publishAtMs: null,
  version: 0,
  unpublished: false,
};
const published = { ...fresh, hasDraft: false, version: 2 };

test.each<[string, Publication, string]>([
  ["never published", fresh, "draft"],
  ["scheduled", { ...fresh, publishAtMs: 5 }, "scheduled"],
  ["out", published, "published"],
  ["published, with a newer draft", { ...published, hasDraft: true }, "published"],
  ["unpublished", { ...published, unpublished: true }, "withdrawn"],
])("stateOf a publication that is %s", (_title, publication, state) => {
  expect(getPublicationState(publication)).toBe(state);
});

test.each<[string, Publication, Change, unknown]>([
  [
    "saving clears the schedule",
    { ...fresh, publishAtMs: 9 },
    { action: "save" },
    { ...fresh, revision: 4 },
  ],
  [
    "scheduling in the past publishes immediately",
    fresh,
    { action: "schedule", atMs: 5 },
    { ...fresh, revision: 4, publishAtMs: nowMs },
  ],
  [
    "scheduling an unchanged publication requires a draft",
    published,
    { action: "schedule", atMs: 5 },
    "nothing_to_publish",
  ],
  [
    "an unpublished publication can be published again unchanged",
    { ...published, unpublished: true },
    { action: "schedule", atMs: 5 },
    { ...published, unpublished: true, revision: 4, publishAtMs: nowMs },
  ],
  [
    "scheduling more than a year ahead is refused",
    fresh,
    { action: "schedule", atMs: nowMs + 367 * dayMs },
    "too_far_ahead",
  ],
  ["unscheduling requires a schedule", fresh, { action: "unschedule" }, "not_scheduled"],
  [
    "discarding a draft that was never published deletes it",
    fresh,
    { action: "discard" },
    "delete",
  ],
  [
    "discarding a newer draft keeps the published version",
    { ...published, hasDraft: true, publishAtMs: 7 },
    { action: "discard" },
    { ...published, revision: 4 },
  ],
  ["discarding requires a draft", published, { action: "discard" }, "nothing_to_discard"],
  [
    "unpublishing clears the schedule",
    { ...published, publishAtMs: 7 },
    { action: "withdraw" },
    { ...published, unpublished: true, revision: 4 },
  ],
  ["unpublishing requires a published version", fresh, { action: "withdraw" }, "not_published"],
])("%s", (_title, publication, change, expected) => {
  const decided = decideChange(publication, change, { revision: 3, nowMs });
  const result =
    decided.do === "change" ? decided.next : decided.do === "refuse" ? decided.why : decided.do;
  expect(result).toEqual(expected);
});

test("every change to an outdated revision is refused", () => {
  for (const action of ["save", "unschedule", "discard", "withdraw"] as const) {
    expect(decideChange(published, { action }, { revision: 2, nowMs })).toEqual({
      do: "refuse",
      why: "changed_meanwhile",
    });
  }
});
