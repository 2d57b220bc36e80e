import { IconHome, IconRobot, IconUser, IconUsers } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

/** Each tab with the paths under which it is the active one. */
const tabs = [
  {
    to: "/home",
    id: "app.tab.home",
    Icon: IconHome,
    paths: ["/home", "/business", "/ai", "/mining", "/miningrecord", "/news-list", "/verify"],
  },
  { to: "/robot-run-page", id: "app.tab.robot", Icon: IconRobot, paths: ["/robot-run-page"] },
  { to: "/uc-team", id: "app.tab.team", Icon: IconUsers, paths: ["/uc-team", "/share"] },
  {
    to: "/ucenter",
    id: "app.tab.me",
    Icon: IconUser,
    paths: [
      "/ucenter",
      "/wallet",
      "/wallet-info",
      "/wallet-record",
      "/authorized-activity",
      "/real_name",
      "/language",
      "/help",
    ],
  },
] as const;

/** The tab of a path; null where none fits. */
export function activeTab(path: string): string | null {
  const fits = (own: string) => path === own || path.startsWith(`${own}/`);
  return tabs.find(({ paths }) => paths.some(fits))?.to ?? null;
}

/** The four places at the foot of the screen. */
export function TabBar() {
  const t = useText();
  const { pathname } = useLocation();
  const active = activeTab(pathname);
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
