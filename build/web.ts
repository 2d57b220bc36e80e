/**
 * `npm run build`: builds the web app into `dist/web` if its sources have changed since the last
 * build. `npm start` does the same.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { addIntegrity, writeBuildList } from "./integrity.ts";
import { writePages } from "./pages.ts";

const root = join(import.meta.dirname, "..");
const output = join(root, "dist/web");
const stampFile = join(root, "dist/web.sha256");
const sources = ["web", "operator", "ui", "i18n", "api", "core", "build"];
const otherInputs = [
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "vite.operator.config.ts",
];

/** The web app could not be built; the message ends with the bundler's output. */
export class BuildError extends Error {}

/**
 * Builds `dist/web` unless it is up to date. Returns its path and whether it was built. Throws a
 * BuildError.
 */
export async function buildWeb(): Promise<{ directory: string; built: boolean }> {
  const hash = computeSourceHash();
  const isFresh = existsSync(join(output, "index.html")) && readStamp() === hash;
  if (isFresh) return { directory: output, built: false };
  // Built beside the old one and swapped in, so that a running instance never serves a mix of both.
  const next = join(root, `dist/web.${process.pid}`);
  const oldOutput = join(root, `dist/web.old.${process.pid}`);
  try {
    await runVite(next);
    // The console is a separate build served below the app's pages.
    await runVite(join(next, "operator"), "--config", join(root, "vite.operator.config.ts"));
    writePages(next);
    addIntegrity(next);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    writeBuildList(next, version);
    await compressFiles(next);
    if (existsSync(output)) renameSync(output, oldOutput);
    renameSync(next, output);
    writeFileSync(stampFile, hash);
  } finally {
    rmSync(next, { recursive: true, force: true });
    rmSync(oldOutput, { recursive: true, force: true });
  }
  return { directory: output, built: true };
}

/** SHA-256 over the names and contents of all inputs of the build. */
export function computeSourceHash(): string {
  const files = sources
    .flatMap((folder) => globSync(join(root, folder, "**/*.*")))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted();
  const hash = createHash("sha256");
  for (const file of [...otherInputs.map((name) => join(root, name)), ...files]) {
    if (!existsSync(file)) continue;
    hash.update(`${relative(root, file)}\0`);
    hash.update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.digest("hex");
}

function readStamp(): string | null {
  return existsSync(stampFile) ? readFileSync(stampFile, "utf8") : null;
}

async function runVite(directory: string, ...more: string[]): Promise<void> {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [
    vite,
    "build",
    "--outDir",
    directory,
    "--emptyOutDir",
    "--logLevel",
    "warn",
    ...more,
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const listen = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8000);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (status !== 0) throw new BuildError(`The web app could not be built.\n${output.trim()}`);
}

/** Writes a `.br` and a `.gz` beside every text file, so that nothing is compressed per request. */
async function compressFiles(directory: string): Promise<void> {
  const files = globSync(join(directory, "**/*.{js,css,html,svg,json,webmanifest}"));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < 1024) return;
      const params = {
        [zlib.BROTLI_PARAM_QUALITY]: 11,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

if (import.meta.main) {
  try {
    const { directory, built } = await buildWeb();
    console.log(
      built ? `built ${relative(root, directory)}` : `${relative(root, directory)} is up to date`,
    );
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
