/** What this needs of the browser's history; a test brings its own. */
export type Entries = Pick<History, "state" | "pushState" | "replaceState" | "go">;

interface Overlay {
  id: string;
  /** The router's number of the page below; entries of overlays share it. */
  page: number;
  /** Called when "back" has removed the entry. */
  onBack: () => void;
  /** Closed otherwise: its entry is to be removed. */
  left: boolean;
  /** False while an earlier removal is under way. */
  pushed: boolean;
}

interface State {
  overlay?: string;
  idx?: number;
}

export interface OverlayHistory {
  /** Adds an entry for an overlay that opened; the returned function removes it. */
  enter: (onBack: () => void) => () => void;
  /** To be called on each `popstate`. */
  popped: () => void;
}

/**
 * A history entry for each open sheet or dialog, so that the system's "back" closes the topmost one
 * instead of leaving the page. The entry repeats the page's address and router state, so the router
 * sees no other page. "Forward" never opens an overlay again: an entry whose overlay is gone is
 * stepped over. `later` runs a function after the current event, when it is known whether a link in
 * the overlay led to another page.
 */
export function createOverlayHistory(
  history: Entries,
  later: (act: () => void) => void,
): OverlayHistory {
  const stack: Overlay[] = [];
  /** Entries below a page that a link in their overlay led to. */
  const covered = new Set<string>();
  let lastId = 0;
  let removing = false;
  const read = (): State => (history.state as State | null) ?? {};
  let page = read().idx ?? 0;

  function push(overlay: Overlay): void {
    overlay.pushed = true;
    overlay.page = page = read().idx ?? 0;
    history.pushState({ ...read(), overlay: overlay.id }, "");
  }

  function enter(onBack: () => void): () => void {
    // Unique over reloads too: an entry from before a reload belongs to no overlay.
    const id = `${Date.now().toString(36)}.${++lastId}`;
    const overlay: Overlay = { id, page, onBack, left: false, pushed: false };
    const top = stack.at(-1);
    if (top?.left && read().overlay === top.id && !removing) {
      // One sheet after another: the second takes over the first one's entry.
      stack.pop();
      overlay.pushed = true;
      history.replaceState({ ...read(), overlay: id }, "");
    } else if (!removing) push(overlay);
    stack.push(overlay);
    return () => {
      if (!stack.includes(overlay)) return;
      overlay.left = true;
      later(removeLeft);
    };
  }

  /** Removes the entries of closed overlays from the top down. */
  function removeLeft(): void {
    if (removing) return;
    const { overlay: at, idx = 0 } = read();
    const onTop = at !== undefined && at === stack.at(-1)?.id;
    let count = 0;
    for (let top = stack.at(-1); top?.left; top = stack.at(-1)) {
      stack.pop();
      if (!top.pushed) continue;
      if (onTop) count++;
      else if (idx > top.page) covered.add(top.id);
    }
    page = idx;
    if (count === 0) return;
    removing = true;
    history.go(-count);
  }

  function popped(): void {
    const { overlay: at, idx = 0 } = read();
    const before = page;
    page = idx;
    if (removing) {
      removing = false;
      for (const overlay of stack) if (!overlay.pushed) push(overlay);
      later(removeLeft);
      return;
    }
    const open = stack.findIndex(({ id }) => id === at);
    // Entries above the one arrived at are gone, and with them their overlays.
    for (const gone of stack.splice(open + 1).toReversed()) if (!gone.left) gone.onBack();
    if (at === undefined || open >= 0) return;
    const forward = idx >= before && covered.has(at);
    history.go(forward ? 1 : -1);
  }

  return { enter, popped };
}
