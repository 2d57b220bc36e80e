import { getNewsList } from "#api/routes/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { NewsRow } from "#web/screens/publishing/NewsRow.tsx";

/** Every post, newest first, page by page. */
export function NewsList() {
  const t = useText();
  return (
    <Page title={t("posts.title")} back="/home">
      <NewsRows />
    </Page>
  );
}

/** The posts themselves, for the list and for the side column of a post. */
export function NewsRows() {
  const t = useText();
  const list = useApiPages(getNewsList, { page_size: 10 });
  return (
    <PagedList
      as="ul"
      list={list}
      keyOf={(post) => post.post_id}
      loading={<SkeletonRows tall />}
      empty={
        <Empty drawing={<CompassDrawing />} title={t("posts.none")}>
          {t("posts.none.text")}
        </Empty>
      }
    >
      {(post) => (
        <li>
          <NewsRow post={post} />
        </li>
      )}
    </PagedList>
  );
}
