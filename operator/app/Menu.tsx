import { IconArrowUpRight, IconLogout } from "@tabler/icons-react";
import type { OperatorMe } from "#api/operator/session.ts";
import { isLocale, locales } from "#core/locales.ts";
import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { pages } from "#operator/app/pages.ts";
import { toast } from "#ui/overlay/toast.ts";
import { useLocation } from "#ui/router.tsx";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { SideNavLink, sideNavEntryClass, sideNavLabelClass } from "#web/lib/frame/SideNavLink.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

const whoClass = "px-4.5 py-1 text-small text-ink-soft";

export interface MenuProps {
  me: OperatorMe;
  /** Shows the labels at any width. */
  alwaysLabelled?: boolean;
  onLeave?: () => void;
}

/** The console's pages that this operator may open, and who they are. */
export function Menu({ me, alwaysLabelled = false, onLeave }: MenuProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const path = useLocation().pathname.replace(/\/+$/, "");
  const labelClass = alwaysLabelled ? undefined : sideNavLabelClass;
  const consoleEntries = pages.filter(
    ({ permission, inMenu = true }) =>
      inMenu && (permission === null || me.permissions.includes(permission)),
  );
  return (
    <>
      <nav aria-label={t("console.nav.title")} className="flex flex-col py-2">
        {consoleEntries.map(({ path: to, name, Icon }) => (
          <SideNavLink
            key={to}
            to={to}
            label={t(name)}
            Icon={Icon}
            isActive={path === to}
            isAlwaysLabelled={alwaysLabelled}
            onClick={onLeave}
          />
        ))}
      </nav>
      <div className="mt-auto flex flex-col border-t border-line py-3">
        <p className={alwaysLabelled ? whoClass : `${whoClass} ${sideNavLabelClass}`}>
          {t("console.who", { name: me.name ?? "", role: t(`permissions.role.${me.role}`) })}
        </p>
        <div className={alwaysLabelled ? undefined : "max-wide:hidden"}>
          <Language />
        </div>
        <a href="/home" className={sideNavEntryClass} title={t("console.nav.app")}>
          <IconArrowUpRight size={20} className="shrink-0" aria-hidden="true" />
          <span className={labelClass}>{t("console.nav.app")}</span>
        </a>
        <button
          type="button"
          className={sideNavEntryClass}
          title={t("console.signOut")}
          onClick={() => void endSession().catch((error: unknown) => toast(errorMessage(error)))}
        >
          <IconLogout size={20} className="shrink-0" aria-hidden="true" />
          <span className={labelClass}>{t("console.signOut")}</span>
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
