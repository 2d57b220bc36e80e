import type { Plugin, Rolldown } from "vite";

/**
 * What `/home` in English needs beside the entry: its code and its words. Both are loaded by
 * `import()`, so the page does not name them.
 */
const needed = [/\/web\/screens\/home\/HomePage\.tsx$/, /virtual:messages\/en\/shell$/];

/**
 * Names the first screen's chunks in the page, so that they are fetched with the entry and not a
 * round trip after it. They are a few KB, and most first visits need them; on other screens they
 * are fetched early for later.
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
 * The files of the chunks that stand for `modules`, with all that they import statically. Throws
 * when one has no chunk.
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
    if (!chunk) throw new Error(`no chunk of the build stands for ${module.source}`);
    take(chunk.fileName);
  }
  return [...found];
}
