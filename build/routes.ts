/**
 * `npm run routes`: writes `api/routes`, one file for each file of `api` that defines calls, with
 * what a client needs of them: method, path and flags as values, input and answer as types.
 * Browsers import these and never load a schema (docs/decisions/181).
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Call, Route } from "#api/call.ts";
import { errors } from "#api/errors.ts";

const root = join(import.meta.dirname, "..");
const target = "api/routes";
const header = (source: string) =>
  `// Generated from ${source} by \`npm run routes\`; a test keeps it up to date.\n`;

/** Text of every generated file by its path from the root. */
export async function generateRouteFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const sources = globSync("api/{*,operator/*}.ts", { cwd: root }).toSorted();
  for (const source of sources) {
    const text = formatRoutes(source, await import(join(root, source)));
    if (text) files.set(source.replace("api/", `${target}/`), text);
  }
  files.set(`${target}/retryableErrors.ts`, formatRetryableErrors());
  return files;
}

/** The routes of the calls that `module` exports; null if it exports none. */
export function formatRoutes(source: string, module: Record<string, unknown>): string | null {
  // `calls` at the end of a file lists calls that are exported by name as well.
  const exported = Object.entries(module)
    .filter(([name]) => name !== "calls")
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = exported.flatMap(([name, value]) => {
    const routes = getRoutes(value);
    return routes
      ? [`export const ${name}: RoutesOf<typeof calls.${name}> = ${formatLiteral(routes)};`]
      : [];
  });
  if (lines.length === 0) return null;
  const imports = [
    `import type { RoutesOf } from "#api/call.ts";`,
    `import type * as calls from "#${source}";`,
  ];
  return [
    header(source),
    // In Biome's sort order.
    ...(source < "api/call.ts" ? imports.toReversed() : imports),
    ...lines.map((line) => `\n${line}`),
    "",
  ].join("\n");
}

/** The route of a call, or an object of routes for an object of calls; null for anything else. */
function getRoutes(value: unknown): object | null {
  if (typeof value !== "object" || value === null) return null;
  if (isCall(value)) return getRoute(value);
  const inner = Object.entries(value).map(([name, part]) => [name, getRoutes(part)] as const);
  return inner.length > 0 && inner.every(([, routes]) => routes) ? Object.fromEntries(inner) : null;
}

function isCall(value: object): value is Call {
  return "method" in value && "path" in value && "answer" in value;
}

function getRoute({ method, path, access, permission, changes, money, upload }: Call): Route {
  return {
    method,
    path,
    access,
    ...(permission && { permission }),
    ...(changes !== undefined && { changes }),
    ...(money !== undefined && { money }),
    ...(upload && { upload: { field: upload.field } }),
  };
}

function formatRetryableErrors(): string {
  const names = Object.entries(errors).flatMap(([name, { retry }]) => (retry ? [name] : []));
  const list = names.map((name) => `  ${JSON.stringify(name)},\n`).join("");
  return [
    header("api/errors.ts"),
    `import type { ErrorName } from "#api/errors.ts";`,
    "",
    "/** Errors after which the same request may succeed later. */",
    `export const retryableErrors: ReadonlySet<string> = new Set<ErrorName>([\n${list}]);`,
    "",
  ].join("\n");
}

/** Formats an object as Biome would: one property per line, unquoted keys. */
function formatLiteral(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${name}: ${formatLiteral(part, inner)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

if (import.meta.main) {
  rmSync(join(root, target), { recursive: true, force: true });
  for (const [file, text] of await generateRouteFiles()) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}
