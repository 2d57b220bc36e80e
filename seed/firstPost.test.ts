import { expect, test } from "vitest";
import { findRealChain } from "#core/addresses/addressChains.ts";
import { type NewsText, postLanguages, textMax } from "#core/publishing/bodies.ts";
import { parseMarkdown } from "#core/publishing/markdown.ts";
import { findTextProblems } from "#core/publishing/textRule.ts";
import { firstPost } from "#seed/firstPost.ts";

const { languages } = firstPost();

test("the first post exists in every language with the same structure", () => {
  expect(Object.keys(languages).toSorted()).toEqual([...postLanguages].toSorted());
  const builds = postLanguages.map((language) =>
    parseMarkdown(languages[language]!.body).map(({ kind }) => kind),
  );
  for (const build of builds) expect(build).toEqual(builds[0]);
});

test.each(
  postLanguages,
)("the first post in %s obeys the text rule and the length limits", (language) => {
  const text = languages[language] as NewsText;
  const { title, summary, body } = text;
  expect(findTextProblems([title, summary, body].join("\n\n"), findRealChain)).toEqual([]);
  const { newsTitle, newsSummary, newsBody } = textMax;
  expect([
    title.length <= newsTitle,
    summary.length <= newsSummary,
    body.length <= newsBody,
  ]).toEqual([true, true, true]);
});
