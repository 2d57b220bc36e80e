import { createStore } from "#ui/createStore.ts";

/** A short message at the bottom of the screen, or a longer notice at the top. */
export interface Notice {
  id: number;
  kind: "toast" | "notify";
  text: string;
  title: string | null;
}

const toastMs = 2000;
const notifyMs = 3000;

let nextId = 1;

/** The messages shown now. */
export const noticeStore = createStore<readonly Notice[]>([]);

function show(kind: Notice["kind"], text: string, title: string | null, lastsMs: number): void {
  const id = nextId++;
  const others = noticeStore.read().filter((notice) => notice.kind !== kind);
  noticeStore.set([...others, { id, kind, text, title }]);
  setTimeout(() => dismiss(id), lastsMs);
}

/** Shows `text` for 2000 ms, replacing any earlier toast. An empty text shows nothing. */
export function toast(text: string): void {
  if (text !== "") show("toast", text, null, toastMs);
}

/** Shows for 3000 ms that something happened elsewhere (an order was settled). */
export function notify(title: string, text: string): void {
  show("notify", text, title, notifyMs);
}

function dismiss(id: number): void {
  noticeStore.set(noticeStore.read().filter((notice) => notice.id !== id));
}
