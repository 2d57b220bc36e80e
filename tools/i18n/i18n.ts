/**
 * `npm run i18n -- export | import`: one language as a gettext file, for translators and their
 * programs, and back. An import checks everything first and writes all or nothing.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isLocale, type Locale, locales } from "#core/locales.ts";
import { readGlossary, readMessages } from "#i18n/glossary/catalogues.ts";
import {
  findSyntaxProblems,
  findTypographyProblems,
  findWordProblems,
} from "#i18n/glossary/problems.ts";
import { parseOptions } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { formatPo, parsePo } from "./po.ts";

const root = join(import.meta.dirname, "../..");
const usage = `One language as a gettext file (PO), with English and context beside each message, and back.

  npm run i18n -- export --locale <locale> --to <file.po>
  npm run i18n -- import --locale <locale> --from <file.po> [--dry-run]

--locale   ${locales.filter((locale) => locale !== "en").join(", ")}
--dry-run  checks the file and writes nothing
An empty translation leaves the present one. Nothing is written if any message is wrong.
Exit status: 0 done; 1 refused, a line for each reason; 2 wrong options.`;

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function run(args: string[]): number {
  const { values, positionals } = options(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { locale = "", to, from } = values;
  if (!isLocale(locale) || locale === "en") throw new ToolError(`Which language?\n\n${usage}`);
  if (positionals[0] === "export" && to) return exportTo(locale, to);
  if (positionals[0] === "import" && from) return importFrom(locale, from, values["dry-run"]);
  throw new ToolError(usage);
}

function options(args: string[]) {
  return parseOptions(
    {
      args,
      allowPositionals: true,
      options: {
        locale: { type: "string" },
        to: { type: "string" },
        from: { type: "string" },
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
}

function exportTo(locale: Locale, file: string): number {
  const notes = JSON.parse(readFileSync(join(root, "i18n/glossary/notes.json"), "utf8")) as Record<
    string,
    string
  >;
  const messages = readMessages(locale);
  const files = filesNaming(Object.keys(messages));
  const entries = Object.entries(readMessages("en")).map(([key, english]) => ({
    key,
    english,
    note: notes[key] ?? "",
    files: files.get(key) ?? [],
    translation: messages[key] ?? "",
  }));
  writeFileSync(file, formatPo(locale, entries));
  console.log(`${entries.length} messages in ${file}`);
  return 0;
}

/** The sources that name each key as a whole. */
function filesNaming(keys: string[]): Map<string, string[]> {
  const knownKeys = new Set(keys);
  const files = new Map<string, string[]>();
  for (const folder of ["web", "ui", "operator", "server"]) {
    for (const file of globSync(join(root, folder, "**/*.{ts,tsx}"))) {
      if (/\.test\.tsx?$/.test(file)) continue;
      for (const [, key = ""] of readFileSync(file, "utf8").matchAll(
        /["`]([a-z_-]+\.[\w.]+)["`]/g,
      )) {
        const path = relative(root, file);
        if (knownKeys.has(key) && !files.get(key)?.includes(path))
          files.set(key, [...(files.get(key) ?? []), path]);
      }
    }
  }
  return files;
}

function importFrom(locale: Locale, file: string, dryRun: boolean): number {
  const english = readMessages("en");
  const glossary = readGlossary(locale);
  const translated = listEntries(file).filter(({ translation }) => translation !== "");
  const problems = translated.flatMap(({ key, english: source, translation }) => {
    const present = english[key];
    if (present === undefined) return [`${key}: no such message`];
    if (present !== source) return [`${key}: English has changed since the export: ${present}`];
    return [
      ...findSyntaxProblems(present, translation),
      ...findTypographyProblems(locale, translation),
      ...findWordProblems(glossary, present, translation),
    ].map((problem) => `${key}: ${problem}: ${translation}`);
  });
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem);
    console.error(
      `${problems.length} of ${translated.length} messages are wrong: nothing was written.`,
    );
    return 1;
  }
  const changedCount = dryRun ? 0 : write(locale, translated);
  console.log(
    dryRun
      ? `${translated.length} messages are right.`
      : `${changedCount} of ${translated.length} messages changed.`,
  );
  return 0;
}

function listEntries(file: string) {
  try {
    return parsePo(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ToolError(`${file} cannot be read as a gettext file: ${(error as Error).message}`);
  }
}

/** Writes the translations into the catalogues of the language; returns how many differed. */
function write(locale: Locale, poEntries: { key: string; translation: string }[]): number {
  const translations = new Map(poEntries.map(({ key, translation }) => [key, translation]));
  let changedCount = 0;
  for (const file of globSync(join(root, "i18n/*", `${locale}.json`))) {
    const messages = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    const next = Object.fromEntries(
      Object.entries(messages).map(([key, text]) => [key, translations.get(key) ?? text]),
    );
    const differingCount = Object.keys(next).filter((key) => next[key] !== messages[key]).length;
    if (differingCount > 0) writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
    changedCount += differingCount;
  }
  return changedCount;
}
