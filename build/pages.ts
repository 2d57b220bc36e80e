import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pageFile, type Screen, screens } from "../core/screens/screens.ts";

/** The bundler's manifest: by key, a chunk's file and the keys of its static imports. */
export type Manifest = Readonly<Record<string, { file: string; imports?: string[] }>>;

/**
 * Writes one page per screen beside `index.html`: a copy that preloads what the screen renders
 * first in English, which is then fetched with the entry instead of a few round trips later. Other
 * languages fetch those few KB of English in vain.
 */
export function writePages(directory: string): void {
  const index = readFileSync(join(directory, "index.html"), "utf8");
  const manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as Manifest;
  for (const screen of screens) {
    for (const parameter of Object.keys(screen.parts ?? { "": [] })) {
      const file = join(directory, pageFile(screen, parameter));
      mkdirSync(dirname(file), { recursive: true });
      const chunks = (names: readonly string[]) => findChunks(manifest, listModules(screen, names));
      const names = screen.parts?.[parameter] ?? [];
      const first = chunks(names.filter((name) => !screen.later?.includes(name)));
      const laterChunks = chunks(names).filter((chunk) => !first.includes(chunk));
      writeFileSync(file, withPreloads(index, first, laterChunks));
    }
  }
}

/** Key suffixes of the modules that a screen needs: its code, these parts of it and its messages. */
function listModules({ file, namespaces }: Screen, parts: readonly string[]): string[] {
  return [
    ...[file, ...parts].map((name) => `screens/${name}.tsx`),
    ...["shell", ...namespaces].map((name) => `virtual:messages/en/${name}`),
  ];
}

/**
 * The files of the chunks for `modules`, including everything they import statically. Throws if a
 * module has no chunk.
 */
export function findChunks(manifest: Manifest, modules: readonly string[]): string[] {
  const chunks = new Set<string>();
  const addChunk = (key: string) => {
    if (chunks.has(key)) return;
    chunks.add(key);
    for (const next of manifest[key]?.imports ?? []) addChunk(next);
  };
  for (const module of modules) {
    const key = Object.keys(manifest).find((name) => name.endsWith(module));
    if (!key) throw new Error(`no chunk in the build for module ${module}`);
    addChunk(key);
  }
  return [...chunks].map((key) => manifest[key]!.file);
}

function withPreloads(html: string, first: readonly string[], later: readonly string[]): string {
  const link = (attributes: string) => (file: string) =>
    `    <link rel="modulepreload" crossorigin${attributes} href="/${file}">\n`;
  const links = [
    ...first.filter((file) => !html.includes(file)).map(link("")),
    ...later.map(link(' fetchpriority="low"')),
  ];
  return html.replace("  </head>", `${links.join("")}  </head>`);
}
