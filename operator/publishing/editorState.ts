import { type Form, reconcile, serverBody } from "#operator/publishing/draftState.ts";
import type { Body, Publication } from "#operator/publishing/kinds.ts";

/** One publication being worked on. */
export interface EditorState {
  /** Whether the server has it. */
  saved: boolean;
  /** Null until the server has said what it holds. */
  form: Form | null;
  /** What somebody else made of it while this form was being typed in; null: nobody did. */
  remote: Publication | null;
  /** What a discard or taking the remote version put away, to be brought back. */
  undo: Body | null;
}

export type EditorAction =
  /** The server tells where it stands now. */
  | { type: "told"; publication: Publication }
  /** The server does not know it any more. */
  | { type: "gone" }
  | { type: "typed"; body: Body }
  /** Another body in the form, as unsaved. */
  | { type: "replaced"; body: Body }
  | { type: "saved"; publication: Publication; sent: Body }
  /** The draft was thrown away; `left` is what was published before, or an empty form. */
  | { type: "discarded"; left: Publication | null; empty: Body }
  | { type: "brought_back" }
  | { type: "remote_taken" };

/**
 * What is typed is never lost: whatever replaces it here was asked for, and can be undone where it
 * was not saved.
 */
export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { form, remote, undo } = state;
  switch (action.type) {
    case "told": {
      const { publication } = action;
      const met = reconcile(form, publication);
      return { ...state, form: met.form, remote: met.conflict ? publication : null };
    }
    case "gone":
      // Discarded by somebody else: what is typed here can be saved as a draft of its own.
      if (!form) return state;
      return { ...state, saved: false, remote: null, form: { ...form, revision: 0, base: null } };
    case "typed":
      return { ...state, form: form && { ...form, body: action.body } };
    case "replaced":
      return { ...state, form: form && withBody(form, action.body) };
    case "saved":
      return {
        saved: true,
        form: afterSave(form, action.publication, action.sent),
        remote: null,
        undo: null,
      };
    case "discarded":
      return { ...takeOver(state, action.left, action.empty), undo: form?.body ?? null };
    case "brought_back":
      return { ...state, form: form && undo ? withBody(form, undo) : form, undo: null };
    case "remote_taken":
      if (!remote || !form) return state;
      return { ...takeOver(state, remote, form.body), undo: form.body };
  }
}

/** Another body, so that boxes begin anew. */
function withBody(form: Form, body: Body): Form {
  return { ...form, body, formKey: form.formKey + 1 };
}

/** After a save only what was sent counts as saved, for somebody may have typed on meanwhile. */
function afterSave(form: Form | null, publication: Publication, sent: Body): Form {
  const base = serverBody(publication);
  const body = form !== null && form.body !== sent ? form.body : base;
  return { revision: publication.revision, base, body, formKey: form?.formKey ?? 0 };
}

/** The form holds what the server has, or is empty where it has nothing. */
function takeOver(state: EditorState, publication: Publication | null, empty: Body): EditorState {
  const formKey = (state.form?.formKey ?? 0) + 1;
  if (!publication) {
    return {
      ...state,
      saved: false,
      remote: null,
      form: { revision: 0, base: null, body: empty, formKey },
    };
  }
  const base = serverBody(publication);
  const form = { revision: publication.revision, base, body: base, formKey };
  return { ...state, saved: true, remote: null, form };
}
