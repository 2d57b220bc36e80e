import type { ErrorName } from "#api/errors.ts";
import { findRealChain } from "#core/addresses/addressChains.ts";
import {
  type ByLanguage,
  type LinkBody,
  type NewsBody,
  type NoticeBody,
  textMax,
} from "#core/publishing/bodies.ts";
import { parseLink } from "#core/publishing/links.ts";
import { findTextProblems, type TextProblem } from "#core/publishing/textRule.ts";
import type { DraftProblem } from "#server/publishing/types.ts";

interface TextSegment {
  at: string;
  text: string;
  most: number;
  /** May be empty. */
  free?: boolean;
}

/**
 * Problems that prevent texts from being published: missing, too long, or against the rules for
 * texts here.
 */
export function checkTexts(parts: readonly TextSegment[]): DraftProblem[] {
  return parts.flatMap(({ at, text, most, free }): DraftProblem[] => {
    if (text.trim() === "")
      return free ? [] : [{ error: "publishing.text_missing", field: at, data: { at } }];
    if (text.length > most)
      return [{ error: "publishing.text_too_long", field: at, data: { at, most } }];
    return findTextProblems(text, findRealChain).map((fault) => findProblem(fault, at));
  });
}

function findProblem({ fault, phrase, chain }: TextProblem, field: string): DraftProblem {
  const error: ErrorName = `publishing.${fault}`;
  return { error, field: field, data: { phrase, chain: chain ?? "" } };
}

function getSegments<Text extends object>(
  languages: ByLanguage<Text>,
  lengthsMax: Record<keyof Text, number>,
  free: readonly (keyof Text)[] = [],
): TextSegment[] {
  const names = Object.keys(lengthsMax) as (keyof Text & string)[];
  return Object.entries(languages).flatMap(([language, text]) =>
    text === undefined
      ? []
      : names.map((name) => ({
          at: `languages.${language}.${name}`,
          text: String(text[name]),
          most: lengthsMax[name],
          free: free.includes(name),
        })),
  );
}

function languageMissing(languages: ByLanguage<unknown>): DraftProblem[] {
  return Object.keys(languages).length > 0
    ? []
    : [{ error: "publishing.language_missing", field: "languages", data: {} }];
}

export function checkNews({ languages }: NewsBody): DraftProblem[] {
  const { newsTitle: title, newsSummary: summary, newsBody: body } = textMax;
  return [
    ...languageMissing(languages),
    ...checkTexts(getSegments(languages, { title, summary, body })),
  ];
}

/** A notice whose end has passed cannot be published. Real time. */
export function checkNotice(
  { type, from_ms: fromMs, until_ms: untilMs, languages }: NoticeBody,
  nowMs: number,
): DraftProblem[] {
  const { noticeTitle: title, noticeText: text } = textMax;
  const ends = untilMs !== null && untilMs <= Math.max(nowMs, fromMs ?? 0);
  return [
    ...(ends ? [{ error: "publishing.period_wrong" as const, field: "until_ms", data: {} }] : []),
    ...languageMissing(languages),
    ...checkTexts(getSegments(languages, { title, text }, type === "bar" ? ["title"] : [])),
  ];
}

export function checkLink({ url, languages }: LinkBody): DraftProblem[] {
  const tooLong: ReturnType<typeof parseLink> = { ok: false, error: "link_not_https" };
  const result = url.length <= textMax.url ? parseLink(url) : tooLong;
  const link = result.ok
    ? checkTexts([{ at: "url", text: url, most: textMax.url }])
    : [findProblem({ fault: result.error, phrase: url.slice(0, 80) }, "url")];
  return [
    ...link,
    ...languageMissing(languages),
    ...checkTexts(getSegments(languages, { title: textMax.linkTitle })),
  ];
}
