import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  allowed,
  allowedOf,
  banned,
  bannedEndings,
  bannedInComments,
  bannedInFolderComments,
  bannedInTitles,
  bannedLocalFolders,
  bannedLocals,
  bannedLocalWords,
  bannedNames,
} from "./bannedWords.ts";

/**
 * One word per thing: words replaced by a term of the field (docs/glossary.md) may not return in
 * names, nor the worst of them in comments. Names are split at capitals and underscores.
 */
const root = join(import.meta.dirname, "../..");
const folders = "{api,build,core,e2e,operator,seed,server,tools,ui,verify,web}";

const words = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
/**
 * Terms of two words in the glossary's last column; "history test" is exempt as the name of a call.
 */
const replaced = [
  ...readFileSync(join(root, "docs/glossary.md"), "utf8").matchAll(/^\|.*\| ([^|]+) \|$/gm),
]
  .flatMap(([, list = ""]) => list.split(", "))
  .filter((term) => /^[a-z]+ [a-z]+$/.test(term) && term !== "history test");
const rules = [...Object.keys(banned), ...replaced].map((name) => ({ name, parts: words(name) }));

const bannedByName = new Map<string, string | null>();

/** The banned word in a name; null when there is none. */
function bannedIn(name: string): string | null {
  const replacement = bannedByName.get(name);
  if (replacement !== undefined) return replacement;
  const word = findBanned(name);
  bannedByName.set(name, word);
  return word;
}

/** The word itself or its plural. */
const isWord = (part: string, word: string): boolean => part === word || part === `${word}s`;

function findBanned(name: string): string | null {
  const split = words(name);
  for (const { name: rule, parts } of rules) {
    for (let index = 0; index + parts.length <= split.length; index += 1) {
      if (parts.every((part, i) => isWord(split[index + i]!, part))) return rule;
    }
  }
  return null;
}

/**
 * A source without its strings and comments, and its comments alone. Text between `${` and `}` is
 * code. A slash starts a regular expression where no value can end.
 */
function splitSource(text: string): { code: string; comments: string[] } {
  const comments: string[] = [];
  let code = "";
  const open: number[] = [];
  let position = 0;
  const quoted = (end: string) => {
    position += 1;
    while (position < text.length && text[position] !== end && text[position] !== "\n")
      position += text[position] === "\\" ? 2 : 1;
    position += 1;
    code += " ";
  };
  const template = () => {
    while (position < text.length && text[position] !== "`") {
      if (text.startsWith("${", position)) {
        position += 2;
        open.push(0);
        return;
      }
      position += text[position] === "\\" ? 2 : 1;
    }
    position += 1;
  };
  while (position < text.length) {
    const char = text[position]!;
    if (text.startsWith("//", position) || text.startsWith("/*", position)) {
      const line = text[position + 1] === "/";
      const close = text.indexOf(line ? "\n" : "*/", position + 2);
      const end = close < 0 ? text.length : close + (line ? 0 : 2);
      comments.push(text.slice(position, end));
      position = end;
    } else if (char === '"') quoted(char);
    else if (char === "'" && /[=(,:[{?&|+!\s]\s*$/.test(code.slice(-20))) quoted(char);
    else if (char === "`") {
      position += 1;
      template();
    } else if (char === "/" && /(?:[=(,:[!&|?{};\n]|=>|return)\s*$/.test(code.slice(-40))) {
      let inClass = false;
      position += 1;
      while (
        position < text.length &&
        text[position] !== "\n" &&
        (inClass || text[position] !== "/")
      ) {
        if (text[position] === "[") inClass = true;
        if (text[position] === "]") inClass = false;
        position += text[position] === "\\" ? 2 : 1;
      }
      position += 1;
    } else {
      if (open.length > 0 && char === "{") open.push(open.pop()! + 1);
      else if (open.length > 0 && char === "}") {
        const depth = open.pop()!;
        if (depth === 0) {
          position += 1;
          template();
          continue;
        }
        open.push(depth - 1);
      }
      code += char;
      position += 1;
    }
  }
  return { code, comments };
}

/** The titles in a test file: of `test`, `it` and `describe`, and those that follow `.each(...)`. */
const readTitles = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:\b(?:test|it|describe)(?:\.(?!each\b)\w+)*|[\s\])\w]\))\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`),/g,
    ),
  ].map(([, plain, template]) => plain ?? template!);

const files = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: root }).filter(
  (file) =>
    !/tools\/checks\/(?:words\.test|bannedWords)\.ts$/.test(file) && !file.includes("node_modules"),
);
const sources = files.map((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return { file, text, ...splitSource(text) };
});

/** Migrations without their comments and strings. */
const migrations = globSync("server/migrations/*.sql", { cwd: root }).map((file) => ({
  file,
  code: readFileSync(join(root, file), "utf8").replace(/--[^\n]*|'(?:[^']|'')*'/g, " "),
}));

test("names use the words of the glossary, including in SQL", () => {
  expect(migrations.length).toBeGreaterThan(20);
  const offences = new Map<string, { file: string; replacement: string }>();
  for (const { file, code } of [...sources, ...migrations]) {
    for (const name of new Set(code.match(/[A-Za-z_$][\w$]*/g))) {
      const word = bannedIn(name) ?? (Object.hasOwn(bannedNames, name) ? name : null);
      if (word && !Object.hasOwn(allowed, name) && !offences.has(name))
        offences.set(name, {
          file,
          replacement: banned[word] ?? bannedNames[word] ?? "the glossary's term",
        });
    }
  }
  expect(
    [...offences].map(([name, { file, replacement }]) => `${file}: ${name} (say ${replacement})`),
  ).toEqual([]);
});

test("files and folders use the words of the glossary", () => {
  const offences = files.flatMap((file) =>
    file
      .split("/")
      .map((part) => part.replace(/\..*$/, ""))
      .filter((part) => bannedIn(part) && !Object.hasOwn(allowed, part))
      .map((part) => `${file}: ${part} (say ${banned[bannedIn(part)!]})`),
  );
  expect([...new Set(offences)]).toEqual([]);
});

const discriminant = /\b(?:is|kind|mode|name|reason|stage|state|status|type): "(\w+)"/g;

test("the kinds and states of a union use the words of the glossary", () => {
  const offences = sources.flatMap(({ file, text }) =>
    [...text.matchAll(discriminant)]
      .filter(([, word]) => Object.hasOwn(banned, word!))
      .map(([form, word]) => `${file}: ${form} (say ${banned[word!]})`),
  );
  expect(offences).toEqual([]);
});

const declaredLocal = /\b(?:const|let) (\w+)\b|\((\w+)(?:: [^()]*)?\) =>/g;

test("a local has the name of its content, not of what was done with it", () => {
  const offences = sources.flatMap(({ file, code }) =>
    [...code.matchAll(declaredLocal)]
      .map(([, declared, parameter]) => declared ?? parameter!)
      .filter((name) => bannedLocals.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(offences).toEqual([]);
});

test("a local is not called by a pronoun, an adjective or a participle", () => {
  const offences = sources
    .filter(({ file }) => bannedLocalFolders.test(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(declaredLocal)]
        .map(([, declared, parameter]) => declared ?? parameter!)
        .filter((name) => Object.hasOwn(bannedLocalWords, name))
        .map((name) => `${file}: ${name} (say ${bannedLocalWords[name]})`),
    );
  expect(offences).toEqual([]);
});

const stateAndSetter = /\bconst \[(\w+), (\w+)\] = useState\b/g;

test("the setter of a state has the state's name", () => {
  const offences = sources.flatMap(({ file, code }) =>
    [...code.matchAll(stateAndSetter)]
      .filter(([, state, setter]) => setter !== `set${state![0]!.toUpperCase()}${state!.slice(1)}`)
      .map(([, state, setter]) => `${file}: [${state}, ${setter}]`),
  );
  expect(offences).toEqual([]);
});

test("a type of what failed ends in Error or Mismatch, and one of what was read in Result", () => {
  const offences = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/\b(?:class|interface|type) ([A-Z]\w*)/g)].flatMap(([, name]) =>
      bannedEndings
        .filter(([ending]) => ending.test(name!))
        .map(([, instead]) => `${file}: ${name} (end in ${instead})`),
    ),
  );
  expect(offences).toEqual([]);
});

const functionForm =
  /\bfunction\*? (\w+[a-z]Of)\b|\bconst (\w+[a-z]Of)\b[^=;]*= (?:async )?(?:\([^=]*\)|\w+)(?::[^=;]+)? =>/g;

test("a function is named by a verb and its result, not by …Of", () => {
  const names = sources
    .filter(({ file }) => !/\.(?:test|spec)\.tsx?$|^e2e\//.test(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(functionForm)]
        .map(([, declared, assigned]) => declared ?? assigned!)
        .filter((name) => !allowedOf.has(name))
        .map((name) => `${file}: ${name}`),
    );
  expect(names).toEqual([]);
});

test("a caught error is called error", () => {
  const names = sources.flatMap(({ file, code }) =>
    [...code.matchAll(/\bcatch \((fault|problem|cause|thrown)\)/g)].map(
      ([, name]) => `${file}: ${name}`,
    ),
  );
  expect(names).toEqual([]);
});

test("comments use the words of the glossary", () => {
  const offences = sources.flatMap(({ file, comments }) =>
    comments.flatMap((comment) =>
      bannedInComments
        .filter(([form]) => form.test(comment))
        .map(([form, instead]) => `${file}: ${form.exec(comment)![0]} (say ${instead})`),
    ),
  );
  expect(offences).toEqual([]);
});

test("comments of the listed folders are in plain English", () => {
  const offences = sources
    .filter(({ file }) => bannedLocalFolders.test(file))
    .flatMap(({ file, comments }) =>
      comments.flatMap((comment) =>
        bannedInFolderComments
          .filter(([form]) => form.test(comment))
          .map(([form, instead]) => `${file}: ${form.exec(comment)![0]} (say ${instead})`),
      ),
    );
  expect(offences).toEqual([]);
});

test("test titles use the words of the glossary", () => {
  const tests = files.filter((file) => /\.(?:test|spec)\.tsx?$/.test(file));
  const all = tests.flatMap((file) =>
    readTitles(readFileSync(join(root, file), "utf8")).map((title) => ({ file, title })),
  );
  expect(all.length).toBeGreaterThan(2_000);
  const offences = all.flatMap(({ file, title }) =>
    bannedInTitles
      .filter(([form]) => form.test(title))
      .map(([form, instead]) => `${file}: ${title}: ${form.exec(title)![0]} (say ${instead})`),
  );
  expect(offences).toEqual([]);
});

test("every exception is still needed and has a reason", () => {
  const all = new Set(sources.flatMap(({ code }) => code.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const unusedExceptions = Object.entries(allowed).filter(
    ([name, why]) => !all.has(name) || !bannedIn(name) || why === "",
  );
  expect(unusedExceptions).toEqual([]);
});

test.each([
  ["orderWish", "wish"],
  ["OPEN_GATE", "gate"],
  ["quickOrdersOf", "quickOrders"],
  ["quickStakes", null],
  ["hiddenCompanions", "companion"],
  ["secondStores", "second store"],
  ["delegate", null],
])("%s contains the banned word %s", (name, word) => {
  expect(bannedIn(name)).toBe(word);
});

test("a quoted text is not a name, and a template expression is", () => {
  const computed = ["$", "{gate}"].join("");
  const { code, comments } = splitSource(
    `const a = "wish"; // a deed\nconst b = \`x ${computed} {y}\`; /a"b/.test(c)`,
  );
  expect(code).not.toContain("wish");
  expect(code).toContain("gate");
  expect(code).not.toContain("x ");
  expect(comments).toEqual(["// a deed"]);
});

test("titles are found in calls, across lines and after tables", () => {
  const text = `test("a", () => {}); describe.skip(\n  "b", () => {}); test.each([["x"]])("c %s", f);
it.each(\n  rows,\n)("d", f); call("e", 1); test(\`f\`, () => {});`;
  expect(readTitles(text)).toEqual(["a", "b", "c %s", "d", "f"]);
});
