import type { Notice } from "#api/publishing.ts";
import { browserStorage } from "#web/lib/storage.ts";

const storageName = "dismissed_notices";
/**
 * The number of dismissed notices that this browser stores; fewer are published at any one time.
 */
const storedMax = 50;

const storageKey = ({ notice_id: id, version }: Pick<Notice, "notice_id" | "version">) =>
  `${id}/${version}`;

function readDismissed(): string[] {
  const text = browserStorage.read(storageName);
  return text === null ? [] : text.split(" ").slice(-storedMax);
}

/** Returns true if a notice was dismissed in this browser; a new version counts as a new notice. */
export function isNoticeDismissed(notice: Pick<Notice, "notice_id" | "version">): boolean {
  return readDismissed().includes(storageKey(notice));
}

export function dismissNotice(notice: Pick<Notice, "notice_id" | "version">): void {
  const name = storageKey(notice);
  browserStorage.write(
    storageName,
    [...readDismissed().filter((noticeName) => noticeName !== name), name].join(" "),
  );
}
