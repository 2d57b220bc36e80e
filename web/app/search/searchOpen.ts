import { createStore } from "#ui/createStore.ts";

/** True while the search over everything is open. */
export const searchOpen = createStore(false);

export const openSearch = () => searchOpen.set(true);

/** Opens the search on Ctrl-K or Cmd-K, until the returned function is called. */
export function watchSearchKey(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
    if (event.altKey || event.shiftKey) return;
    event.preventDefault();
    openSearch();
  };
  window.addEventListener("keydown", press);
  return () => window.removeEventListener("keydown", press);
}
