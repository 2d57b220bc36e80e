import { useEffect, useState } from "react";
import type { Preview, PublishingProblem } from "#api/operator/publishing.ts";
import type { Kind, PostLanguage } from "#core/publishing/bodies.ts";
import { type Body, callsOf } from "#operator/publishing/kinds.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** After so much quiet the server is asked what people would see. */
const quietMs = 350;

/**
 * What people would see of a body, what it comes to, and what forbids publishing it: the server's
 * own answer, as one types.
 */
export function usePreview(kind: Kind, body: Body, language: PostLanguage) {
  const [settled, setSettled] = useState(body);
  useEffect(() => {
    if (settled === body) return;
    const timer = setTimeout(() => setSettled(body), quietMs);
    return () => clearTimeout(timer);
  }, [body, settled]);
  const asked = useApiQuery(
    callsOf(kind).preview,
    { body: settled, language },
    // A machine's figures follow the market while nobody types.
    { keepPrevious: true, staleMs: 10_000, ...(kind === "machine" ? { refetchMs: 15_000 } : {}) },
  );
  return {
    preview: (asked.data as Preview | undefined) ?? null,
    error: asked.error,
    /** What is shown is not of the last words typed yet. */
    behind: settled !== body || asked.isPlaceholderData,
  };
}

export type Problems = readonly PublishingProblem[];

/** The first problem at exactly this place of the body. */
export function problemAt(problems: Problems, at: string): PublishingProblem | undefined {
  return problems.find((problem) => problem.at === at);
}
