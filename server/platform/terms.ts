import type { Locale } from "#core/locales.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { Messages } from "#server/platform/http/language.ts";

/**
 * Version of the practice terms. A change of meaning increments it, and everyone is asked again.
 */
export const termsVersion = 4;

const paragraphKeys = [
  "practice-terms.what",
  "practice-terms.money",
  "practice-terms.custody",
  "practice-terms.results",
  "practice-terms.options",
  "practice-terms.adults",
  "practice-terms.fairness",
  "practice-terms.machine",
  "practice-terms.operator",
  "practice-terms.stored",
  "practice-terms.accepting",
];

export interface Terms {
  version: number;
  title: string;
  paragraphs: string[];
  /** Title and paragraphs as one text, as shown: what an acceptance stores and hashes. */
  text: string;
}

/** The practice terms of this instance in one language. They name its operator. */
export function buildPracticeTerms(
  messages: Messages,
  language: Locale,
  operator: Config["operator"],
): Terms {
  const toText = (key: string, values?: Record<string, string>) =>
    messages.format(language, key, values);
  const name = operator.name ?? toText("practice-terms.operator_unnamed");
  const contact = operator.contact ?? toText("practice-terms.contact_unnamed");
  const title = toText("practice-terms.title");
  const paragraphs = paragraphKeys.map((key) => toText(key, { name, contact }));
  return { version: termsVersion, title, paragraphs, text: [title, ...paragraphs].join("\n\n") };
}
