import { IconArrowUpRight, IconLogout } from "@tabler/icons-react";
import { NavLink } from "react-router";
import type { OperatorMe } from "#api/operator/session.ts";
import { isLocale, locales } from "#core/locales.ts";
import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { ElevatedBadge } from "#operator/app/ElevatedBadge.tsx";
import { pages } from "#operator/app/pages.ts";
import { cx } from "#ui/cx.ts";
import { toast } from "#ui/overlay/toast.ts";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

const entryClass =
  "flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left text-ink-soft transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2";

/** The console's pages that this operator may open, and who they are. */
export function Menu({ me, onLeave }: { me: OperatorMe; onLeave?: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const world = useConfig()?.world;
  const shown = pages.filter(
    ({ permission }) => permission === null || me.permissions.includes(permission),
  );
  return (
    <>
      <div className="hidden px-4 pt-5 pb-4 wide:block">
        <p className="text-title font-strong tracking-tight">{t("console.title")}</p>
        <p className="text-small text-ink-faint">{world?.name ?? " "}</p>
      </div>
      <nav aria-label={t("console.nav.title")} className="flex flex-col">
        {shown.map(({ path, name, Icon }) => (
          <NavLink
            key={path}
            to={path}
            end
            onClick={onLeave}
            className={({ isActive }) =>
              cx(entryClass, isActive && "bg-well font-strong text-ink shadow-none")
            }
          >
            <Icon size={20} className="shrink-0" aria-hidden="true" />
            {t(name)}
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto flex flex-col border-t border-line py-3">
        <div className="hidden px-4 pb-2 wide:block">
          <ElevatedBadge me={me} />
        </div>
        <p className="px-4 py-1 text-small text-ink-soft">
          {t("console.who", { name: me.name ?? "", role: t(`powers.role.${me.role}`) })}
        </p>
        <Language />
        <a href="/home" className={entryClass}>
          <IconArrowUpRight size={20} className="shrink-0" aria-hidden="true" />
          {t("console.nav.app")}
        </a>
        <button
          type="button"
          className={entryClass}
          onClick={() =>
            void endSession().catch((failure: unknown) => toast(errorMessage(failure)))
          }
        >
          <IconLogout size={20} className="shrink-0" aria-hidden="true" />
          {t("console.signOut")}
        </button>
      </div>
    </>
  );
}

function Language() {
  const t = useText();
  const { language } = useSettings();
  return (
    <label className="flex min-h-11 items-center gap-3 px-4 text-small text-ink-soft">
      {t("console.language")}
      <select
        value={language}
        onChange={({ target }) => {
          if (isLocale(target.value)) changeSettings({ language: target.value });
        }}
        className="min-h-11 min-w-0 flex-1 rounded-dock bg-paper text-ink"
      >
        {locales.map((code) => (
          <option key={code} value={code}>
            {localeNames[code]}
          </option>
        ))}
      </select>
    </label>
  );
}
