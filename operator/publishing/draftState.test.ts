import { expect, test } from "vitest";
import { type DraftForm, isDirty, isSame, reconcile } from "#operator/publishing/draftState.ts";
import type { Body } from "#operator/publishing/kinds.ts";

const text = (title: string): Body => ({
  languages: { en: { title, summary: "", body: "" } },
});
const form = (revision: number, base: string | null, body: string): DraftForm => ({
  revision,
  base: base === null ? null : text(base),
  body: text(body),
  formKey: 0,
});
const server = (revision: number, draft: string | null, published: string | null = null) => ({
  revision,
  draft: draft === null ? null : text(draft),
  published: published === null ? null : text(published),
});

test.each([
  ["an untouched editor takes the server's draft", null, server(3, "a"), "a", 3, false],
  ["the published version replaces a missing draft", null, server(3, null, "p"), "p", 3, false],
  ["an older answer is ignored", form(5, "a", "mine"), server(4, "b"), "mine", 5, false],
  ["an unchanged form follows the server", form(3, "a", "a"), server(4, "b"), "b", 4, false],
  [
    "equal edits by two people are not a conflict",
    form(3, "a", "b"),
    server(4, "b"),
    "b",
    4,
    false,
  ],
  [
    "a publication in the meantime moves the edits to the new revision",
    form(3, "a", "mine"),
    server(5, null, "a"),
    "mine",
    5,
    false,
  ],
  [
    "different edits in the meantime are a conflict and keep the own ones",
    form(3, "a", "mine"),
    server(4, "b"),
    "mine",
    3,
    true,
  ],
])("%s", (_, before, publication, body, revision, conflict) => {
  const reconciled = reconcile(before, publication);
  expect(reconciled.form.body).toEqual(text(body));
  expect(reconciled.form.revision).toBe(revision);
  expect(reconciled.hasConflict).toBe(conflict);
});

test("a body replaced from outside resets its inputs", () => {
  expect(reconcile(form(3, "a", "a"), server(4, "b")).form.formKey).toBe(1);
  expect(reconcile(form(3, "a", "mine"), server(5, null, "a")).form.formKey).toBe(0);
});

test("isSame ignores the order of fields but not their values", () => {
  expect(isSame({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(isSame({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(isDirty(form(1, "a", "a"))).toBe(false);
  expect(isDirty(form(0, null, ""))).toBe(true);
});
