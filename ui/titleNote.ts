import { createStore } from "#ui/createStore.ts";

/** Precedes every page's document title while there is something to say; empty: nothing. */
export const titleNote = createStore("");
