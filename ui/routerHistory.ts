/** The reader's location: the address, and the key of its entry in the browser's history. */
export interface Location {
  pathname: string;
  /** With its `?`, or empty. */
  search: string;
  /** With its `#`, or empty. */
  hash: string;
  /** Unique per entry; `default` for one that the router did not create, such as the first. */
  key: string;
}

/** The part of a window that this module uses; tests pass a fake. */
export interface Tab {
  location: Pick<globalThis.Location, "pathname" | "search" | "hash" | "assign">;
  history: Pick<History, "state" | "pushState" | "replaceState">;
}

/** The state of an entry. `idx` counts the pages; ui/overlay/overlayHistory.ts reads it. */
interface State {
  key?: string;
  idx?: number;
}

function read({ history }: Tab): State {
  return (history.state as State | null) ?? {};
}

export function readLocation(tab: Tab): Location {
  const { pathname, search, hash } = tab.location;
  return { pathname, search, hash, key: read(tab).key ?? "default" };
}

/** Numbers the entry in which the page was loaded. */
export function numberFirst(tab: Tab): void {
  if (read(tab).idx === undefined) tab.history.replaceState({ ...read(tab), idx: 0 }, "");
}

/**
 * The address that `to` leads to, seen from `from`: a path, or a query or hash of the same path. A
 * link to another host does not belong to this app and leaves the location unchanged.
 */
export function resolveAddress(to: string, from: Pick<Location, "pathname" | "search">): string {
  // Any host works here, because addresses have none.
  const currentUrl = new URL(from.pathname + from.search, "http://app.invalid");
  const url = URL.canParse(to, currentUrl) ? new URL(to, currentUrl) : currentUrl;
  const { pathname, search, hash } = url.origin === currentUrl.origin ? url : currentUrl;
  return pathname + search + hash;
}

/** Adds an entry for `address`, or replaces the present one. */
export function enter(tab: Tab, address: string, replace: boolean): void {
  const key = Math.random().toString(36).slice(2, 10);
  const { idx = -1 } = read(tab);
  if (replace) {
    tab.history.replaceState({ key, idx: Math.max(idx, 0) }, "", address);
    return;
  }
  try {
    tab.history.pushState({ key, idx: idx + 1 }, "", address);
  } catch {
    // Safari allows a hundred entries in 30 s.
    tab.location.assign(address);
  }
}

interface LinkClick {
  button: number;
  metaKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  defaultPrevented: boolean;
}

/**
 * Returns true if a press on a link is for the app: not for a new tab or window, a download or a
 * menu.
 */
export function isForApp(press: LinkClick, target: string | undefined): boolean {
  return (
    !press.defaultPrevented &&
    press.button === 0 &&
    (target === undefined || target === "_self") &&
    !(press.metaKey || press.altKey || press.ctrlKey || press.shiftKey)
  );
}
