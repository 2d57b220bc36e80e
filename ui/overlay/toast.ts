import { createStore } from "#ui/createStore.ts";

/** A short word at the foot of the screen, and a longer notice at its head. */
export interface Notice {
  id: number;
  kind: "toast" | "notify";
  text: string;
  title: string | null;
}

const toastMs = 2000;
const notifyMs = 3000;

let nextId = 1;

/** What is shown now. */
export const noticeStore = createStore<readonly Notice[]>([]);

function show(kind: Notice["kind"], text: string, title: string | null, lastsMs: number): void {
  const id = nextId++;
  const others = noticeStore.read().filter((notice) => notice.kind !== kind);
  noticeStore.set([...others, { id, kind, text, title }]);
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
  noticeStore.set(noticeStore.read().filter((notice) => notice.id !== id));
}
