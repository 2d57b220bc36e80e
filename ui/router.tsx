import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import {
  enter,
  isForApp,
  type Location,
  numberFirst,
  readLocation,
  resolveAddress,
} from "#ui/routerHistory.ts";

export type { Location };

/** How the reader reached the location: by a link, by a replacing link, or by back or forward. */
export type NavigationType = "PUSH" | "REPLACE" | "POP";

interface Entry {
  location: Location;
  type: NavigationType;
}

interface Options {
  /** Replaces the current entry of the history. */
  replace?: boolean;
}

type Navigate = (address: string, options?: Options) => void;

const EntryContext = createContext<Entry | null>(null);
const GoContext = createContext<Navigate | null>(null);
const LocationContext = createContext<Location | null>(null);

function useIn<Value>(value: Value | null): Value {
  if (value === null) throw new Error("there is no Router around this component");
  return value;
}

/** Follows the address and the history of the browser's tab (docs/decisions/255). */
export function Router({ children }: { children: ReactNode }) {
  const [entry, setEntry] = useState<Entry>(() => {
    numberFirst(window);
    return { location: readLocation(window), type: "POP" };
  });
  // In a transition: the old screen stays until the next one's code has loaded.
  const arrive = useCallback((type: NavigationType) => {
    startTransition(() => setEntry({ location: readLocation(window), type }));
  }, []);
  useLayoutEffect(() => {
    const popped = () => arrive("POP");
    window.addEventListener("popstate", popped);
    return () => window.removeEventListener("popstate", popped);
  }, [arrive]);
  const go = useCallback<Navigate>(
    (address, { replace = false } = {}) => {
      enter(window, address, replace);
      arrive(replace ? "REPLACE" : "PUSH");
    },
    [arrive],
  );
  return (
    <GoContext value={go}>
      <EntryContext value={entry}>
        <LocationContext value={entry.location}>{children}</LocationContext>
      </EntryContext>
    </GoContext>
  );
}

/**
 * Provides `location` to children regardless of the address, for a screen that is kept while
 * hidden.
 */
export function LocationProvider({
  location,
  children,
}: {
  location: Location;
  children: ReactNode;
}) {
  return <LocationContext value={location}>{children}</LocationContext>;
}

export function useLocation(): Location {
  return useIn(useContext(LocationContext));
}

export function useNavigationType(): NavigationType {
  return useIn(useContext(EntryContext)).type;
}

/** Goes to an address, or some entries through the history: -1 is the browser's "back". */
export function useNavigate(): (to: string | number, options?: Options) => void {
  const { pathname, search } = useLocation();
  const go = useIn(useContext(GoContext));
  return useCallback(
    (to, options) => {
      if (typeof to === "number") window.history.go(to);
      else go(resolveAddress(to, { pathname, search }), options);
    },
    [go, pathname, search],
  );
}

/** Redirects to `to` without adding a history entry. */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace: true }), [navigate, to]);
  return null;
}

type Query = URLSearchParams | Record<string, string>;

/** The query of the address, and a function that changes the query on the same path. */
export function useSearchParams(): [
  URLSearchParams,
  (next: Query | ((before: URLSearchParams) => Query), options?: Options) => void,
] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const setQuery = useCallback(
    (next: Query | ((before: URLSearchParams) => Query), options?: Options) => {
      const query = typeof next === "function" ? next(new URLSearchParams(search)) : next;
      navigate(`?${new URLSearchParams(query)}`, options);
    },
    [navigate, search],
  );
  return [query, setQuery];
}

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** A path of the app, or a query or hash of the same path. */
  to: string;
  /** Replaces the current entry; the default if the link leads to the current address. */
  replace?: boolean;
}

/** A link within the app, followed without loading a page; otherwise as any other link. */
export function Link({ to, replace, onClick, children, ...rest }: LinkProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const href = resolveAddress(to, location);
  function press(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!isForApp(event, rest.target)) return;
    event.preventDefault();
    const { pathname, search, hash } = location;
    navigate(href, { replace: replace ?? href === pathname + search + hash });
  }
  return (
    <a {...rest} href={href} onClick={press}>
      {children}
    </a>
  );
}
