import { IconSearch } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { useLocation } from "#ui/router.tsx";
import { findActiveEntry, navigationGroups } from "#web/app/desktop/navigation.ts";
import { openSearch } from "#web/app/search/searchOpen.ts";
import { SideNavLink, sideNavEntryClass, sideNavLabelClass } from "#web/lib/frame/SideNavLink.tsx";
import { scrollToTop } from "#web/lib/scrollPositions.ts";

/** Navigation at the side of wide screens. */
export default function SideNav() {
  const t = useText();
  const { pathname, search } = useLocation();
  const activePath = findActiveEntry(pathname);
  const find = t("wide.search");
  return (
    <nav aria-label={t("app.tabs")} className="flex flex-col py-2">
      <button
        type="button"
        title={find}
        aria-haspopup="dialog"
        className={`${sideNavEntryClass} wide:hidden`}
        onClick={openSearch}
      >
        <IconSearch size={20} stroke={1.5} className="shrink-0" aria-hidden="true" />
        <span className={sideNavLabelClass}>{find}</span>
      </button>
      {navigationGroups.map((group) => (
        <ul
          key={group[0]?.to}
          className="not-last:mb-2 not-last:border-b not-last:border-line not-last:pb-2"
        >
          {group.map(({ to, name, Icon }) => (
            <li key={to}>
              <SideNavLink
                to={to}
                label={t(name)}
                Icon={Icon}
                isActive={activePath === to}
                onClick={pathname === to && search === "" ? scrollToTop : undefined}
              />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
