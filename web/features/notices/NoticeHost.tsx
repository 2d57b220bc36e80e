import { useEffect, useRef, useState } from "react";
import type { Notice } from "#api/publishing.ts";
import { findNotice } from "#api/routes/publishing.ts";
import { screens } from "#core/screens/screens.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { useLocation } from "#ui/router.tsx";
import { dismissNotice, isNoticeDismissed } from "#web/features/notices/dismissedNotices.ts";
import { NoticeBar, NoticeWords } from "#web/features/notices/NoticeBar.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useSettings } from "#web/lib/settings.ts";

/** The longest delay, in milliseconds, before an open page shows a new bar. */
const refetchMs = 120_000;

/** The bar above the tabs and the dialog, each shown until dismissed in this browser. */
export default function NoticeHost() {
  return (
    <>
      <Bar />
      <OnceDialog />
    </>
  );
}

/**
 * The current notice of a type, null if dismissed in this browser, and a function that dismisses
 * it.
 */
function useNotice(type: Notice["type"]): [Notice | null, () => void] {
  // A dialog is fetched only once: it must not interrupt what the person is doing.
  const refetchOptions = type === "bar" ? { refetchMs, staleMs: refetchMs } : { staleMs: Infinity };
  const { data } = useApiQuery(findNotice, { type }, refetchOptions);
  const [dismissedName, setDismissedName] = useState<string | null>(null);
  const notice = data?.notice ?? null;
  const name = notice && `${notice.notice_id}/${notice.version}`;
  const shownNotice =
    notice !== null && name !== dismissedName && !isNoticeDismissed(notice) ? notice : null;
  return [
    shownNotice,
    () => {
      if (notice) dismissNotice(notice);
      setDismissedName(name);
    },
  ];
}

function acceptsNotices(path: string): boolean {
  return screens.some((screen) => screen.path === path && screen.takesNotices === true);
}

/**
 * Overlays the bottom of the page, so that nothing shifts when it comes or goes; a spacer lets the
 * page scroll clear of it.
 */
function Bar() {
  const t = useText();
  const { pathname, search } = useLocation();
  const { language } = useSettings();
  const [notice, dismissNotice] = useNotice("bar");
  const isShown = notice !== null && search === "" && acceptsNotices(pathname);
  useEffect(() => {
    if (!isShown) return;
    // A focused element scrolls to above the bar, not behind it.
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "220px";
    return () => {
      style.scrollPaddingBottom = "";
    };
  }, [isShown]);
  if (!isShown) return null;
  return (
    <>
      <div aria-hidden="true" className="h-40" />
      <section
        aria-label={t("notices.label")}
        className="fixed inset-x-0 bottom-(--foot) z-10 border-t border-line bg-paper p-2 pane:left-14 wide:left-[220px]"
      >
        <NoticeBar notice={notice} language={language} onDismiss={dismissNotice} />
      </section>
    </>
  );
}

const pressEvents = ["pointerdown", "keydown"] as const;

/**
 * True from the first screen on which no dialog is open and nothing has been pressed: the notice
 * must not cover a sign-in or another sheet, nor one about to open.
 */
function useIsUndisturbed(hasNotice: boolean): boolean {
  const { key } = useLocation();
  const [undisturbedKey, setUndisturbedKey] = useState<string | null>(null);
  // Location key of the screen that was last pressed on.
  const pressedKey = useRef<string | null>(null);
  useEffect(() => {
    const press = () => {
      pressedKey.current = key;
    };
    for (const event of pressEvents) document.addEventListener(event, press, true);
    return () => {
      for (const event of pressEvents) document.removeEventListener(event, press, true);
    };
  }, [key]);
  useEffect(() => {
    const busy =
      pressedKey.current === key ||
      document.querySelector("[role=dialog], [role=alertdialog]") !== null;
    // oxlint-disable-next-line react-hooks/set-state-in-effect -- open sheets show only in the DOM
    if (hasNotice && !busy) setUndisturbedKey((before) => before ?? key);
  }, [hasNotice, key]);
  return undisturbedKey !== null;
}

function OnceDialog() {
  const t = useText();
  const { language } = useSettings();
  const [notice, dismissNotice] = useNotice("dialog");
  const isUndisturbed = useIsUndisturbed(notice !== null);
  // Kept while the dialog fades out, so that its text does not vanish first.
  const [last, setLast] = useState(notice);
  if (notice && notice !== last) setLast(notice);
  if (!last || !isUndisturbed) return null;
  return (
    <Dialog
      open={notice !== null}
      onOpenChange={(open) => open || dismissNotice()}
      title={<span lang={localeTags[last.language]}>{last.title}</span>}
      actions={<Button onClick={dismissNotice}>{t("notices.close")}</Button>}
    >
      <NoticeWords notice={last} language={language} />
    </Dialog>
  );
}
