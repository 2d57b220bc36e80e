import type { Body, Publication } from "#operator/publishing/kinds.ts";

/** What stands in the form. */
export interface Form {
  /** The revision that it was made on; 0: there is none yet. */
  revision: number;
  /** What the server had at that revision; null: nothing. */
  base: Body | null;
  body: Body;
  /** Another one whenever the body was replaced from outside, so that boxes begin anew. */
  formKey: number;
}

/** What an operator works on: the draft, or what is published where there is none. */
export function serverBody(publication: Pick<Publication, "draft" | "published">): Body {
  return (publication.draft ?? publication.published) as Body;
}

/** Whether two bodies say the same, whatever the order of their parts. */
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

export const isDirty = (form: Form): boolean => !isSame(form.body, form.base);

/**
 * What becomes of a form when the server tells where a publication stands now. What was typed is
 * never dropped: when somebody else changed the words meanwhile, the form stays as it is and
 * `conflict` is true.
 */
export function reconcile(
  form: Form | null,
  fresh: Pick<Publication, "revision" | "draft" | "published">,
): { form: Form; conflict: boolean } {
  const { revision } = fresh;
  const body = serverBody(fresh);
  if (!form) return { form: { revision, base: body, body, formKey: 0 }, conflict: false };
  if (revision <= form.revision) return { form, conflict: false };
  if (isSame(form.body, body)) return { form: { ...form, revision, base: body }, conflict: false };
  if (!isDirty(form))
    return { form: { revision, base: body, body, formKey: form.formKey + 1 }, conflict: false };
  // Published, scheduled or withdrawn meanwhile: the words that the form began with still stand.
  if (isSame(form.base, body)) return { form: { ...form, revision }, conflict: false };
  return { form, conflict: true };
}
