import { useEffect, useState } from "react";
import type { Preview, PublishingProblem } from "#api/operator/publishing.ts";
import type { Kind, PostLanguage } from "#core/publishing/bodies.ts";
import { type Body, getCalls } from "#operator/publishing/kinds.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Idle time after which the server is asked for a preview. */
const quietMs = 350;

/**
 * Preview, key figures and publishing problems of a body: the server's own answer, while typing.
 */
export function usePreview(kind: Kind, body: Body, language: PostLanguage) {
  const [settledBody, setSettledBody] = useState(body);
  useEffect(() => {
    if (settledBody === body) return;
    const timer = setTimeout(() => setSettledBody(body), quietMs);
    return () => clearTimeout(timer);
  }, [body, settledBody]);
  const query = useApiQuery(
    getCalls(kind).preview,
    { body: settledBody, language },
    // A machine's figures follow the market even without input.
    { keepPrevious: true, staleMs: 10_000, ...(kind === "machine" ? { refetchMs: 15_000 } : {}) },
  );
  return {
    preview: (query.data as Preview | undefined) ?? null,
    error: query.error,
    /** The preview does not reflect the latest input yet. */
    behind: settledBody !== body || query.isPlaceholderData,
  };
}

export type PublishingProblems = readonly PublishingProblem[];

/** The first problem at exactly this location in the body. */
export function findProblem(
  problems: PublishingProblems,
  path: string,
): PublishingProblem | undefined {
  return problems.find((problem) => problem.at === path);
}
