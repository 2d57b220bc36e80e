/** A short word at the foot of the screen, and a longer notice at its head. */
interface Notice {
  id: number;
  kind: "toast" | "notify";
  text: string;
  title: string | null;
}

const toastMs = 2000;
const notifyMs = 3000;

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function show(kind: Notice["kind"], text: string, title: string | null, lastsMs: number): void {
  const id = nextId++;
  set([...notices.filter((notice) => notice.kind !== kind), { id, kind, text, title }]);
  setTimeout(() => dismiss(id), lastsMs);
}

/** Shows `text` for 2000 ms; a newer one replaces it. An empty text shows nothing. */
export function toast(text: string): void {
  if (text !== "") show("toast", text, null, toastMs);
}

/** Shows something that happened elsewhere (an order was settled) for 3000 ms. */
export function notify(title: string, text: string): void {
  show("notify", text, title, notifyMs);
}

function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

/** For `useSyncExternalStore`. */
export const noticeStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => notices,
};
