import { afterEach, expect, test } from "vitest";
import { getNewsList } from "#api/routes/publishing.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { getNextPage, getPagesKey } from "#web/lib/api/useApiPages.ts";
import { getQueryKey, invalidate, updateAllCached } from "#web/lib/api/useApiQuery.ts";

const page = (number: number, hasMore: boolean, before: string | null = null) => ({
  items: [],
  page: number,
  has_more: hasMore,
  before,
});

test.each([
  ["the last page has no next page", page(1, false, "c"), [page(1, false, "c")], undefined],
  [
    "the second page uses the first one's cursor",
    page(1, true, "c"),
    [page(1, true, "c")],
    { page: 2, before: "c" },
  ],
  [
    "the third page uses the first one's cursor",
    page(2, true, "d"),
    [page(1, true, "c"), page(2, true, "d")],
    { page: 3, before: "c" },
  ],
  [
    "a list without a cursor is paged by number",
    page(2, true),
    [page(1, true), page(2, true)],
    { page: 3 },
  ],
])("%s", (_, lastPage, pages, expected) => {
  expect(getNextPage(lastPage, pages)).toEqual(expected);
});

afterEach(() => queryClient.clear());

const post = (id: string, isRead: boolean) => ({ post_id: id, read: isRead });

test("an update of an answer reaches every loaded page of a list and plain queries", () => {
  const listKey = getPagesKey(getNewsList, { page_size: 10 });
  const plainKey = getQueryKey(getNewsList, { page: 1, page_size: 3 });
  const pages = [{ items: [post("a", false)] }, { items: [post("b", false)] }];
  queryClient.setQueryData([...listKey], { pages, pageParams: [{ page: 1 }, { page: 2 }] });
  queryClient.setQueryData([...plainKey], { items: [post("b", false)] });
  updateAllCached(getNewsList, (answer) => ({
    ...answer,
    items: answer.items.map((post) => (post.post_id === "b" ? { ...post, read: true } : post)),
  }));
  expect(queryClient.getQueryData(listKey)).toEqual({
    pages: [{ items: [post("a", false)] }, { items: [post("b", true)] }],
    pageParams: [{ page: 1 }, { page: 2 }],
  });
  expect(queryClient.getQueryData(plainKey)).toEqual({ items: [post("b", true)] });
});

test("invalidating a call invalidates its lists", async () => {
  const key = getPagesKey(getNewsList, { page_size: 10 });
  queryClient.setQueryData([...key], { pages: [], pageParams: [] });
  await invalidate(getNewsList);
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});
