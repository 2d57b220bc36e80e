import { IconMenu2 } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import type { OperatorMe } from "#api/operator/session.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { ElevatedBadge } from "#operator/app/ElevatedBadge.tsx";
import { ElevateSheet } from "#operator/app/ElevateSheet.tsx";
import { Menu } from "#operator/app/Menu.tsx";
import { pages } from "#operator/app/pages.ts";
import { ReadOnlyBanner } from "#operator/app/ReadOnlyBanner.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { type Location, useLocation } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { usePanes, useWide } from "#ui/useWide.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { Frame } from "#web/lib/frame/Frame.tsx";
import { ScreenBoundary } from "#web/lib/start/ScreenBoundary.tsx";
import { ScrollRestoration } from "#web/lib/start/ScrollRestoration.tsx";
import { useOnline } from "#web/lib/useOnline.ts";

/** The console's frame: the menu at the side, behind a button on phones; one page beside it. */
export function Shell({ me }: { me: OperatorMe }) {
  const t = useText();
  const [panes, wide] = [usePanes(), useWide()];
  const online = useOnline();
  const location = useLocation();
  const world = useConfig()?.world;
  const [menu, setMenu] = useState(false);
  return (
    <>
      <Frame
        sideNav={
          panes ? (
            <section aria-label={t("console.title")} className="flex flex-1 flex-col">
              <Menu me={me} />
            </section>
          ) : null
        }
        topBar={
          wide ? (
            <section
              aria-label={world?.name ?? t("console.nav.title")}
              className="flex min-w-0 flex-1 items-center gap-3"
            >
              <span className="font-strong">{t("console.title")}</span>
              <span className="min-w-0 flex-1 truncate text-small text-ink-faint">
                {world?.name}
              </span>
              <ElevatedBadge me={me} />
            </section>
          ) : null
        }
        phoneBar={
          wide ? null : (
            <section
              aria-label={panes ? (world?.name ?? t("console.nav.title")) : t("console.title")}
              className="frame-part sticky top-6 z-20 flex min-h-14 items-center gap-1 border-b border-line bg-paper pr-2 pl-1 pane:pl-4"
            >
              {panes ? null : (
                <IconButton label={t("console.nav.open")} onClick={() => setMenu(true)}>
                  <IconMenu2 size={22} aria-hidden="true" />
                </IconButton>
              )}
              <span className="flex-1 font-strong">{t("console.title")}</span>
              <ElevatedBadge me={me} />
            </section>
          )
        }
      >
        <div className="pb-[calc(24px+env(safe-area-inset-bottom))] wide:px-6">
          {online ? null : (
            <output className="block bg-warning-wash px-4 py-2 text-center text-small text-warning">
              {t("app.offline")}
            </output>
          )}
          <ReadOnlyBanner me={me} />
          <CurrentPage me={me} location={location} />
        </div>
      </Frame>
      {panes ? null : (
        <Sheet open={menu} onOpenChange={setMenu} title={t("console.nav.title")}>
          <div className="-mx-4">
            <Menu me={me} alwaysLabelled onLeave={() => setMenu(false)} />
          </div>
        </Sheet>
      )}
      <ElevateSheet />
    </>
  );
}

/**
 * The page at the current path, if it exists and this operator may open it; a page they may not
 * open is reported as not found.
 */
function CurrentPage({ me, location }: { me: OperatorMe; location: Location }) {
  const t = useText();
  const path = location.pathname.replace(/\/+$/, "");
  const entry = pages.find((page) => page.path === path);
  if (!entry || (entry.permission !== null && !me.permissions.includes(entry.permission))) {
    return (
      <ConsolePage title={t("console.nowhere.title")} lead={t("console.nowhere.text")}>
        <ScrollRestoration at={location} />
      </ConsolePage>
    );
  }
  const { Page } = entry;
  return (
    <ScreenBoundary key={entry.path}>
      <Suspense fallback={<SkeletonRows />}>
        <Page />
        <ScrollRestoration at={location} />
      </Suspense>
    </ScreenBoundary>
  );
}
