import { notFoundScreen, type Screen, screens } from "#core/screens/screens.ts";
import { type LazyPage, lazyPage } from "#web/lib/start/lazyPage.ts";
import type { Load } from "#web/lib/start/loadWithTimeout.ts";

export interface ScreenRoute extends Screen {
  Screen: LazyPage;
}

/** This route is for developers (`npm run dev`) only; no build includes it. */
const gallery: Screen = {
  path: "/dev/gallery",
  file: "gallery/GalleryPage",
  namespaces: [],
  tab: null,
};

/** One chunk per screen; core/screens/screens.ts lists which files are screens. */
const files = {
  ...import.meta.glob(["../screens/*/*Page.tsx", "!../screens/gallery/*"]),
  ...(import.meta.env.DEV ? import.meta.glob("../screens/gallery/*Page.tsx") : {}),
} as Record<string, Load>;

function load({ file, namespaces }: Pick<Screen, "file" | "namespaces">): LazyPage {
  const load = files[`../screens/${file}.tsx`];
  if (!load)
    throw new Error(`core/screens/screens.ts names ${file}, which is not a file in web/screens`);
  return lazyPage(load, namespaces);
}

/** Every screen with its code, loaded on first visit. */
export const routes: readonly ScreenRoute[] = [
  ...screens,
  ...(import.meta.env.DEV ? [gallery] : []),
].map((screen) => ({ ...screen, Screen: load(screen) }));

export const NotFound = load(notFoundScreen);
