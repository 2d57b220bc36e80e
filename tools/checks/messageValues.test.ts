import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/**
 * A value that a message needs and a call does not give shows the bare key on the screen; the name
 * of a value is only a string to the compiler, so a rename can break it unseen.
 */
const root = join(import.meta.dirname, "../..");
const messages: Record<string, string> = Object.assign(
  {},
  ...globSync("i18n/*/en.json", { cwd: root }).map((file) =>
    JSON.parse(readFileSync(join(root, file), "utf8")),
  ),
);

/** The names of the values in a message, those of its plural and select options included. */
function listValueNames(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return [element.value, ...listValueNames(element.children)];
    const nested =
      element.type === TYPE.plural || element.type === TYPE.select
        ? Object.values(element.options).flatMap((option) => listValueNames(option.value))
        : [];
    return [element.value, ...nested];
  });
}

interface Node {
  type: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

/** The names of an object literal's members; null if one is spread or computed. */
function listPropertyNames(node: Node): string[] | null {
  const names = (node.properties as Node[]).map(({ type, computed, key }) => {
    if (type !== "Property" || computed === true || !isNode(key)) return null;
    return String(key.name ?? key.value);
  });
  return names.every((name) => name !== null) ? names : null;
}

/** The wrong names in a call whose last arguments are a message's key and its values. */
function listWrongNames(args: readonly Node[]): string[] {
  const index = args.findIndex(
    ({ type, value }) => type === "Literal" && Object.hasOwn(messages, String(value)),
  );
  const values = args.at(-1);
  if (index < 0 || index !== args.length - 2 || values?.type !== "ObjectExpression") return [];
  const givenNames = listPropertyNames(values);
  if (givenNames === null) return [];
  const key = String(args[index]!.value);
  const neededNames = new Set(listValueNames(parse(messages[key]!)));
  return [
    ...[...neededNames]
      .filter((name) => !givenNames.includes(name))
      .map((name) => `${key} lacks ${name}`),
    ...givenNames
      .filter((name) => !neededNames.has(name))
      .map((name) => `${key} does not use ${name}`),
  ];
}

function findWrongNames(file: string, text: string): string[] {
  const wrongNames: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isNode(value)) return;
    if (value.type === "CallExpression")
      wrongNames.push(...listWrongNames(value.arguments as Node[]));
    for (const member of Object.values(value)) visit(member);
  };
  visit(parseSync(file, text, {}).program);
  return wrongNames.map((wrongName) => `${file}: ${wrongName}`);
}

test("every message is given the values that it names, and no other", () => {
  const files = globSync("{web,operator,ui,server,e2e,tools}/**/*.{ts,tsx}", { cwd: root });
  expect(files.length).toBeGreaterThan(1_000);
  expect(
    files.flatMap((file) => findWrongNames(file, readFileSync(join(root, file), "utf8"))),
  ).toEqual([]);
});

test("a value under another name is found", () => {
  const call = `t("first-steps.count", { isDone: 1, all: 5 })`;
  expect(findWrongNames("x.tsx", call)).toEqual([
    "x.tsx: first-steps.count lacks done",
    "x.tsx: first-steps.count does not use isDone",
  ]);
});
