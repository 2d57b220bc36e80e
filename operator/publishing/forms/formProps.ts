import type { PostLanguage } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { type Problems, problemAt } from "#operator/publishing/usePreview.ts";

export interface FormProps<Body> {
  body: Body;
  onChange: (body: Body) => void;
  problems: Problems;
  /** The language that is written, for bodies with texts. */
  language: PostLanguage;
  onLanguage: (language: PostLanguage) => void;
  /** Somebody sees or saw it: what it is about stays. */
  fixed: boolean;
}

/** What is wrong at a place, as a sentence; what a box says by itself (too long) is left to it. */
export function useFault(problems: Problems): (at: string) => string | undefined {
  const t = useText();
  return (at) => {
    const problem = problemAt(problems, at);
    if (!problem) return undefined;
    if (problem.error === "publishing.text_missing")
      return t(at.startsWith("languages.") ? "publishing.missing" : "publishing.missingHere");
    return problem.message;
  };
}
