import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalText } from "../core/transparency-log/canonical.ts";

/** The file that lists a build (docs/formats/build.md), among the files it lists. */
const listName = "build.json";

/**
 * Adds the SHA-384 of its file to every script and style of the built pages, so that a browser
 * refuses an altered one (docs/decisions/018).
 */
export function addIntegrity(directory: string): void {
  for (const page of globSync(join(directory, "{{,operator/}index,pages/**/*}.html"))) {
    writeFileSync(page, withIntegrity(readFileSync(page, "utf8"), directory));
  }
}

/** `html` with `integrity` on its scripts, styles and preloads, whose files are in `directory`. */
function withIntegrity(html: string, directory: string): string {
  return html.replace(
    /<(?:script\b[^>]*? src|link rel="(?:stylesheet|modulepreload)"[^>]*? href)="\/([^"]+)"/g,
    (tag, path: string) => {
      const digest = createHash("sha384").update(readFileSync(join(directory, path)));
      return `${tag} integrity="sha384-${digest.digest("base64")}"`;
    },
  );
}

/** Writes the list of what a browser may load from the build, with the SHA-256 of each file. */
export function writeBuildList(directory: string, version: string): void {
  const servedFiles = globSync("**/*.*", { cwd: directory }).filter(
    (path) => path !== listName && !/\.(map|br|gz)$|(^|\/)manifest\.json$/.test(path),
  );
  const files = Object.fromEntries(
    servedFiles.map((path) => [
      `/${path}`,
      createHash("sha256")
        .update(readFileSync(join(directory, path)))
        .digest("hex"),
    ]),
  );
  const list = { format: "drydock.build/1", practice: true, backing: "none", version, files };
  writeFileSync(join(directory, listName), canonicalText(list));
}
