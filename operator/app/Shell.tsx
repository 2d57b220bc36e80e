import { IconMenu2 } from "@tabler/icons-react";
import { Suspense, useEffect, useState } from "react";
import { useIntl } from "react-intl";
import { useLocation } from "react-router";
import type { OperatorMe } from "#api/operator/session.ts";
import { Menu } from "#operator/app/Menu.tsx";
import { pages } from "#operator/app/pages.ts";
import { Raised } from "#operator/app/Raised.tsx";
import { RaiseSheet } from "#operator/app/RaiseSheet.tsx";
import { Empty } from "#ui/Empty.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useWide } from "#ui/useWide.ts";
import { ScreenBoundary } from "#web/app/ScreenBoundary.tsx";
import { useOnline } from "#web/app/useOnline.ts";

/** The console's frame: the menu at the side on wide screens, behind a button on phones; one page beside it. */
export function Shell({ me }: { me: OperatorMe }) {
  const { formatMessage } = useIntl();
  const wide = useWide();
  const online = useOnline();
  const { pathname } = useLocation();
  const [menu, setMenu] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation begins at the top, with the heading read out
  useEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div className="pt-6 wide:grid wide:grid-cols-[256px_minmax(0,1fr)]">
      {wide ? (
        <div className="sticky top-6 flex h-[calc(100dvh-24px)] flex-col overflow-y-auto border-r border-line">
          <Menu me={me} />
        </div>
      ) : (
        <header className="sticky top-6 z-20 flex min-h-14 items-center gap-1 border-b border-line bg-paper pr-2 pl-1">
          <IconButton
            label={formatMessage({ id: "console.nav.open" })}
            onClick={() => setMenu(true)}
          >
            <IconMenu2 size={22} aria-hidden="true" />
          </IconButton>
          <span className="flex-1 font-strong">{formatMessage({ id: "console.title" })}</span>
          <Raised me={me} />
        </header>
      )}
      <main className="min-w-0 px-0 pb-[calc(32px+env(safe-area-inset-bottom))] wide:px-6">
        {online ? null : (
          <output className="block bg-mind-wash px-4 py-2 text-center text-small text-mind">
            {formatMessage({ id: "app.offline" })}
          </output>
        )}
        <Shown me={me} path={pathname} />
      </main>
      {wide ? null : (
        <Sheet
          open={menu}
          onOpenChange={setMenu}
          title={formatMessage({ id: "console.nav.title" })}
        >
          <div className="-mx-4">
            <Menu me={me} onLeave={() => setMenu(false)} />
          </div>
        </Sheet>
      )}
      <RaiseSheet />
    </div>
  );
}

/** The page of the address, if there is one and this operator may open it: what is not in the list is not there. */
function Shown({ me, path }: { me: OperatorMe; path: string }) {
  const { formatMessage } = useIntl();
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const entry = pages.find((page) => page.path === trimmed);
  if (!entry || (entry.permission !== null && !me.permissions.includes(entry.permission))) {
    return (
      <Empty title={formatMessage({ id: "console.nowhere.title" })}>
        {formatMessage({ id: "console.nowhere.text" })}
      </Empty>
    );
  }
  const { Page } = entry;
  return (
    <ScreenBoundary key={entry.path}>
      <Suspense fallback={<SkeletonRows />}>
        <Page />
      </Suspense>
    </ScreenBoundary>
  );
}
