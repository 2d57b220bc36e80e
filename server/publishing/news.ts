import { sql } from "kysely";
import type { NewsItem, NewsPost } from "#api/publishing.ts";
import {
  chooseText,
  type NewsBody,
  type PostLanguage,
  postLanguages,
} from "#core/publishing/bodies.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Publications } from "#server/publishing/publications.ts";
import { type PublicationRow, software } from "#server/publishing/types.ts";

/** Maximum read marks kept per person; the oldest posts were read long ago. */
const readMarksMax = 1_000;

/** The reader and their language. */
export interface Reader {
  userId: string | null;
  language: PostLanguage;
}

/** News as people read it, and which posts a person has opened. */
export function createNews(
  { database: { db } }: Pick<AppContext, "database">,
  publications: Publications,
) {
  const readBy = async (userId: string | null): Promise<Set<string> | null> => {
    if (userId === null) return null;
    const { rows } = await sql<{ publication_id: string }>`
      select publication_id from news_read where user_id = ${userId} limit ${readMarksMax}`.execute(
      db,
    );
    return new Set(rows.map((row) => row.publication_id));
  };
  return {
    /** A page, newest first. `before` is the `seq` returned with the first page. */
    list: async (
      reader: Reader,
      page: { before: bigint | null; skip: number; take: number },
    ): Promise<{ items: NewsItem[]; hasMore: boolean; before: bigint | null }> => {
      const [livePosts, readIds] = await Promise.all([
        publications.live("news"),
        readBy(reader.userId),
      ]);
      const stable = livePosts.filter(({ row }) => page.before === null || row.seq <= page.before);
      const before =
        page.before ??
        stable.reduce<bigint | null>(
          (top, { row }) => (top === null || row.seq > top ? row.seq : top),
          null,
        );
      const shownPosts = stable.slice(page.skip, page.skip + page.take);
      return {
        items: shownPosts.map(({ row, body }) =>
          withoutBody(toNewsView(row, body, reader.language, readIds)),
        ),
        hasMore: stable.length > page.skip + page.take,
        before,
      };
    },
    /** Throws `publishing.unknown`. */
    read: async (reader: Reader, id: string): Promise<NewsPost> => {
      const [livePosts, readIds] = await Promise.all([
        publications.live("news"),
        readBy(reader.userId),
      ]);
      const liveItem = livePosts.find(({ row }) => row.id === id);
      if (!liveItem) throw new ApiError("publishing.unknown");
      return toNewsView(liveItem.row, liveItem.body, reader.language, readIds);
    },
    mark: async (userId: string, ids: readonly string[]): Promise<void> => {
      const livePosts = await publications.live("news");
      const knownIds = livePosts.map(({ row }) => row.id).filter((id) => ids.includes(id));
      if (knownIds.length === 0) return;
      await sql`insert into news_read (user_id, publication_id)
        select ${userId}, id from unnest(${knownIds}::uuid[]) t (id) on conflict do nothing`.execute(
        db,
      );
    },
    /** A person's stored data: the titles are public, which of them were opened is personal. */
    exportFor: async (userId: string): Promise<{ json: unknown }> => ({
      json: { news_read: [...((await readBy(userId)) ?? [])] },
    }),
    erase: async (userId: string): Promise<void> => {
      await sql`delete from news_read where user_id = ${userId}`.execute(db);
    },
  };
}
export type News = ReturnType<typeof createNews>;

/** A post in a reader's language. */
export function toNewsView(
  row: Pick<PublicationRow, "id" | "firstPublishedAtMs" | "live">,
  body: NewsBody,
  language: PostLanguage,
  readIds: ReadonlySet<string> | null,
): NewsPost {
  const { version, publishedAtMs, publishedBy, leaf } = row.live!;
  const text = chooseText(body.languages, language);
  const firstMs = row.firstPublishedAtMs ?? publishedAtMs;
  return {
    post_id: row.id,
    version,
    language: text?.language ?? language,
    languages: postLanguages.filter((postLanguage) => body.languages[postLanguage] !== undefined),
    title: text?.text.title ?? "",
    summary: text?.text.summary ?? "",
    body: text?.text.body ?? "",
    published_at_ms: firstMs,
    changed_at_ms: publishedAtMs === firstMs ? null : publishedAtMs,
    author: publishedBy === software ? "software" : "operator",
    read: readIds === null ? null : readIds.has(row.id),
    leaf,
  };
}

function withoutBody(post: NewsPost): NewsItem {
  const { body: _, leaf: __, ...item } = post;
  return item;
}
