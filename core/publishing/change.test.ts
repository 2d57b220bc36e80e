import { expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { type Change, decideChange, type Publication, stateOf } from "#core/publishing/change.ts";

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
  ["with a time", { ...fresh, publishAtMs: 5 }, "scheduled"],
  ["out", published, "published"],
  ["out, with a newer draft", { ...published, hasDraft: true }, "published"],
  ["taken away", { ...published, unpublished: true }, "withdrawn"],
])("%s stands as it is said", (_title, one, state) => {
  expect(stateOf(one)).toBe(state);
});

test.each<[string, Publication, Change, unknown]>([
  [
    "saving takes the time away",
    { ...fresh, publishAtMs: 9 },
    { action: "save" },
    { ...fresh, revision: 4 },
  ],
  [
    "a time that is past means now",
    fresh,
    { action: "schedule", atMs: 5 },
    { ...fresh, revision: 4, publishAtMs: nowMs },
  ],
  [
    "what is out as it stands needs a draft",
    published,
    { action: "schedule", atMs: 5 },
    "nothing_to_publish",
  ],
  [
    "what was taken away can come back as it was",
    { ...published, unpublished: true },
    { action: "schedule", atMs: 5 },
    { ...published, unpublished: true, revision: 4, publishAtMs: nowMs },
  ],
  ["not beyond a year", fresh, { action: "schedule", atMs: nowMs + 367 * dayMs }, "too_far_ahead"],
  ["no time, none to take back", fresh, { action: "unschedule" }, "not_scheduled"],
  ["a draft that never was out is gone", fresh, { action: "discard" }, "delete"],
  [
    "a newer draft is dropped",
    { ...published, hasDraft: true, publishAtMs: 7 },
    { action: "discard" },
    { ...published, revision: 4 },
  ],
  ["nothing to drop", published, { action: "discard" }, "nothing_to_discard"],
  [
    "taking away also takes the time",
    { ...published, publishAtMs: 7 },
    { action: "withdraw" },
    { ...published, unpublished: true, revision: 4 },
  ],
  ["a draft is not to be taken away", fresh, { action: "withdraw" }, "not_published"],
])("%s", (_title, one, change, expected) => {
  const decided = decideChange(one, change, { revision: 3, nowMs });
  const said =
    decided.do === "change" ? decided.next : decided.do === "refuse" ? decided.why : decided.do;
  expect(said).toEqual(expected);
});

test("a change made on an older revision is refused, whatever it is", () => {
  for (const action of ["save", "unschedule", "discard", "withdraw"] as const) {
    expect(decideChange(published, { action }, { revision: 2, nowMs })).toEqual({
      do: "refuse",
      why: "changed_meanwhile",
    });
  }
});
