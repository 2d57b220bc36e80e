import { type DraftForm, getServerBody, reconcile } from "#operator/publishing/draftState.ts";
import type { Body, Publication } from "#operator/publishing/kinds.ts";

/** One publication in the editor. */
export interface EditorState {
  /** True if it exists on the server. */
  isSaved: boolean;
  /** Null until the server has answered. */
  form: DraftForm | null;
  /** Another operator's change, made while this form was being edited; null if none. */
  remotePublication: Publication | null;
  /** The body removed by a discard or by taking the remote version, so that it can be restored. */
  undo: Body | null;
}

export type EditorAction =
  /** The server's current state. */
  | { type: "server_answered"; publication: Publication }
  /** It no longer exists on the server. */
  | { type: "deleted" }
  | { type: "typed"; body: Body }
  /** Replaces the form's body, unsaved. */
  | { type: "replaced"; body: Body }
  | { type: "saved"; publication: Publication; sentBody: Body }
  /** The draft was discarded; `left` is what was published before, or an empty form. */
  | { type: "discarded"; publication: Publication | null; emptyBody: Body }
  | { type: "brought_back" }
  | { type: "remote_taken" };

/**
 * Input is never lost: whatever replaces it here was requested, and can be undone if it was
 * unsaved.
 */
export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { form, remotePublication, undo } = state;
  switch (action.type) {
    case "server_answered": {
      const { publication } = action;
      const reconciled = reconcile(form, publication);
      return {
        ...state,
        form: reconciled.form,
        remotePublication: reconciled.hasConflict ? publication : null,
      };
    }
    case "deleted":
      // Discarded by another operator: the input here can be saved as a new draft.
      if (!form) return state;
      return {
        ...state,
        isSaved: false,
        remotePublication: null,
        form: { ...form, revision: 0, base: null },
      };
    case "typed":
      return { ...state, form: form && { ...form, body: action.body } };
    case "replaced":
      return { ...state, form: form && withBody(form, action.body) };
    case "saved":
      return {
        isSaved: true,
        form: rebaseForm(form, action.publication, action.sentBody),
        remotePublication: null,
        undo: null,
      };
    case "discarded":
      return {
        ...replaceForm(state, action.publication, action.emptyBody),
        undo: form?.body ?? null,
      };
    case "brought_back":
      return { ...state, form: form && undo ? withBody(form, undo) : form, undo: null };
    case "remote_taken":
      if (!remotePublication || !form) return state;
      return { ...replaceForm(state, remotePublication, form.body), undo: form.body };
  }
}

/** Replaces the body and remounts the inputs. */
function withBody(form: DraftForm, body: Body): DraftForm {
  return { ...form, body, formKey: form.formKey + 1 };
}

/**
 * After a save only what was sent counts as saved, since typing may have continued in the meantime.
 */
function rebaseForm(form: DraftForm | null, publication: Publication, sentBody: Body): DraftForm {
  const base = getServerBody(publication);
  const body = form !== null && form.body !== sentBody ? form.body : base;
  return { revision: publication.revision, base, body, formKey: form?.formKey ?? 0 };
}

/** Sets the form to what the server has, or to empty if it has nothing. */
function replaceForm(
  state: EditorState,
  publication: Publication | null,
  empty: Body,
): EditorState {
  const formKey = (state.form?.formKey ?? 0) + 1;
  if (!publication) {
    return {
      ...state,
      isSaved: false,
      remotePublication: null,
      form: { revision: 0, base: null, body: empty, formKey },
    };
  }
  const base = getServerBody(publication);
  const form = { revision: publication.revision, base, body: base, formKey };
  return { ...state, isSaved: true, remotePublication: null, form };
}
