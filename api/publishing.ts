import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { noticeSeverities, noticeTypes, postLanguages, textMax } from "#core/publishing/bodies.ts";

/** The language a text is in: the reader's, or the one it falls back to. */
export const postLanguage = z.enum(postLanguages);

const postFields = {
  post_id: id,
  /** A changed post has a new version; it does not become unread again. */
  version: z.int(),
  language: postLanguage,
  /** Every language it was written in. */
  languages: z.array(postLanguage),
  title: z.string(),
  summary: z.string(),
  /** Real time of the first version, and of this one if it is a later one. */
  published_at_ms: timeMs,
  changed_at_ms: z.nullable(timeMs),
  /** The author: the operator of the instance, or the software itself. */
  author: z.enum(["operator", "software"]),
  /** Null without a session; the client then tracks read posts itself. */
  read: z.nullable(z.boolean()),
};
const newsItem = z.object(postFields);
export type NewsItem = z.infer<typeof newsItem>;
/**
 * A post in full. `body` is Markdown without HTML or pictures; its links are https or paths of this
 * instance.
 */
export const newsPost = z.object({
  ...postFields,
  body: z.string(),
  /** Index of its leaf in the log (docs/formats/audit.md); null in a preview. */
  leaf: z.nullable(z.int()),
});
export type NewsPost = z.infer<typeof newsPost>;

export const getNewsList = defineCall({
  method: "GET",
  path: "/api/index/getNewsList",
  summary:
    "News in the language of the request, newest first; each post names the language it is in",
  access: "public",
  input: z.object(paging),
  answer: pageSchema(newsItem),
  errors: [],
});

export const getNews = defineCall({
  method: "GET",
  path: "/api/index/getNews",
  summary: "One post in full",
  access: "public",
  input: z.object({ post_id: id }),
  answer: newsPost,
  errors: ["publishing.unknown"],
});

/** Most posts per call. */
const readMax = 100;

export const markNewsRead = defineCall({
  method: "POST",
  path: "/api/index/markNewsRead",
  summary: "Marks posts as read by this person; idempotent, and unknown ids are ignored",
  access: "user",
  input: z.object({ post_ids: z.array(id).check(z.minLength(1), z.maxLength(readMax)) }),
  answer: nothing,
  errors: [],
});

const noticeType = z.enum(noticeTypes);
export const notice = z.object({
  notice_id: id,
  /** A dismissed notice reappears only with a new version. */
  version: z.int(),
  type: noticeType,
  severity: z.enum(noticeSeverities),
  language: postLanguage,
  /** Empty for a bar. */
  title: z.string(),
  text: z.string(),
  /** Real time after which it is no longer shown; null until unpublished. */
  until_ms: z.nullable(timeMs),
});
export type Notice = z.infer<typeof notice>;

export const findNotice = defineCall({
  method: "GET",
  path: "/api/index/findNotice",
  summary:
    "The newest current notice of a type, in the language of the request; null if there is none",
  access: "public",
  input: z.object({ type: noticeType }),
  answer: z.object({ notice: z.nullable(notice) }),
  errors: [],
});

export const publishedLink = z.object({
  link_id: id,
  kind: z.enum(["help", "support"]),
  language: postLanguage,
  title: z.string(),
  /** An https address with a host name; never a messenger's. */
  url: z.string().check(z.maxLength(textMax.url)),
  host: z.string(),
});
export type PublishedLink = z.infer<typeof publishedLink>;

export const getHelpLinks = defineCall({
  method: "GET",
  path: "/api/index/getHelpLinks",
  summary: "Help and support links published by the operator of this instance, oldest first",
  access: "public",
  input: z.object({ kind: z.optional(z.enum(["help", "support"])) }),
  answer: z.object({ items: z.array(publishedLink) }),
  errors: [],
});

export const calls = { getNewsList, getNews, markNewsRead, findNotice, getHelpLinks };
