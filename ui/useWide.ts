import { useMedia } from "#ui/useMedia.ts";

/** Returns true if the viewport has a rail with words and a top bar: `wide` in ui/tokens.css. */
export const useWide = (): boolean => useMedia("(min-width: 64rem)");

/** Returns true if it has room for a second pane: `pane` in ui/tokens.css. */
export const usePanes = (): boolean => useMedia("(min-width: 45rem)");
