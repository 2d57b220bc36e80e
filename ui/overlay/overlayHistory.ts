/** The part of the browser's history that this module uses; tests pass a fake. */
export type Entries = Pick<History, "state" | "pushState" | "replaceState" | "go">;

/** The state of an entry: the router's number of its page, and its overlay, if any. */
interface State {
  idx?: number;
  overlay?: string;
  /** The number of overlay entries above the page, including this one. */
  depth?: number;
}

interface Overlay {
  id: string;
  onBack: () => void;
}

export interface OverlayHistory {
  /**
   * Adds an entry for an overlay that opened. `onBack` is called when "back" has left that entry;
   * call the returned function when the overlay is closed otherwise.
   */
  enter: (onBack: () => void) => () => void;
  /** To be called on each `popstate`. */
  popped: () => void;
}

/**
 * A history entry for each open sheet or dialog, so that the system's "back" closes the topmost one
 * instead of leaving the page. The entry repeats the page's address and router state, so the router
 * sees the same page, and "forward" never reopens an overlay. The entry of an overlay closed
 * otherwise is spent: it stays until the next overlay reuses it or "back" skips it, because
 * removing it would take another traversal, which could collide with a navigation.
 */
export function createOverlayHistory(history: Entries): OverlayHistory {
  const open: Overlay[] = [];
  let lastId = 0;
  const readState = (): State => (history.state as State | null) ?? {};
  let current = readState();

  function enter(onBack: () => void): () => void {
    // Unique across reloads: an entry from before a reload belongs to no overlay.
    const id = `${Date.now().toString(36)}.${++lastId}`;
    const state = readState();
    const isSpent =
      state.overlay !== undefined && !open.some((overlay) => overlay.id === state.overlay);
    if (isSpent) history.replaceState({ ...state, overlay: id }, "");
    else history.pushState({ ...state, overlay: id, depth: (state.depth ?? 0) + 1 }, "");
    current = readState();
    const overlay = { id, onBack };
    open.push(overlay);
    return () => {
      const index = open.indexOf(overlay);
      if (index >= 0) open.splice(index, 1);
      // A link in the overlay may have led to another page in the meantime.
      current = readState();
    };
  }

  function popped(): void {
    const from = current;
    current = readState();
    const index = open.findIndex(({ id }) => id === current.overlay);
    const closedOverlays = open.splice(index + 1).toReversed();
    for (const { onBack } of closedOverlays) onBack();
    if (closedOverlays.length > 0) return;
    const steppedDown = from.idx === current.idx && (current.depth ?? 0) < (from.depth ?? 0);
    if (steppedDown) history.go(-1);
  }

  return { enter, popped };
}
