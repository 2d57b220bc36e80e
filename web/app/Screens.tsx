import { Activity, type ReactNode, Suspense, useEffect, useState } from "react";
import {
  type Location,
  Navigate,
  Route,
  Routes,
  useLocation,
  useNavigationType,
} from "react-router";
import { NotFound, type ScreenRoute, screens } from "#web/app/routes.tsx";
import { ScreenBoundary } from "#web/app/ScreenBoundary.tsx";
import { ScreenLoading } from "#web/app/ScreenLoading.tsx";

/**
 * Draws the screen of the address. Kept screens stay in the tree, hidden, with the address they were left at, so that
 * their state is there on return; others are made anew.
 */
export function Screens() {
  const location = useLocation();
  const current = screens.find(({ path }) => path === trimmed(location.pathname));
  const kept = useKept(current, location);
  if (location.pathname === "/") return <Navigate to={`/home${location.search}`} replace />;
  return (
    <>
      {kept.map(({ route, at }) => (
        <Activity key={route.path} mode={route === current ? "visible" : "hidden"}>
          <Framed at={at} arrivals={route === current}>
            <Route path={route.path} element={<route.Screen />} />
          </Framed>
        </Activity>
      ))}
      {current?.kept ? null : (
        <Framed key={location.pathname} at={location} arrivals>
          <Route path="*" element={current ? <current.Screen /> : <NotFound />} />
        </Framed>
      )}
    </>
  );
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The kept screens visited so far, each with the address it was last shown at. */
function useKept(current: ScreenRoute | undefined, location: Location) {
  const [kept, setKept] = useState<readonly { route: ScreenRoute; at: Location }[]>([]);
  const mine = kept.find(({ route }) => route === current);
  if (current?.kept && mine?.at !== location) {
    const rest = kept.filter(({ route }) => route !== current);
    setKept([...rest, { route: current, at: location }]);
  }
  return kept;
}

/** One screen with its own error boundary, its loading state, and what happens on arrival. */
function Framed({
  at,
  arrivals,
  children,
}: {
  at: Location;
  arrivals: boolean;
  children: ReactNode;
}) {
  return (
    <ScreenBoundary key={at.pathname}>
      <Suspense fallback={<ScreenLoading />}>
        <Routes location={at}>{children}</Routes>
        {arrivals ? <Arrival at={at} /> : null}
      </Suspense>
    </ScreenBoundary>
  );
}

let arrivedAt: string | null = null;

/** On each navigation: up to the top, and the focus on the heading, so that it is read out. A changed query in place is none. */
function Arrival({ at }: { at: Location }) {
  const type = useNavigationType();
  useEffect(() => {
    const from = arrivedAt;
    arrivedAt = at.pathname + at.search;
    const inPlace = type === "REPLACE" && from?.split("?")[0] === at.pathname;
    if (from === null || from === arrivedAt || inPlace) return;
    window.scrollTo(0, 0);
    visibleHeading()?.focus({ preventScroll: true });
  }, [at, type]);
  return null;
}

/** Hidden kept screens have headings too. */
function visibleHeading(): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>("[data-page-heading]");
  return [...all].find((heading) => heading.getClientRects().length > 0);
}
