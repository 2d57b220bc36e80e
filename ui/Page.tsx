import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { useLocation, useNavigate } from "#ui/router.tsx";

export interface PageProps {
  /** The heading; also the document title, followed by the practice mark. */
  title: string;
  /**
   * Replaces the heading when it is more than text (a symbol with its mark). `title` still names
   * the document.
   */
  heading?: ReactNode;
  /** Where "back" leads when there is no earlier page; without it there is no back button. */
  back?: string;
  /** Icon buttons at the end of the bar. */
  actions?: ReactNode;
  /** A second pane from 720 px on, below the content on narrower screens. */
  side?: ReactNode;
  /** Hides `side` on narrow screens instead of putting it below. */
  sideWideOnly?: boolean;
  /** Takes the full width and the space below it: the screen lays itself out. */
  full?: boolean;
  /**
   * Lays the children on a grid of twelve columns from 1 024 px on, up to 1 680 px wide; a child
   * takes all of them unless it says otherwise (`wide:col-span-4`). Not together with `side`.
   */
  grid?: boolean;
  children: ReactNode;
}

/**
 * A screen: its bar, a column, and on wide screens a second pane or a grid. The heading takes focus
 * on navigation.
 */
export function Page({
  title,
  heading,
  back,
  actions,
  side,
  sideWideOnly,
  full,
  grid,
  children,
}: PageProps) {
  const t = useText();
  useEffect(() => {
    document.title = t("ui.page.title", { title });
  }, [title, t]);
  return (
    <div
      className={cx(
        "mx-auto w-full",
        // On a phone the side stays hidden until the content above it has its final height.
        "max-pane:[&:has(>div_[data-waits])>aside]:hidden",
        side
          ? "max-w-120 pane:grid pane:max-w-[1680px] pane:grid-cols-2 min-[80rem]:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] wide:gap-x-6 wide:px-4"
          : grid
            ? "max-w-120 pane:max-w-[1680px] wide:px-4"
            : !full && "max-w-120 pane:max-w-160",
      )}
    >
      <div
        className={cx(
          // A page that opens with a section needs no extra space above it.
          "min-w-0 [&>header+.mt-8]:mt-2",
          grid && "desk-grid",
          !full && (side && !sideWideOnly ? "pane:pb-8" : "pb-8"),
        )}
      >
        <header
          className={cx(
            "sticky top-(--head) z-10 flex min-h-14 items-center gap-1 bg-paper pr-2",
            back ? "pl-1" : "pl-4",
          )}
        >
          {back ? <BackButton to={back} /> : null}
          <h1
            tabIndex={-1}
            data-page-heading=""
            className="min-w-0 flex-1 truncate text-title font-strong tracking-tight"
          >
            {heading ?? title}
          </h1>
          {actions}
        </header>
        {children}
      </div>
      {side ? (
        <aside className={cx("second-pane min-w-0 pb-8", sideWideOnly && "hidden pane:block")}>
          {side}
        </aside>
      ) : null}
    </div>
  );
}

/** Goes back if the previous page is ours, otherwise to `to`. */
function BackButton({ to }: { to: string }) {
  const t = useText();
  const navigate = useNavigate();
  const { key } = useLocation();
  return (
    <IconButton
      label={t("ui.back")}
      onClick={() => (key === "default" ? navigate(to, { replace: true }) : navigate(-1))}
    >
      <IconArrowLeft size={22} aria-hidden="true" />
    </IconButton>
  );
}
