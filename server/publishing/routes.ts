import { findNotice, getHelpLinks, getNews, getNewsList, markNewsRead } from "#api/publishing.ts";
import type { App } from "#server/platform/http/context.ts";
import { parseCursor } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";
import type { Links } from "#server/publishing/links.ts";
import type { News } from "#server/publishing/news.ts";
import type { Notices } from "#server/publishing/notices.ts";

export interface PublishedContent {
  news: News;
  notices: Notices;
  links: Links;
}

/** Mounts every call of `api/publishing.ts`. */
export function newsRoutes(app: App, { news, notices, links }: PublishedContent): void {
  route(app, getNewsList, async ({ page, page_size: size, before }, { session, language }) => {
    const reader = { userId: session?.userId ?? null, language };
    const newsPage = await news.list(reader, {
      before: parseCursor(before),
      skip: (page - 1) * size,
      take: size,
    });
    return {
      items: newsPage.items,
      page,
      page_size: size,
      has_more: newsPage.hasMore,
      before: newsPage.before === null ? null : String(newsPage.before),
    };
  });
  route(app, getNews, ({ post_id: id }, { session, language }) =>
    news.read({ userId: session?.userId ?? null, language }, id),
  );
  route(app, markNewsRead, async ({ post_ids: ids }, { session }) => {
    await news.mark(session.userId, ids);
    return {};
  });
  route(app, findNotice, async ({ type }, { language }) => ({
    notice: await notices.find(type, language),
  }));
  route(app, getHelpLinks, async ({ kind }, { language }) => ({
    items: await links.list(kind ?? null, language),
  }));
}
