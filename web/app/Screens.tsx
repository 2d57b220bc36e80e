import { Activity, type ReactNode, Suspense, useState, ViewTransition } from "react";
import { type Location, LocationProvider, Redirect, useLocation } from "#ui/router.tsx";
import { useMedia } from "#ui/useMedia.ts";
import { NotFound, routes, type ScreenRoute } from "#web/app/routes.tsx";
import { ScreenBoundary } from "#web/lib/start/ScreenBoundary.tsx";
import { ScreenLoading } from "#web/lib/start/ScreenLoading.tsx";
import { ScrollRestoration } from "#web/lib/start/ScrollRestoration.tsx";

/**
 * Renders the screen for the current address. Kept screens stay mounted but hidden, with the
 * address they were left at, so that their state survives; others mount again.
 * A hidden screen must not follow the router, or it would render with another screen's query. Its
 * effects are off, so it fetches again when shown.
 */
export function Screens() {
  const location = useLocation();
  const current = routes.find(({ path }) => path === trimSlash(location.pathname));
  const keptRoutes = useKeptAlive(current, location);
  if (location.pathname === "/") return <Redirect to={`/home${location.search}`} />;
  return (
    <>
      {keptRoutes.map(({ route, at }) => (
        <Activity key={route.path} mode={route === current ? "visible" : "hidden"}>
          <Framed at={at} arrivals={route === current}>
            <route.Screen />
          </Framed>
        </Activity>
      ))}
      {current?.keepsState ? null : (
        <Framed key={location.pathname} at={location} arrivals>
          {current ? <current.Screen /> : <NotFound />}
        </Framed>
      )}
    </>
  );
}

function trimSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The kept screens visited so far, each with the address it was last shown at. */
function useKeptAlive(current: ScreenRoute | undefined, location: Location) {
  const [keptScreens, setKeptScreens] = useState<readonly { route: ScreenRoute; at: Location }[]>(
    [],
  );
  const ownEntry = keptScreens.find(({ route }) => route === current);
  if (current?.keepsState && ownEntry?.at !== location) {
    const otherScreens = keptScreens.filter(({ route }) => route !== current);
    setKeptScreens([...otherScreens, { route: current, at: location }]);
  }
  return keptScreens;
}

/** One screen with its own error boundary, its loading state, and its arrival handling. */
function Framed({
  at,
  arrivals: hasArrivals,
  children,
}: {
  at: Location;
  arrivals: boolean;
  children: ReactNode;
}) {
  return (
    <FadingScreen>
      <ScreenBoundary key={at.pathname}>
        <Suspense fallback={<ScreenLoading />}>
          <LocationProvider location={at}>{children}</LocationProvider>
          {hasArrivals ? <ScrollRestoration at={at} /> : null}
        </Suspense>
      </ScreenBoundary>
    </FadingScreen>
  );
}

/** Fades a screen in as it arrives (ui/tokens.css); not at all where less motion is preferred. */
function FadingScreen({ children }: { children: ReactNode }) {
  const hasReducedMotion = useMedia("(prefers-reduced-motion: reduce)");
  if (hasReducedMotion) return children;
  return (
    <ViewTransition default="none" enter="screen-enter" exit="screen-exit">
      {children}
    </ViewTransition>
  );
}
