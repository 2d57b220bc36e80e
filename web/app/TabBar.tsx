import { IconHome, IconRobot, IconUser, IconUsers } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { tabAt } from "#core/screens/screens.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

const tabs = [
  { to: "/home", id: "app.tab.home", Icon: IconHome },
  { to: "/robot-run-page", id: "app.tab.robot", Icon: IconRobot },
  { to: "/uc-team", id: "app.tab.team", Icon: IconUsers },
  { to: "/ucenter", id: "app.tab.me", Icon: IconUser },
] as const;

/** The tab bar at the bottom of the screen. */
export function TabBar() {
  const t = useText();
  const { pathname } = useLocation();
  const active = tabAt(pathname);
  return (
    <nav
      aria-label={t("app.tabs")}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-paper pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto flex max-w-120">
        {tabs.map(({ to, id, Icon }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              aria-current={active === to ? "page" : undefined}
              className={cx(
                "relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-caption transition-colors focus-visible:-outline-offset-2",
                active === to
                  ? "font-strong text-ink before:absolute before:-top-px before:h-0.5 before:w-10 before:bg-ink"
                  : "text-ink-faint hover:text-ink",
              )}
            >
              <Icon size={22} stroke={active === to ? 2 : 1.5} aria-hidden="true" />
              {t(id)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
