import type { Body, Publication } from "#operator/publishing/kinds.ts";

/** The content of the form. */
export interface DraftForm {
  /** The revision it is based on; 0 if none exists yet. */
  revision: number;
  /** The server's body at that revision; null if nothing. */
  base: Body | null;
  body: Body;
  /** Changes whenever the body is replaced from outside, so that the inputs remount. */
  formKey: number;
}

/** The body that an operator edits: the draft, or the published body if there is none. */
export function getServerBody(publication: Pick<Publication, "draft" | "published">): Body {
  return (publication.draft ?? publication.published) as Body;
}

/** Returns true if two bodies are equal, regardless of the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export const isDirty = (form: DraftForm): boolean => !isSame(form.body, form.base);

/**
 * Reconciles a form with the server's current publication. Input is never dropped: if another
 * operator changed the text in the meantime, the form stays as it is and `conflict` is true.
 */
export function reconcile(
  form: DraftForm | null,
  publication: Pick<Publication, "revision" | "draft" | "published">,
): { form: DraftForm; hasConflict: boolean } {
  const { revision } = publication;
  const body = getServerBody(publication);
  if (!form) return { form: { revision, base: body, body, formKey: 0 }, hasConflict: false };
  if (revision <= form.revision) return { form, hasConflict: false };
  if (isSame(form.body, body))
    return { form: { ...form, revision, base: body }, hasConflict: false };
  if (!isDirty(form))
    return { form: { revision, base: body, body, formKey: form.formKey + 1 }, hasConflict: false };
  // Published, scheduled or unpublished in the meantime: the text that the form is based on is
  // unchanged.
  if (isSame(form.base, body)) return { form: { ...form, revision }, hasConflict: false };
  return { form, hasConflict: true };
}
