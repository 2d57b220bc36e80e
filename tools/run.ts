/**
 * `npm run bench|trial|look -- <name> [options]`: runs one command of a family; without a name
 * lists the family. `npm run help` lists everything.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, commands } from "./commands.ts";
import { ToolError } from "./lib/toolError.ts";

const families = ["bench", "trial", "look"] as const;
const daily: [command: string, help: string][] = [
  ["npm start", "the whole product; every setting: npm start -- --help"],
  ["npm run dev", "the same for development: the server restarts and the web reloads on changes"],
  ["npm test", "everything that continuous integration runs"],
  ["npm run check", "types, format and lint"],
  ["npm run unit", "unit and property tests; add a file to run that one"],
  ["npm run server", "integration tests on a real PostgreSQL; add a file to run that one"],
  ["npm run e2e", "end-to-end tests in a real Chromium"],
  ["npm run build", "the web app, into dist/web"],
  ["npm run verify", "the command-line verifier: receipts, prices, balances, the log"],
  ["npm run witness", "an outside witness for an instance, on a machine of its own"],
  ["npm run i18n", "one language as a file for translators, and back, with all checks"],
  ["npm run routes", "regenerates api/routes, what browsers know of each call"],
  ["npm run vectors", "regenerates the test vectors of docs/formats"],
  ["npm run audit", "the ledger of an instance: trial balance, running balances, chain"],
  ["npm run sbom", "the packages a running Drydock uses, as CycloneDX (-s: nothing else)"],
  ["npm run recordings", "fetches recorded prices of real venues for MARKET=replay"],
  ["npm run record", "writes a running world's seconds into a recording"],
  ["npm run backup", "a restorable copy of a running instance"],
  ["npm run restore", "restores a backup into an empty directory"],
  ["npm run succession", "ends a log that lost signed leaves, and begins its successor"],
  [
    "npm run worlds",
    "the worlds that one program serves: list, create, sleep, archive, wake, remove",
  ],
  ["npm run operator", "resets the second factor of an operator who lost it"],
];

function listOf(family: Command["family"]): string {
  const familyCommands = commands.filter(
    (command) => command.family === family && !command.hasScript,
  );
  const lines = familyCommands.map(({ name, help }) => `  ${name.padEnd(12)} ${help}`);
  return [`npm run ${family} -- <name> [options]`, ...lines].join("\n");
}

function overview(): string {
  const scripts = commands.filter(({ hasScript }) => hasScript);
  const rows = [...daily, ...scripts.map(({ name, help }) => [`npm run ${name}`, help] as const)];
  const lines = rows.map(([command, help]) => `${command.padEnd(17)} ${help}`);
  return [...lines, ...families.map((family) => `\n${listOf(family)}`)].join("\n");
}

async function run(family: Command["family"], name: string, args: string[]): Promise<void> {
  const command = commands.find((item) => item.family === family && item.name === name);
  if (!command) throw new ToolError(`Unknown ${family}: ${name}.\n${listOf(family)}`);
  const file = join(import.meta.dirname, command.file);
  // The command parses its own arguments, as if it had been started directly.
  process.argv = [process.argv[0]!, file, ...args];
  await import(pathToFileURL(file).href);
}

/** Prints a failure the user can fix as a sentence; anything else keeps its stack trace. */
function end(error: unknown): never {
  if (!(error instanceof ToolError)) throw error;
  console.error(error.message);
  process.exit(2);
}

process.on("uncaughtException", end);
process.on("unhandledRejection", end);
const [family, name, ...args] = process.argv.slice(2);
const knownFamily = families.find((item) => item === family);
if (!knownFamily) console.log(overview());
else if (!name || name.startsWith("-")) console.log(listOf(knownFamily));
else await run(knownFamily, name, args).catch(end);
