import { useEffect, useRef } from "react";
import { useStore } from "#ui/createStore.ts";
import { noticeStore } from "#ui/overlay/toast.ts";

/**
 * Where toasts and notices appear; mounted once by the app frame. A message covers the title of the
 * topmost sheet, or else of the page, and so never a control. Announced politely, never takes
 * focus.
 */
export function Toaster() {
  const notices = useStore(noticeStore);
  const notice = notices.find(({ kind }) => kind === "notify");
  const shownNotice = notices.find(({ kind }) => kind === "toast") ?? notice;
  const outlet = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (!shownNotice) return;
    // A sheet may be closing as its message appears, so the position is updated in every frame.
    let frame = 0;
    const follow = () => {
      if (outlet.current) putOnTitle(outlet.current);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [shownNotice]);
  return (
    <output
      ref={outlet}
      className="pointer-events-none fixed inset-x-0 top-7 z-50 flex justify-center px-1"
    >
      {shownNotice ? (
        <span
          key={shownNotice.id}
          className="toast-in flex min-h-11 w-fit max-w-100 flex-col justify-center rounded-dock bg-ink px-3 py-1.5 text-small text-paper"
        >
          {shownNotice.title ? <strong className="font-strong">{shownNotice.title}</strong> : null}
          {shownNotice.text}
        </span>
      ) : null}
    </output>
  );
}

const sheetTitle = "[role=dialog][data-open] h2, [role=alertdialog][data-open] h2";
/** A title narrower than this would break words. */
const widthMin = 160;

/** Without a title in view, the message stays at the top of the page. */
function putOnTitle(container: HTMLElement): void {
  const titles = [...document.querySelectorAll(sheetTitle)];
  const title = titles.at(-1) ?? visibleHeading();
  const box = title?.getBoundingClientRect();
  const free = box && box.width >= widthMin && box.top >= 24;
  const { style } = container;
  style.left = free ? `${box.left}px` : "";
  style.right = free ? `${document.documentElement.clientWidth - box.right}px` : "";
  style.top = free ? `${Math.max(28, box.top - 8)}px` : "";
}

/** Screens that are kept but hidden have headings too. */
function visibleHeading(): Element | undefined {
  const all = [...document.querySelectorAll("[data-page-heading]")];
  return all.find((heading) => heading.getClientRects().length > 0);
}
