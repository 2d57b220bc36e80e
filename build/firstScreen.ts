import type { Plugin, Rolldown } from "vite";

/**
 * What `/home` in English needs besides the entry: its code and its messages. Both are loaded by
 * `import()`, so the HTML does not reference them.
 */
const needed = [/\/web\/screens\/home\/HomePage\.tsx$/, /virtual:messages\/en\/shell$/];

/**
 * Preloads the first screen's chunks from the HTML, so that they are fetched with the entry instead
 * of one round trip later. They are a few KB, and most first visits need them; other screens merely
 * fetch them early.
 */
export function firstScreen(): Plugin {
  return {
    name: "drydock-first-screen",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const files = chunksOf(Object.values(bundle ?? {}), needed);
        return files
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head" as const,
          }));
      },
    },
  };
}

type Output = Pick<Rolldown.OutputChunk, "type" | "fileName" | "imports" | "facadeModuleId">;

/**
 * The files of the chunks for `modules`, including everything they import statically. Throws if a
 * module has no chunk.
 */
export function chunksOf(
  outputs: readonly (Output | { type: "asset" })[],
  modules: readonly RegExp[],
): string[] {
  const chunks = outputs.filter((output): output is Output => output.type === "chunk");
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<string>();
  const take = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const next of byFile.get(file)?.imports ?? []) take(next);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => module.test(facadeModuleId ?? ""));
    if (!chunk) throw new Error(`no chunk in the build for module ${module.source}`);
    take(chunk.fileName);
  }
  return [...found];
}
