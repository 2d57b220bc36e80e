import { IconHelp, IconLanguage, IconMoon, IconSearch, IconSun } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { CountingAmount } from "#ui/figures/CountingAmount.tsx";
import { shortWorth } from "#ui/figures/shortAmount.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/router.tsx";
import { useMedia } from "#ui/useMedia.ts";
import { openSearch } from "#web/app/search/searchOpen.ts";
import { InboxBell } from "#web/features/inbox/InboxBell.tsx";
import { useAccount } from "#web/features/money/useAccount.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

/** The keyboard shortcut for search, as this machine's keyboard labels it. */
const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/**
 * The bar above every screen from 1 024 px on: the search, the total, and what phones have on the
 * home screen.
 */
export default function TopBar() {
  const t = useText();
  return (
    <nav aria-label={t("wide.bar")} className="flex min-w-0 flex-1 items-center gap-1">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openSearch}
        className="flex min-h-11 w-72 min-w-0 items-center gap-2 rounded-dock border border-line bg-leaf px-3 text-small text-ink-faint transition-colors hover:border-line-strong"
      >
        <IconSearch size={18} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 flex-1 truncate text-left">{t("wide.search")}</span>
        <span aria-hidden="true" className="text-caption">
          {searchKeys}
        </span>
      </button>
      {/* Messages appear over this space (ui/overlay/Toaster.tsx). */}
      <span className="flex-1" />
      <Total />
      <InboxBell />
      <ThemeButton />
      <IconLink to="/language" label={t("app.language.title")}>
        <IconLanguage size={22} stroke={1.5} aria-hidden="true" />
      </IconLink>
      <IconLink to="/help" label={t("app.help")}>
        <IconHelp size={22} stroke={1.5} aria-hidden="true" />
      </IconLink>
    </nav>
  );
}

function Total() {
  const t = useText();
  const [hidden] = useHideAmounts();
  const { view } = useAccount();
  const total = view?.inDisplay(view.result.total) ?? null;
  if (!view || total === null) return null;
  return (
    <Link
      to="/wallet"
      className="flex min-h-11 items-center gap-2 rounded-dock px-3 text-small transition-colors hover:bg-well"
    >
      <span className="text-ink-soft">{t("wide.total")}</span>
      <span className="font-strong">
        <HideableAmount hidden={hidden}>
          <CountingAmount value={shortWorth(total, view.display)} coin={view.display} />
        </HideableAmount>
      </span>
    </Link>
  );
}

/** Switches between light and dark; "as the system" is chosen on the person's page. */
function ThemeButton() {
  const t = useText();
  const { theme } = useSettings();
  const systemDark = useMedia("(prefers-color-scheme: dark)");
  const dark = theme === "system" ? systemDark : theme === "dark";
  const label = t(dark ? "wide.theme.light" : "wide.theme.dark");
  const Icon = dark ? IconSun : IconMoon;
  return (
    <IconButton label={label} onClick={() => changeSettings({ theme: dark ? "light" : "dark" })}>
      <Icon size={22} stroke={1.5} aria-hidden="true" />
    </IconButton>
  );
}

function IconLink({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      aria-label={label}
      title={label}
      className="inline-grid size-11 shrink-0 place-items-center rounded-dock text-ink-soft transition-colors hover:bg-well"
    >
      {children}
    </Link>
  );
}
