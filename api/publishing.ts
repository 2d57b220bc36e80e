import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { id, nothing, pageOf, paging, timeMs } from "#api/shapes.ts";
import { noticeSeverities, noticeTypes, postLanguages, textMax } from "#core/publishing/bodies.ts";

/** The language that a text is in: the reader's, or the one it is shown in for want of theirs. */
export const postLanguage = z.enum(postLanguages);

const postFields = {
  post_id: id,
  /** A changed post has a new version; it does not become unread again. */
  version: z.int(),
  language: postLanguage,
  /** Every language that it was written in. */
  languages: z.array(postLanguage),
  title: z.string(),
  summary: z.string(),
  /** Real time of the first version, and of this one when it is another. */
  published_at_ms: timeMs,
  changed_at_ms: z.nullable(timeMs),
  /** Who says it: whoever runs the instance, or the software itself. */
  author: z.enum(["operator", "software"]),
  /** Null without a session: then the client keeps its own marks. */
  read: z.nullable(z.boolean()),
};
const newsItem = z.object(postFields);
export type NewsItem = z.infer<typeof newsItem>;
/**
 * A post in full. `body` is Markdown without HTML and pictures; its links are https or paths of
 * this instance.
 */
export const newsPost = z.object({ ...postFields, body: z.string() });
export type NewsPost = z.infer<typeof newsPost>;

export const getNewsList = defineCall({
  method: "GET",
  path: "/api/index/getNewsList",
  summary: "News in the language of the request, newest first; each says which language it is in",
  access: "public",
  input: z.object(paging),
  answer: pageOf(newsItem),
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

/** Most posts marked in one call. */
const readMax = 100;

export const markNewsRead = defineCall({
  method: "POST",
  path: "/api/index/markNewsRead",
  summary:
    "Marks posts as read by this person; again changes nothing, unknown ones are passed over",
  access: "user",
  input: z.object({ post_ids: z.array(id).check(z.minLength(1), z.maxLength(readMax)) }),
  answer: nothing,
  errors: [],
});

const noticeType = z.enum(noticeTypes);
export const notice = z.object({
  notice_id: id,
  /** One that was dismissed comes back only with a new version. */
  version: z.int(),
  type: noticeType,
  severity: z.enum(noticeSeverities),
  language: postLanguage,
  /** Empty in a bar. */
  title: z.string(),
  text: z.string(),
  /** Real time after which it is shown no more; null: until it is withdrawn. */
  until_ms: z.nullable(timeMs),
});
export type Notice = z.infer<typeof notice>;

export const findNotice = defineCall({
  method: "GET",
  path: "/api/index/findNotice",
  summary:
    "The newest notice of a type that stands now, in the language of the request; null without one",
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
  summary:
    "Links to help and to support that the operator of this instance published, oldest first",
  access: "public",
  input: z.object({ kind: z.optional(z.enum(["help", "support"])) }),
  answer: z.object({ items: z.array(publishedLink) }),
  errors: [],
});

export const calls = { getNewsList, getNews, markNewsRead, findNotice, getHelpLinks };
