import { sql } from "kysely";
import type { Notice } from "#api/publishing.ts";
import { chooseText, type NoticeBody, type PostLanguage } from "#core/publishing/bodies.ts";
import type { AppContext } from "#server/platform/context.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Publications } from "#server/publishing/publications.ts";

/** The current notices: for each type the newest one in force (real time). */
export function createNotices(
  { realClock }: Pick<AppContext, "realClock">,
  publications: Publications,
) {
  return {
    /** Publishes one now, under the rules for all notices; throws `publishing.*`. */
    announce: async (
      tx: Tx,
      { id, body, by }: { id: string; body: NoticeBody; by: string },
    ): Promise<void> => {
      const { revision } = await publications.save(tx, "notice", id, body, { revision: 0, by });
      await publications.schedule(tx, "notice", id, realClock.nowMs(), { revision, by });
    },
    find: async (type: NoticeBody["type"], language: PostLanguage): Promise<Notice | null> => {
      const nowMs = realClock.nowMs();
      const item = (await publications.live("notice")).find(
        ({ body }) => body.type === type && isCurrent(body, nowMs),
      );
      return item ? toNoticeView(item.row.id, item.row.version, item.body, language) : null;
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;

function isCurrent({ from_ms: fromMs, until_ms: untilMs }: NoticeBody, nowMs: number): boolean {
  return (fromMs === null || fromMs <= nowMs) && (untilMs === null || nowMs < untilMs);
}

export function toNoticeView(
  id: string,
  version: number,
  body: NoticeBody,
  language: PostLanguage,
): Notice {
  const text = chooseText(body.languages, language);
  return {
    notice_id: id,
    version,
    type: body.type,
    severity: body.severity,
    language: text?.language ?? language,
    title: text?.text.title ?? "",
    text: text?.text.text ?? "",
    until_ms: body.until_ms,
  };
}

/** Publications that are to appear later. */
export const countScheduled = (db: Db) =>
  countRows(
    db,
    sql<{ count: number }>`select count(*)::integer as count from publication
      where publish_at_ms is not null and refused is null`,
  );
