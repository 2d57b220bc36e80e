import type { Notice } from "#api/publishing.ts";
import { type NoticeBody, type PostLanguage, textFor } from "#core/publishing/bodies.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Publications } from "#server/publishing/publications.ts";

/** The notice that stands now: of each type the newest whose time it is (real time). */
export function createNotices({ realClock }: Pick<Parts, "realClock">, publications: Publications) {
  return {
    find: async (type: NoticeBody["type"], language: PostLanguage): Promise<Notice | null> => {
      const nowMs = realClock.nowMs();
      const found = (await publications.live("notice")).find(
        ({ body }) => body.type === type && stands(body, nowMs),
      );
      return found ? noticeView(found.row.id, found.row.version, found.body, language) : null;
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;

function stands({ from_ms: fromMs, until_ms: untilMs }: NoticeBody, nowMs: number): boolean {
  return (fromMs === null || fromMs <= nowMs) && (untilMs === null || nowMs < untilMs);
}

export function noticeView(
  id: string,
  version: number,
  body: NoticeBody,
  language: PostLanguage,
): Notice {
  const found = textFor(body.languages, language);
  return {
    notice_id: id,
    version,
    type: body.type,
    severity: body.severity,
    language: found?.language ?? language,
    title: found?.text.title ?? "",
    text: found?.text.text ?? "",
    until_ms: body.until_ms,
  };
}
