import { readFileSync } from "node:fs";
import { join } from "node:path";
import { locales } from "#core/locales.ts";
import type { NewsBody, NewsText } from "#core/publishing/bodies.ts";

/**
 * The first post of every world, marked as written by the software: what an instance is, and how to
 * check its statements. It states nothing specific to one instance. One file per language in
 * `seed/first-post`: a heading, which is the title, a paragraph, which is the summary, and the
 * text.
 */
export function firstPost(): NewsBody {
  return { languages: Object.fromEntries(locales.map((locale) => [locale, readPost(locale)])) };
}

function readPost(name: string): NewsText {
  const text = readFileSync(join(import.meta.dirname, "first-post", `${name}.md`), "utf8");
  const [, title, summary, body] = /^# (.+)\n\n(.+)\n\n([\s\S]+)\n$/.exec(text) ?? [];
  if (!title || !summary || !body) throw new Error(`${name}.md is not a post`);
  return { title, summary, body };
}
