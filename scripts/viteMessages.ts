import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isLiteralElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const prefix = "virtual:messages/";
/** Catalogues that only the server reads. */
const serverOnly = new Set(["errors.json", "server.json", "terms.json"]);

/** Every message of `locale` for the browser, compiled: the parser stays out of the bundle. Throws with the key of a broken message. */
export function compileCatalogue(root: string, locale: string): Record<string, unknown> {
  const compiled: Record<string, unknown> = {};
  for (const file of catalogueFiles(root, locale)) {
    const messages = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    for (const [key, text] of Object.entries(messages)) compiled[key] = compile(key, text);
  }
  return compiled;
}

function compile(key: string, text: string): unknown {
  try {
    const elements = parse(text);
    const only = elements[0];
    if (elements.length === 0) return "";
    return elements.length === 1 && only && isLiteralElement(only) ? only.value : elements;
  } catch (cause) {
    throw new Error(`message ${key} is not valid ICU: ${text}`, { cause });
  }
}

function catalogueFiles(root: string, locale: string): string[] {
  return globSync(join(root, locale, "*.json"))
    .filter((file) => !serverOnly.has(basename(file)))
    .sort();
}

/** Vite plugin: `import("virtual:messages/de")` is the compiled catalogue of one language. `root` is the `i18n` folder. */
export function messages(root: string): Plugin {
  return {
    name: "drydock-messages",
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const locale = id.slice(prefix.length + 1);
      for (const file of catalogueFiles(root, locale)) this.addWatchFile(file);
      const json = JSON.stringify(compileCatalogue(root, locale));
      return `export default JSON.parse(${JSON.stringify(json)});`;
    },
  };
}
