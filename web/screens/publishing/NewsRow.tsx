import { useIntl } from "react-intl";
import type { NewsItem } from "#api/publishing.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";
import { isRead } from "#web/screens/publishing/readMarks.ts";

/** A post in the list: whether it is new, its date, its title. */
export function NewsRow({ post }: { post: NewsItem }) {
  const { formatDate } = useIntl();
  const t = useText();
  const isMarked = isRead(post);
  return (
    <Link
      to={`/news-list?post_id=${post.post_id}`}
      className="grid grid-cols-[8px_minmax(0,1fr)] gap-x-3 px-4 py-3.5 transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
    >
      <span
        className={isMarked ? "" : "mt-2 size-2 rounded-full bg-ink"}
        {...(isMarked ? {} : { role: "img", "aria-label": t("posts.unread") })}
      />
      <span className="flex min-w-0 flex-col gap-0.5" lang={localeTags[post.language]}>
        <span className={isMarked ? "" : "font-strong"}>{post.title}</span>
        <span className="text-small text-ink-soft">{post.summary}</span>
        <span className="mt-0.5 text-caption text-ink-faint tabular-nums">
          {formatDate(post.published_at_ms, { dateStyle: "long" })}
        </span>
      </span>
    </Link>
  );
}
