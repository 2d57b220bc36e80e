import type { Bodies, PublicationLine, PublishingProblem } from "#api/operator/publishing.ts";
import {
  type ByLanguage,
  chooseText,
  type Kind,
  type PostLanguage,
} from "#core/publishing/bodies.ts";
import { getPublicationState, isLive } from "#core/publishing/change.ts";
import type { Messages } from "#server/platform/http/language.ts";
import type { DraftProblem, PublicationRow } from "#server/publishing/types.ts";

/** A reason in the operator's language. */
export function toProblemView(
  messages: Messages,
  language: PostLanguage,
  { error, field, data }: DraftProblem,
): PublishingProblem {
  return { error, at: field, message: messages.format(language, error, data) };
}

export function toHeadView(row: PublicationRow, messages: Messages, language: PostLanguage) {
  const problems = row.refused === null ? [] : (JSON.parse(row.refused) as DraftProblem[]);
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    state: getPublicationState(row),
    revision: row.revision,
    live: isLive(row),
    has_draft: row.hasDraft,
    version: row.version,
    publish_at_ms: row.publishAtMs,
    published_at_ms: row.live?.publishedAtMs ?? null,
    changed_at_ms: row.changedAtMs,
    changed_by: row.changedBy,
    published_by: row.live?.publishedBy ?? null,
    refused: problems.map((problem) => toProblemView(messages, language, problem)),
  };
}

export function toLineView(
  row: PublicationRow,
  messages: Messages,
  language: PostLanguage,
): PublicationLine {
  const body = getBody(row);
  return { ...toHeadView(row, messages, language), title: formatTitle(row.kind, body, language) };
}

/** The body that an operator edits: the draft, or the published body if there is none. */
export function getBody(row: PublicationRow): Bodies[Kind] {
  return JSON.parse(row.draft ?? row.live!.body) as Bodies[Kind];
}

function formatTitle(kind: Kind, body: Bodies[Kind], language: PostLanguage): string {
  switch (kind) {
    case "contract_tiers":
      return (body as Bodies["contract_tiers"]).symbol;
    case "pool":
      return (body as Bodies["pool"]).pool_id;
    case "machine":
      return (body as Bodies["machine"]).model;
    default: {
      const { languages } = body as { languages: ByLanguage<{ title: string; text?: string }> };
      const text = chooseText(languages, language)?.text;
      return text?.title || text?.text || "";
    }
  }
}
