import { getNewsList } from "#api/routes/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useWide } from "#ui/useWide.ts";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { NewsRow } from "#web/screens/publishing/NewsRow.tsx";
import { NewsTableHead, NewsTableRow } from "#web/screens/publishing/NewsTableRow.tsx";

/** Every post, newest first, page by page; a table where there is room for its columns. */
export function NewsList() {
  const t = useText();
  const isTable = useWide();
  return (
    <Page title={t("posts.title")} back="/home" grid={isTable}>
      <NewsRows isTable={isTable} />
    </Page>
  );
}

/** The posts themselves, for the list and for the side column of a post. */
export function NewsRows({ isTable = false }: { isTable?: boolean }) {
  const t = useText();
  const list = useApiPages(getNewsList, { page_size: 10 });
  const Item = isTable ? NewsTableRow : NewsRow;
  return (
    <>
      {isTable && list.items?.length ? <NewsTableHead /> : null}
      <PagedList
        as="ul"
        list={list}
        keyOf={(post) => post.post_id}
        {...(isTable ? { className: "hairlines border-y border-line" } : {})}
        loading={<SkeletonRows tall />}
        empty={
          <Empty drawing={<CompassDrawing />} title={t("posts.none")}>
            {t("posts.none.text")}
          </Empty>
        }
      >
        {(post) => (
          <li>
            <Item post={post} />
          </li>
        )}
      </PagedList>
    </>
  );
}
