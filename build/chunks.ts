import { matchesGlob, relative } from "node:path";
import { root } from "./bundle.ts";

/**
 * Two chunks that every screen needs; the bundler makes one for each screen by itself. They stand
 * apart because over HTTP/1.1 some twenty files of a KB would wait for each other, and because a
 * release that touches a screen leaves them in the cache.
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
      // Primitives of the interface.
      "ui/*.{ts,tsx}",
      "ui/*/*.{ts,tsx}",
      // The client, and the routes that /home or most screens ask; those of other domains come with
      // their screens.
      "api/{call,client}.ts",
      "api/routes/{contracts,meta,retryableErrors,session,wallet}.ts",
      // Amounts, and the names of markets.
      "core/money/*.ts",
      "core/market/{symbols,intervals}.ts",
      // Hooks of every screen.
      "web/lib/use*.{ts,tsx}",
      "web/lib/api/use*.{ts,tsx}",
    ],
    // Loaded when they are opened.
    except: ["ui/drawings.tsx", "ui/overlay/{DialogBody,SheetBody,Toaster}.tsx"],
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

/** A module's path from the root, packages under `node_modules` even where that is a link. */
function pathOf(id: string): string {
  return /node_modules\/.*/.exec(id)?.[0] ?? relative(root, id);
}
