import { useIntl } from "react-intl";
import type { NewsItem } from "#api/publishing.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { type TableColumn, TableHead, TableRow } from "#ui/TableRow.tsx";
import { isRead } from "#web/screens/publishing/readMarks.ts";

const layout = "grid-cols-[8px_minmax(0,2fr)_minmax(0,3fr)_10rem]";

type ColumnName = "unread" | "title" | "summary" | "date";

function useColumns(): TableColumn<ColumnName>[] {
  const t = useText();
  return [
    { id: "unread", head: null },
    { id: "title", head: t("posts.column.title") },
    { id: "summary", head: t("posts.column.summary"), className: "text-ink-soft" },
    { id: "date", head: t("posts.column.date"), end: true, className: "text-ink-soft" },
  ];
}

/** The heads above the posts, where there is room for columns. */
export function NewsTableHead() {
  return <TableHead layout={layout} columns={useColumns()} />;
}

/** A post as a row of a table: whether it is new, its title, its summary, its date. */
export function NewsTableRow({ post }: { post: NewsItem }) {
  const { formatDate } = useIntl();
  const t = useText();
  const isMarked = isRead(post);
  const lang = localeTags[post.language];
  return (
    <TableRow
      layout={layout}
      columns={useColumns()}
      cells={{
        unread: isMarked ? null : (
          <span className="inline-block size-2 rounded-full bg-ink">
            <span className="sr-only">{t("posts.unread")}</span>
          </span>
        ),
        title: (
          <span lang={lang} className={isMarked ? "" : "font-strong"}>
            {post.title}
          </span>
        ),
        summary: <span lang={lang}>{post.summary}</span>,
        date: formatDate(post.published_at_ms, { dateStyle: "long" }),
      }}
      to={`/news-list?post_id=${post.post_id}`}
    />
  );
}
