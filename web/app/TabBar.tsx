import { IconArrowsUpDown, IconHome, IconRobot, IconUser, IconUsers } from "@tabler/icons-react";
import { type Tab, tabPaths } from "#core/screens/screens.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Link, useLocation } from "#ui/router.tsx";
import { useActiveTab } from "#web/app/useActiveTab.ts";
import { scrollToTop } from "#web/lib/scrollPositions.ts";

const tabLooks: Readonly<Record<Tab, { id: string; Icon: typeof IconHome }>> = {
  "/home": { id: "app.tab.home", Icon: IconHome },
  "/robot-run-page": { id: "app.tab.robot", Icon: IconRobot },
  "/business": { id: "app.tab.trade", Icon: IconArrowsUpDown },
  "/uc-team": { id: "app.tab.team", Icon: IconUsers },
  "/ucenter": { id: "app.tab.me", Icon: IconUser },
};

/** The tabs at the foot of phones. Pressing the current tab scrolls up. */
export function TabBar() {
  const t = useText();
  const { pathname, search } = useLocation();
  const activeTab = useActiveTab();
  return (
    <nav
      aria-label={t("app.tabs")}
      className="frame-part fixed inset-x-0 bottom-0 z-20 border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] pane:hidden"
    >
      <ul className="mx-auto flex max-w-120">
        {tabPaths.map((to) => {
          const { id, Icon } = tabLooks[to];
          return (
            <li key={to} className="min-w-0 flex-1">
              <Link
                to={to}
                aria-current={activeTab === to ? "page" : undefined}
                onClick={pathname === to && search === "" ? scrollToTop : undefined}
                className={cx(
                  "relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-caption transition-colors focus-visible:-outline-offset-2",
                  activeTab === to
                    ? "font-strong text-ink before:absolute before:-top-px before:h-0.5 before:w-10 before:bg-ink"
                    : "text-ink-faint hover:text-ink",
                )}
              >
                <Icon size={22} stroke={activeTab === to ? 2 : 1.5} aria-hidden="true" />
                {t(id)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
