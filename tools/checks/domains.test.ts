import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Each folder is named after its domain, the same on both sides of the wire (docs/glossary.md). */
const root = join(import.meta.dirname, "../..");
const glossary = readFileSync(join(root, "docs/glossary.md"), "utf8");

/** The first column of the glossary's table of domains. */
const domains = new Set(
  [...glossary.split("\n## ")[1]!.matchAll(/^\| ([a-z][a-z-]*) \|/gm)].map(([, word = ""]) => word),
);

/** Folders that are not domains, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "api/routes": "method and path of each call, for the client, without schemas",
  "server/migrations": "SQL of all domains, in the order in which it runs",
};

/**
 * Message namespaces that are not domains: parts of a domain that load separately, so that no
 * screen downloads messages that it does not show.
 */
const namespaces: Readonly<Record<string, string>> = {
  "altered-copy": "receipt: a copy with one false value, and what refuses it",
  "archived-world": "app: the archive of a world, open for reading",
  archive: "account: the README of an export, which only the server writes",
  "class-room": "classes: the tasks of a class, and what a pupil sees of it",
  console: "app: the console's frame",
  debrief: "classes: the figures of a class for the projector",
  "first-steps": "home: the first ten minutes of a new person",
  glossary: "words of the eight languages, for translators",
  "lesson-plan": "classes: what a teacher presses and asks, minute by minute",
  "low-balance": "attempts: little is left to practise with",
  permissions: "operator: what each role may do, and what no operator can",
  "personal-data": "account: export and deletion",
  "practice-terms": "session: the text that a person accepts, which the server publishes",
  "quick-actions": "home: shortcuts under the balance",
  "receipt-story": "receipt: what it shows, in three sentences",
  results: "money: totals and results of an account",
  safety: "help: red flags, and what to do when defrauded",
  "sign-in": "session: the sheet in which a person signs in",
  sitting: "help: ten items at a time, each honest or a scam",
  thief: "help: the screens as a thief would build them, drawn as pictures",
  today: "home: what today came to",
  ui: "words of the primitives",
  visitor: "home: what visitors see",
  wide: "app: the frame on wide screens, the search, and the places it adds",
  "world-removal": "app: the notice before a world is removed, which only the server writes",
  "world-finder": "app: the page that asks for the code of a world, which only the server writes",
};

const foldersIn = (path: string): string[] =>
  existsSync(join(root, path))
    ? readdirSync(join(root, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

test("the glossary lists the domains", () => {
  expect(domains.size).toBeGreaterThan(40);
  expect([...domains]).toEqual(expect.arrayContaining(["ledger", "transparency-log", "backtest"]));
});

test.each([
  "api",
  "core",
  "operator",
  "server",
  "web/features",
  "web/screens",
])("each folder of %s is a domain of the glossary, in kebab-case", (path) => {
  const unknownFolders = foldersIn(path).filter(
    (name) => !domains.has(name) && !Object.hasOwn(exceptions, `${path}/${name}`),
  );
  expect(unknownFolders).toEqual([]);
  expect(foldersIn(path).length).toBeGreaterThan(0);
});

test("each file of api/ is named after a domain", () => {
  /** Files that all calls depend on. */
  const baseFiles = ["call", "calls", "client", "envelope", "shapes", "stream"];
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const unknownFolders = readdirSync(join(root, "api"))
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => name.slice(0, -3))
    .filter((name) => !baseFiles.includes(name) && !domains.has(kebab(name)));
  expect(unknownFolders).toEqual([]);
});

test("each folder of i18n is a domain or a listed namespace", () => {
  const unknownFolders = foldersIn("i18n").filter(
    (name) => !domains.has(name) && !Object.hasOwn(namespaces, name),
  );
  expect(unknownFolders).toEqual([]);
});

test("every exception is an existing folder", () => {
  expect(Object.keys(exceptions).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const unusedExceptions = Object.keys(namespaces).filter(
    (name) => domains.has(name) || !existsSync(join(root, "i18n", name)),
  );
  expect(unusedExceptions).toEqual([]);
});
