import { useIntl } from "react-intl";
import type { NewsPost } from "#api/publishing.ts";
import type { Locale } from "#core/locales.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { PostText } from "#web/features/posts/PostText.tsx";

/**
 * A post as readers see it, in the phone app and in the console's preview. `language` is the
 * reader's.
 */
export function PostArticle({ post, language }: { post: NewsPost; language: Locale }) {
  const { formatDate } = useIntl();
  const t = useText();
  const day = (atMs: number) => formatDate(atMs, { dateStyle: "long" });
  return (
    <article className="px-4 pt-1">
      <h2
        lang={localeTags[post.language]}
        className="text-title font-strong tracking-tight text-balance"
      >
        {post.title}
      </h2>
      <p className="mt-2 text-small text-ink-faint">
        {day(post.published_at_ms)}
        {" · "}
        {t(`posts.by.${post.author}`)}
        {post.changed_at_ms === null ? null : (
          <> · {t("posts.changed", { date: day(post.changed_at_ms) })}</>
        )}
      </p>
      {post.language === language ? null : (
        <p className="mt-3 rounded-dock bg-warning-wash px-3.5 py-2.5 text-small text-warning">
          {t("posts.otherLanguage", {
            wanted: localeNames[language],
            shown: localeNames[post.language],
          })}
        </p>
      )}
      <div lang={localeTags[post.language]}>
        <p className="mt-4 text-ink-soft">{post.summary}</p>
        <PostText text={post.body} />
      </div>
    </article>
  );
}
