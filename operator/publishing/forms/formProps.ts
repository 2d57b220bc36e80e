import type { PostLanguage } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { findProblem, type PublishingProblems } from "#operator/publishing/usePreview.ts";

export interface FormProps<Body> {
  body: Body;
  onChange: (body: Body) => void;
  problems: PublishingProblems;
  /** The language being edited, for bodies with texts. */
  language: PostLanguage;
  onLanguage: (language: PostLanguage) => void;
  /** It is or was visible to people: its subject can no longer change. */
  fixed: boolean;
}

/**
 * The problem at a field, as a sentence; problems that a box reports itself (too long) are left to
 * it.
 */
export function useProblemMessage(
  problems: PublishingProblems,
): (at: string) => string | undefined {
  const t = useText();
  return (path) => {
    const problem = findProblem(problems, path);
    if (!problem) return undefined;
    if (problem.error === "publishing.text_missing")
      return t(path.startsWith("languages.") ? "publishing.missing" : "publishing.missingHere");
    return problem.message;
  };
}
