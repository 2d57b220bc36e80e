import type { Kind } from "#core/publishing/bodies.ts";
import type { Form } from "#operator/publishing/draftState.ts";

/**
 * What was typed and not saved yet, in this tab's own storage: it outlasts a lost session, a reload and a server that does not answer,
 * and goes with the tab.
 */
const prefix = "publishing/";
const keyOf = (kind: Kind, id: string) => `${prefix}${kind}/${id}`;

/**
 * Drafts survive a lost session, an ended elevation and a reload here, with the revision they were
 * made on. Conflicts are shown and never merged: two sentences that are each right may promise
 * something together.
 */
export function readKept(kind: Kind, id: string): Form | null {
  try {
    const text = sessionStorage.getItem(keyOf(kind, id));
    const kept = text === null ? null : (JSON.parse(text) as Form);
    return kept && typeof kept.revision === "number" && kept.body ? kept : null;
  } catch {
    return null;
  }
}

export function keep(kind: Kind, id: string, form: Form | null): void {
  try {
    if (form === null) sessionStorage.removeItem(keyOf(kind, id));
    else sessionStorage.setItem(keyOf(kind, id), JSON.stringify(form));
  } catch {
    // Storage is refused or full: the form itself still holds what was typed.
  }
}

/** Ids of what was typed here and not saved; `isNew` are those that the server does not know. */
export function listKept(kind: Kind): { id: string; isNew: boolean }[] {
  try {
    const start = keyOf(kind, "");
    const ids = Object.keys(sessionStorage).filter((key) => key.startsWith(start));
    return ids.map((key) => {
      const id = key.slice(start.length);
      return { id, isNew: readKept(kind, id)?.revision === 0 };
    });
  } catch {
    return [];
  }
}
