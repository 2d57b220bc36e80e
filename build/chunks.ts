import { globSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import type { Rolldown } from "vite";
import { root } from "./bundle.ts";

type Modules = Pick<Rolldown.ChunkingContext, "getModuleInfo">;

/** `/home` and its frame: what they import statically is loaded before they are drawn. */
const home = "web/screens/home/HomePage.tsx";
const entry = "web/app/main.tsx";

/** Libraries' modules that the first screen imports in one file with others, but does not use. */
const unusedModules =
  "node_modules/@tanstack/**/{useMutation,mutationObserver,useInfiniteQuery,infiniteQueryObserver}.js";

/**
 * The other chunks: modules that many screens but `/home` need, and small ones that load together.
 * Each would otherwise be a separate file, and over HTTP/1.1 thirty files of 1 KB take longer than
 * three.
 */
const otherChunks = {
  actions: [
    "api/{call,routes/retryableErrors}.ts",
    "core/contracts/{settle,settlementWindow,stake,wireTier}.ts",
    "core/market/intervals.ts",
    "core/money/time.ts",
    "ui/overlay/useOpened.ts",
    "web/features/limits/SelfExclusion.tsx",
    "web/lib/{acknowledgements,useChoice}.ts",
    "web/lib/api/{idempotencyKeys,useApiMutation}.ts",
    "web/lib/start/deferredComponent.tsx",
    "node_modules/@tabler/**/Icon{ListDetails,Search}.mjs",
    "node_modules/@tanstack/**/{useMutation,mutationObserver}.js",
  ],
  sheets: [
    "ui/{Badge,Chip,Fold,Row,copy}.*",
    "ui/figures/{Countdown,Hash,Progress}.tsx",
    "ui/overlay/{Dialog,Sheet}.tsx",
    "web/features/{confirm/*,pin/PinSheet.tsx}",
    "web/lib/{saveFile,useLatestRun}.ts",
    "node_modules/@tabler/**/Icon{Check,ChevronDown,Copy,InfoCircle,Minus,Plus,X}.mjs",
  ],
  forms: ["ui/form/*"],
  /** Placing an order, loaded once the trade screen is drawn. */
  ticket: [
    "web/screens/contracts/trade/{ConfirmOrderSheet,TicketFields,TicketSheet}.tsx",
    "web/screens/contracts/trade/{TierPicker,useOrderConfirmation}.tsx",
  ],
  /** The warning below each list and order, and the link to help organisations. */
  warning: [
    "web/features/binary-warning/*",
    "web/features/leave-site/*",
    "node_modules/@tabler/**/IconExternalLink.mjs",
  ],
};

interface FirstScreen {
  modules: ReadonlySet<string>;
  /** Those of them that `/home`, or another screen, imports as well as the entry. */
  shared: ReadonlySet<string>;
  /** Names of the icons they import from one file with thousands of others. */
  icons: ReadonlySet<string>;
}

/**
 * The chunk of a module; null leaves it to the bundler, which makes one chunk per screen, and one
 * per set of screens that share something.
 * What the first screen needs is two chunks, because over HTTP/1.1 some twenty files of 1 KB would
 * queue behind each other, and because libraries stay cached across a release. The entry's own
 * chunk stays apart: it names the files of all screens, so every release changes it, and with it
 * would change whatever imports it.
 */
function findChunk(id: string, first: FirstScreen): string | null {
  const file = toPath(id);
  if (file === home || file === entry) return null;
  const icon = /^node_modules\/@tabler\/.*\/(Icon\w+)\.mjs$/.exec(file)?.[1];
  const isFirst = icon
    ? first.icons.has(icon)
    : first.modules.has(id) && !matchesGlob(file, unusedModules);
  if (!isFirst)
    return (
      Object.entries(otherChunks).find(([, globs]) =>
        globs.some((glob) => matchesGlob(file, glob)),
      )?.[0] ?? null
    );
  if (icon) return "shared";
  if (file.startsWith("node_modules/")) return "vendor";
  return first.shared.has(id) ? "shared" : null;
}

/** A file that has moved would silently become a separate chunk. */
function requireFiles(): void {
  for (const pattern of Object.values(otherChunks).flat()) {
    const isOurs = !pattern.startsWith("node_modules/");
    if (isOurs && globSync(pattern, { cwd: root }).length === 0)
      throw new Error(`build/chunks.ts names ${pattern}, which matches no file`);
  }
}

function firstScreen(modules: Modules): FirstScreen {
  const ofHome = closure(join(root, home), modules);
  const modulesOfHome = closure(join(root, entry), modules, new Set(ofHome));
  const shared = [...modulesOfHome].filter(
    (id) =>
      ofHome.has(id) ||
      modules.getModuleInfo(id)?.importers.some((importer) => !modulesOfHome.has(importer)),
  );
  const icons = [...modulesOfHome].flatMap((id) =>
    toPath(id).startsWith("node_modules/")
      ? []
      : (modules.getModuleInfo(id)?.code?.match(/\bIcon[A-Z0-9]\w*/g) ?? []),
  );
  return { modules: modulesOfHome, shared: new Set(shared), icons: new Set(icons) };
}

function closure(id: string, modules: Modules, ids = new Set<string>()): Set<string> {
  if (ids.has(id)) return ids;
  ids.add(id);
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) closure(next, modules, ids);
  return ids;
}

/** The chunks in the bundler's own form (`output.codeSplitting.groups`). */
export function chunkGroups() {
  requireFiles();
  let first: FirstScreen | null = null;
  return [...Object.keys(otherChunks), "vendor", "shared"].map((name) => ({
    name: (id: string, modules: Modules) => {
      first ??= firstScreen(modules);
      return findChunk(id, first) === name ? name : null;
    },
    // These import the other two, which the bundler would otherwise merge into them.
    includeDependenciesRecursively: name === "vendor" || name === "shared",
  }));
}

/**
 * A module's path from the root; packages start at `node_modules`, even where that is a symlink.
 */
function toPath(id: string): string {
  return /node_modules\/.*/.exec(id)?.[0] ?? relative(root, id);
}
