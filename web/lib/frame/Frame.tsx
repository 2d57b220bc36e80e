import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export interface FrameProps {
  /** The part beside the screen: 56 px wide, and 220 px from 1 024 px on; null below 720 px. */
  sideNav: ReactNode;
  /** The bar above the screen; null below 1 024 px. */
  topBar?: ReactNode;
  /** The part that sticks above the screen on phones. */
  phoneBar?: ReactNode;
  /** The navigation at the foot of phones. */
  tabBar?: ReactNode;
  /** The screen. */
  children: ReactNode;
}

/**
 * The frame of the app and of the console below the practice band: the navigation at the side or
 * the foot, and one screen. The heights of its upper and lower bars are in `--head` and `--foot`
 * (ui/tokens.css).
 */
export function Frame({ sideNav, topBar, phoneBar, tabBar, children }: FrameProps) {
  return (
    <>
      <div
        className={cx(
          "pt-6 print:block! pane:grid pane:grid-cols-[56px_minmax(0,1fr)] wide:grid-cols-[220px_minmax(0,1fr)]",
          topBar ? "framed-top" : undefined,
          tabBar ? "framed-foot" : undefined,
        )}
      >
        {sideNav ? (
          <div className="frame-part sticky top-6 z-20 flex h-[calc(100dvh-24px)] flex-col overflow-y-auto border-r border-line bg-paper">
            {sideNav}
          </div>
        ) : null}
        <div className="min-w-0">
          {topBar ? (
            <div className="frame-part sticky top-6 z-20 flex h-14 items-center gap-1 border-b border-line bg-paper px-4">
              {topBar}
            </div>
          ) : null}
          {phoneBar}
          <main className="pb-[calc(8px+var(--foot))]">{children}</main>
        </div>
      </div>
      {tabBar}
    </>
  );
}
