import { notFoundScreen, type Screen, screens } from "#core/screens/screens.ts";
import { type LazyPage, lazyPage } from "#web/lib/start/lazyPage.ts";
import type { Load } from "#web/lib/start/loadInTime.ts";

export interface ScreenRoute extends Screen {
  Screen: LazyPage;
}

/** One chunk per screen; core/screens/screens.ts lists which files are screens. */
const files = import.meta.glob("../screens/*/*Page.tsx") as Record<string, Load>;

function load({ file, namespaces }: Pick<Screen, "file" | "namespaces">): LazyPage {
  const found = files[`../screens/${file}.tsx`];
  if (!found)
    throw new Error(`core/screens/screens.ts names ${file}, which is not a file in web/screens`);
  return lazyPage(found, namespaces);
}

/** Every screen with its code, loaded on first visit. */
export const routes: readonly ScreenRoute[] = screens.map((screen) => ({
  ...screen,
  Screen: load(screen),
}));

export const NotFound = load(notFoundScreen);
