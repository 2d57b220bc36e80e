import { expect, test } from "vitest";
import {
  type EditorAction,
  type EditorState,
  reduceEditor,
} from "#operator/publishing/editorState.ts";
import type { Body, Publication } from "#operator/publishing/kinds.ts";

const text = (title: string): Body => ({ languages: { en: { title, summary: "", body: "" } } });
const server = (revision: number, draft: string) =>
  ({ revision, draft: text(draft), published: null }) as Publication;
const typedText = text("typed");
const start: EditorState = {
  isSaved: true,
  form: { revision: 3, base: text("old"), body: typedText, formKey: 5 },
  remotePublication: null,
  undo: null,
};
const reduceAll = (...actions: EditorAction[]) => actions.reduce(reduceEditor, start);

test("another operator's version is kept beside this form's edits until it is accepted", () => {
  const conflict = reduceAll({ type: "server_answered", publication: server(4, "other") });
  expect(conflict.form).toBe(start.form);
  expect(conflict.remotePublication?.revision).toBe(4);
  const accepted = reduceEditor(conflict, { type: "remote_taken" });
  expect(accepted).toMatchObject({ remotePublication: null, undo: typedText });
  expect(accepted.form).toEqual({
    revision: 4,
    base: text("other"),
    body: text("other"),
    formKey: 6,
  });
});

test("edits replaced by the remote version can be restored as unsaved", () => {
  const restored = reduceAll(
    { type: "server_answered", publication: server(4, "other") },
    { type: "remote_taken" },
    { type: "brought_back" },
  );
  expect(restored.form).toEqual({ revision: 4, base: text("other"), body: typedText, formKey: 7 });
  expect(restored.undo).toBeNull();
});

test("text typed during a save stays unsaved", () => {
  const laterEdit = text("typed more");
  const savedState = reduceAll(
    { type: "typed", body: laterEdit },
    { type: "saved", publication: server(4, "typed"), sentBody: typedText },
  );
  expect(savedState.form).toEqual({ revision: 4, base: typedText, body: laterEdit, formKey: 5 });
});

test("a complete save leaves nothing unsaved and keeps the inputs", () => {
  const savedState = reduceAll({
    type: "saved",
    publication: server(4, "typed"),
    sentBody: typedText,
  });
  expect(savedState.form).toEqual({ revision: 4, base: typedText, body: typedText, formKey: 5 });
});

test("edits of a draft that another discarded can be saved as a new draft", () => {
  expect(reduceAll({ type: "deleted" })).toEqual({
    ...start,
    isSaved: false,
    form: { ...start.form, revision: 0, base: null },
  });
});

test.each([
  [
    "the published version",
    server(4, "published"),
    { isSaved: true, revision: 4 },
    text("published"),
  ],
  ["an empty form", null, { isSaved: false, revision: 0 }, text("")],
])("a discard leaves %s and can be undone", (_, left, { isSaved, revision }, body) => {
  const state = reduceAll({ type: "discarded", publication: left, emptyBody: text("") });
  expect(state).toMatchObject({ isSaved, undo: typedText });
  expect(state.form).toEqual({ revision, base: left ? body : null, body, formKey: 6 });
  expect(reduceEditor(state, { type: "brought_back" }).form?.body).toBe(typedText);
});

test("events before the first server answer change nothing", () => {
  const empty = { ...start, form: null };
  for (const type of ["deleted", "brought_back", "remote_taken"] as const) {
    expect(reduceEditor(empty, { type }).form).toBeNull();
  }
  expect(reduceEditor(empty, { type: "typed", body: typedText }).form).toBeNull();
});
