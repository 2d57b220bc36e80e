import { IconSearch } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { useLocation } from "#ui/router.tsx";
import { placeAt, placeGroups } from "#web/app/desk/places.ts";
import { openSearch } from "#web/app/search/searchOpen.ts";
import { RailLink, railEntryClass, railWordsClass } from "#web/lib/frame/RailLink.tsx";
import { scrollToTop } from "#web/lib/scrollPositions.ts";

/** Every place of the app at the side of wide screens. */
export default function Rail() {
  const t = useText();
  const { pathname, search } = useLocation();
  const at = placeAt(pathname);
  const find = t("wide.search");
  return (
    <nav aria-label={t("app.tabs")} className="flex flex-col py-2">
      <button
        type="button"
        title={find}
        aria-haspopup="dialog"
        className={`${railEntryClass} wide:hidden`}
        onClick={openSearch}
      >
        <IconSearch size={20} stroke={1.5} className="shrink-0" aria-hidden="true" />
        <span className={railWordsClass}>{find}</span>
      </button>
      {placeGroups.map((places) => (
        <ul
          key={places[0]?.to}
          className="not-last:mb-2 not-last:border-b not-last:border-line not-last:pb-2"
        >
          {places.map(({ to, name, Icon }) => (
            <li key={to}>
              <RailLink
                to={to}
                label={t(name)}
                Icon={Icon}
                lit={at === to}
                onClick={pathname === to && search === "" ? scrollToTop : undefined}
              />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
