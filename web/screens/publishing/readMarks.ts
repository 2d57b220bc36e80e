import { useCallback, useEffect } from "react";
import type { NewsItem } from "#api/publishing.ts";
import { getNewsList, markNewsRead } from "#api/routes/publishing.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { client } from "#web/lib/api/client.ts";
import { invalidate, updateAllCached } from "#web/lib/api/useApiQuery.ts";
import { browserStorage } from "#web/lib/storage.ts";

const storageName = "read_news";
/** Marks kept in this browser for those not signed in; the oldest are dropped. */
const storedMax = 100;

function ownMarks(): string[] {
  const marks = browserStorage.readJson(storageName);
  return Array.isArray(marks)
    ? marks.filter((mark) => typeof mark === "string").slice(-storedMax)
    : [];
}

/** Returns true if a post was opened: by this person, or in this browser if signed out. */
export function isRead({ read, post_id: id }: Pick<NewsItem, "read" | "post_id">): boolean {
  return read ?? ownMarks().includes(id);
}

/**
 * Marks a post as read once it is on screen. At the first sign-in this browser's marks move to the
 * person.
 */
export function useMarkRead(): (postId: string) => void {
  const { status } = useSession();
  const signedIn = status === "signed_in";
  useEffect(() => {
    const marks = ownMarks();
    if (!signedIn || marks.length === 0) return;
    // Kept here until the server has stored them.
    client
      .call(markNewsRead, { post_ids: marks })
      .then(() => {
        browserStorage.write(storageName, null);
        return invalidate(getNewsList);
      })
      .catch(() => {});
  }, [signedIn]);
  return useCallback(
    (postId: string) => {
      if (status === "loading") return;
      if (!signedIn) {
        browserStorage.write(
          storageName,
          JSON.stringify([...ownMarks().filter((text) => text !== postId), postId]),
        );
        return;
      }
      // A lost mark only means that a dot stays.
      client
        .call(markNewsRead, { post_ids: [postId] })
        .then(() =>
          updateAllCached(getNewsList, (page) => ({
            ...page,
            items: page.items.map((item) =>
              item.post_id === postId ? { ...item, read: true } : item,
            ),
          })),
        )
        .catch(() => {});
    },
    [status, signedIn],
  );
}
