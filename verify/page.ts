import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CannotCheckError, type Instance } from "./instance.ts";
import { MismatchError } from "./log/bytes.ts";
import { parseCanonical } from "./log/canonical.ts";
import { decodeBuild } from "./log/leaves.ts";
import type { LogReader } from "./log/logReader.ts";

/** The pages that an instance serves (docs/formats/build.md). */

export interface BuildList {
  version: string;
  /** SHA-256 in lower-case hex, by path. */
  files: ReadonlyMap<string, string>;
  /** SHA-256 of the list itself. */
  hash: string;
}

const filesMax = 5_000;
const listBytesMax = 1_000_000;
/** Requests for files at a time. */
const concurrentMax = 8;
/**
 * The addresses that answer with a page of the app or of the console, each with its file:
 * `/pages/<path>.html`, or `/pages/<path>.<parameter>.html` with that parameter in the query.
 */
function getPages(
  files: ReadonlyMap<string, string>,
): (readonly [address: string, file: string])[] {
  const screens = [...files.keys()].flatMap((file) => {
    const [, path, parameter] = /^\/pages(\/[^.]+)(?:\.([^.]+))?\.html$/.exec(file) ?? [];
    return path ? [[`${path}${parameter ? `?${parameter}=1` : ""}`, file] as const] : [];
  });
  return [["/home", "/index.html"], ["/operator", "/operator/index.html"], ...screens];
}

const sha256Hex = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const mismatch = (difference: string, detail: string) =>
  new MismatchError("page", difference, detail);

/** Reads a list; throws a MismatchError unless it is one. */
export function parseBuildList(bytes: Uint8Array): BuildList {
  const malformed = () =>
    mismatch("build_list_malformed", "not a list of the format drydock.build/1");
  if (bytes.length > listBytesMax) throw malformed();
  let list: Record<string, unknown>;
  try {
    list = parseCanonical(bytes) as Record<string, unknown>;
  } catch {
    throw malformed();
  }
  const members = Object.keys(list ?? {}).sort();
  if (members.join() !== "backing,files,format,practice,version") throw malformed();
  const { format, practice, backing, version, files } = list;
  if (format !== "drydock.build/1" || practice !== true || backing !== "none") throw malformed();
  if (typeof version !== "string" || typeof files !== "object" || files === null) throw malformed();
  const entries = Object.entries(files as Record<string, unknown>);
  const isFile = ([path, digest]: [string, unknown]) =>
    path.startsWith("/") && typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest);
  if (entries.length === 0 || entries.length > filesMax || !entries.every(isFile))
    throw malformed();
  return { version, files: new Map(entries as [string, string][]), hash: sha256Hex(bytes) };
}

export interface PageReport {
  lines: string[];
  differences: string[];
}

/** The list in `file`, or the list of the build in this checkout. */
export function readOwnList(file: string | undefined): BuildList {
  const path = file ?? join(import.meta.dirname, "../dist/web/build.json");
  try {
    return parseBuildList(readFileSync(path));
  } catch {
    throw new CannotCheckError(
      file
        ? `${file} is not the list of a build.`
        : "Nothing is built here: run `npm run build` in a checkout of the instance's version, or name a list with --build.",
    );
  }
}

/**
 * Compares what an instance serves with `buildList`, which the reader has from elsewhere, and with
 * the newest `build` leaf of the log. `reader` proves that leaf.
 */
export async function checkPage(
  instance: Pick<Instance, "call" | "page">,
  reader: LogReader,
  buildList: BuildList,
): Promise<PageReport> {
  const bytes = await instance.page("/build.json");
  if (!bytes) throw new CannotCheckError("The instance serves no /build.json.");
  const servedList = parseBuildList(bytes);
  const differences: string[] = [];
  if (servedList.version !== buildList.version)
    differences.push(
      `version ${servedList.version} is served, your list is of ${buildList.version}`,
    );
  for (const path of new Set([...buildList.files.keys(), ...servedList.files.keys()])) {
    if (!buildList.files.has(path)) differences.push(`${path} is not in your list`);
    else if (!servedList.files.has(path)) differences.push(`${path} is missing in the served list`);
  }
  const required = [
    ...buildList.files,
    ...getPages(buildList.files).map(([path, file]) => [path, buildList.files.get(file)] as const),
  ];
  const queue = required.values();
  const work = async () => {
    for (const [path, digest] of queue) {
      const page = await instance.page(path);
      if (!page) differences.push(`${path} is not served`);
      else if (sha256Hex(page) !== digest) differences.push(`${path} is served with other content`);
    }
  };
  await Promise.all(Array.from({ length: concurrentMax }, work));
  const lines = [
    `${required.length} files and pages compared with your list of ${buildList.version}.`,
  ];
  const { build: newestBuild } = (await instance.call("/api/log/getBuild")) as {
    build: { leaf: number } | null;
  };
  if (!newestBuild)
    return { lines, differences: [...differences, "the log names no build"].sort() };
  const { leaf } = newestBuild;
  if (!Number.isSafeInteger(leaf) || leaf < 0 || leaf >= reader.checkpoint.size)
    throw mismatch("leaf_missing", `leaf ${leaf} of the build is not under the checkpoint`);
  const build = decodeBuild(await reader.leaf(leaf), null);
  if (build.list !== buildList.hash) differences.push(`leaf ${leaf} of the log names another list`);
  else lines.push(`Leaf ${leaf} of the log names the same list.`);
  return { lines, differences: differences.sort() };
}
