import type { Kind } from "#core/publishing/bodies.ts";
import type { DraftForm } from "#operator/publishing/draftState.ts";
import { tabStorage } from "#web/lib/storage.ts";

/**
 * Drafts are kept in this tab's session storage, with the revision they are based on: they survive
 * a lost session, an ended elevation, a reload and a server that does not answer, and end with the
 * tab. Conflicts are shown and never merged: two sentences, each allowed on its own, may together
 * promise something.
 */
const storageKey = (kind: Kind, id: string) => `publishing/${kind}/${id}` as const;

/** Null if there is none or it is malformed. */
export function readStoredDraft(kind: Kind, id: string): DraftForm | null {
  const storedForm = tabStorage.readJson(storageKey(kind, id)) as DraftForm | null;
  return storedForm && typeof storedForm.revision === "number" && storedForm.body
    ? storedForm
    : null;
}

/** Null deletes it. If storage is refused or full, the form itself still holds the input. */
export function storeDraft(kind: Kind, id: string, form: DraftForm | null): void {
  tabStorage.write(storageKey(kind, id), form && JSON.stringify(form));
}

/** Ids of unsaved input in this tab; `isNew` marks those the server does not know. */
export function listStoredDrafts(kind: Kind): { id: string; isNew: boolean }[] {
  const start = storageKey(kind, "");
  return tabStorage.names(start).map((name) => {
    const id = name.slice(start.length);
    return { id, isNew: readStoredDraft(kind, id)?.revision === 0 };
  });
}
