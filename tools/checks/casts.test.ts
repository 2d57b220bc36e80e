import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/**
 * Files that use `any`, `as never` or `as unknown as`: how often, and why the compiler needs it
 * there.
 */
const allowed: Readonly<Record<string, { count: number; reason: string }>> = {
  // Receipts and log entries: their form is checked field by field, in a way the compiler cannot
  // narrow to the type.
  "core/hosting/receipt/markReceipt.ts": {
    count: 2,
    reason: "bodies of leaves, checked by their form",
  },
  "core/hosting/receipt/receipt.ts": { count: 1, reason: "an interface has no index signature" },
  "core/hosting/receipt/receiptSchema.ts": {
    count: 3,
    reason: "a value that was checked by its form",
  },
  "core/hosting/receipt/receiptSteps.ts": {
    count: 3,
    reason: "an interface has no index signature",
  },
  "core/hosting/receipt/tradeReceipt.ts": {
    count: 2,
    reason: "bodies of leaves, checked by their form",
  },
  "core/mining/receipt.ts": { count: 2, reason: "an interface has no index signature" },
  "core/mining/receiptSchema.ts": { count: 1, reason: "a value that was checked by its form" },
  "core/operator/auditReceipt.ts": { count: 2, reason: "values that were checked by their form" },
  "core/transparency-log/acknowledgement.ts": {
    count: 1,
    reason: "a value that was checked by its form",
  },
  "core/transparency-log/auditLeaf.ts": {
    count: 3,
    reason: "the body of a leaf, checked by its form",
  },
  "server/hosting/audit/markCheck.ts": {
    count: 1,
    reason: "the body of a leaf; a damaged one is a finding",
  },
  "server/hosting/audit/tradeCheck.ts": {
    count: 1,
    reason: "the body of a leaf; a damaged one is a finding",
  },
  "server/hosting/trades.ts": { count: 1, reason: "the body of a leaf, checked by its form" },
  "verify/hosting/leaves.ts": { count: 2, reason: "bodies of leaves, checked by their form" },
  "verify/hosting/state.ts": { count: 1, reason: "the runner's state, read without its code" },
  "verify/log/acknowledgement.ts": { count: 2, reason: "values that were checked by their form" },
  "verify/log/leaves.ts": { count: 1, reason: "fields of a leaf, checked by their form" },
  "verify/operator/auditLeaf.ts": { count: 1, reason: "the body of a leaf, checked by its form" },
  "verify/operator/receipts.ts": { count: 2, reason: "values that were checked by their form" },
  // Lookup tables: the listener or value is typed by the name it is stored under.
  "server/platform/bus/bus.ts": { count: 1, reason: "listeners are kept by topic" },
  "server/platform/bus/sharedBus.ts": { count: 2, reason: "an event is read by its topic" },
  "server/publishing/liveCache.ts": { count: 1, reason: "publications are kept by kind" },
  "web/lib/api/useApiPages.ts": {
    count: 1,
    reason: "the cursor is a member of the call's own input",
  },
  "web/lib/stream.ts": { count: 1, reason: "handlers are kept by topic" },
  "web/screens/verify/OwnReceipt.tsx": { count: 1, reason: "a call and its input belong together" },
  // Types of packages and platforms that declare less than they provide.
  "server/platform/config/settings.ts": { count: 1, reason: "a schema made from another" },
  "server/module/compose.ts": {
    count: 1,
    reason: "what a module needs was checked when the list was typed",
  },
  "server/platform/db/database.ts": {
    count: 6,
    reason:
      "Kysely's way to declare tables where they are used; a driver's method of many signatures",
  },
  "server/platform/http/app.ts": { count: 1, reason: "Fastify's type names the logger" },
  "server/platform/http/upload.ts": { count: 1, reason: "Fastify's type names the logger" },
  "web/features/receipt/ScaledNumber.tsx": {
    count: 1,
    reason: "Intl takes decimal text; its type here does not",
  },
  "web/lib/start/lazyComponent.tsx": { count: 1, reason: "React's lazy loses the props" },
  "web/screens/contracts/chart/colours.ts": { count: 1, reason: "a map of three is three" },
};

const files = globSync("{api,core,server,web,operator,ui,seed,verify,i18n}/**/*.{ts,tsx}", {
  cwd: root,
})
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !/\.test\.tsx?$|\/testing\.ts$|^server\/testing\//.test(file))
  .toSorted();

interface Node {
  type: string;
  start: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** Positions in a source where type checking is bypassed. */
function findCasts(name: string, text: string): number[] {
  const offsets: number[] = [];
  const visit = (node: Node): void => {
    if (node.type === "TSAnyKeyword") offsets.push(node.start);
    if (node.type === "TSAsExpression") {
      const { typeAnnotation, expression } = node as Node &
        Record<"typeAnnotation" | "expression", Node & { typeAnnotation?: Node }>;
      if (typeAnnotation.type === "TSNeverKeyword") offsets.push(typeAnnotation.start);
      if (expression.typeAnnotation?.type === "TSUnknownKeyword") offsets.push(expression.start);
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseSync(name, text, {}).program);
  return offsets;
}

test("casts in product code are limited to the list of exceptions", {
  timeout: 120_000,
}, () => {
  const counts = files.flatMap((file) => {
    const { length } = findCasts(file, readFileSync(join(root, file), "utf8"));
    return length > 0 ? [[file, length] as const] : [];
  });
  expect(files.length).toBeGreaterThan(800);
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([file, { count }]) => [file, count])),
  );
});

test.each([
  ["const a: any = 1;", 1],
  ["const a = b as never;", 1],
  ["const a = b as unknown as string;", 1],
  ["const a = new Map<string, any[]>();", 1],
  ["const a: unknown = b as string; // any, as never", 0],
  ["function a(b: never): never { throw b; }", 0],
])("`%s` counts %i times", (text, count) => {
  expect(findCasts("x.ts", text)).toHaveLength(count);
});
