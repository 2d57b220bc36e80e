import { matchesGlob, relative } from "node:path";
import { root } from "./bundle.ts";

/** Parts of `ui` and `web/lib` that neither `/home` nor the trade screen needs at first. */
const later = [
  "ui/drawings.tsx",
  "ui/ReviewTimeline.tsx",
  "ui/copy.ts",
  "ui/figures/{CountingAmount,Hash,Progress}.tsx",
  "ui/figures/useCounting.ts",
  "ui/form/Switch.tsx",
  "ui/overlay/{DialogBody,SheetBody,Toaster}.tsx",
  "ui/overlay/{overlayHistory,scrollStop,useBackCloses}.ts",
];

/**
 * Two chunks that every screen needs; by default the bundler makes one chunk per screen. They
 * are separate because over HTTP/1.1 some twenty files of 1 KB would queue behind each other, and
 * because they stay cached across a release that changes only a screen.
 */
const chunks = [
  {
    name: "vendor",
    modules: [
      "node_modules/{react,react-dom,scheduler,react-router}/**",
      "node_modules/@tanstack/**",
      "node_modules/{react-intl,@formatjs,intl-messageformat}/**",
    ],
    except: [],
  },
  {
    name: "shared",
    modules: [
      // UI primitives.
      "ui/*.{ts,tsx}",
      "ui/*/*.{ts,tsx}",
      // The client, and the routes that /home or most screens call; routes of other domains load
      // with their screens.
      "api/{call,client}.ts",
      "api/routes/{contracts,meta,retryableErrors,session,wallet}.ts",
      // Amounts and market names.
      "core/money/*.ts",
      "core/market/{symbols,intervals}.ts",
      // Hooks used by every screen.
      "web/lib/use*.{ts,tsx}",
      "web/lib/api/use*.{ts,tsx}",
    ],
    except: later,
  },
];

/** The chunks in the bundler's own form (`output.codeSplitting.groups`). */
export const chunkGroups = chunks.map(({ name, modules, except }) => ({
  name,
  test: (id: string) => {
    const file = pathOf(id);
    const isIn = (globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob));
    return isIn(modules) && !isIn(except);
  },
}));

/**
 * A module's path from the root; packages start at `node_modules`, even where that is a symlink.
 */
function pathOf(id: string): string {
  return /node_modules\/.*/.exec(id)?.[0] ?? relative(root, id);
}
