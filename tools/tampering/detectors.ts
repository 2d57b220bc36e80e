import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuditChecks } from "#server/app/audit/auditChecks.ts";
import { type AuditCheck, createAudit } from "#server/ledger/audit/audit.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { ask, getData } from "../probes/http.ts";
import type { Person } from "../probes/testInstance.ts";

/** Nothing could be compared, so nothing was detected. */
export class CannotCheckError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotCheckError";
  }
}

/**
 * A check with the means of one reader: null if it finds nothing, else the finding's name. Throws
 * if they cannot check.
 */
export interface Detector {
  name: string;
  /**
   * `kind`: what was changed, for detectors that can begin there. It does not change the result.
   */
  readonly look: (kind?: string) => Promise<string | null>;
}

/** A person with the receipts that they check: the names the command-line verifier takes. */
export interface Checker {
  person: Person;
  subjects: readonly string[];
}

const world = "tampering";

/** The checks that are run first, by kind of change; those that read most come last of all. */
const firstOf: Readonly<Record<string, readonly string[]>> = {
  ledger: ["kinds"],
  log: ["log"],
  "log, staged": ["log"],
  market: ["marketDays", "market"],
  contracts: ["contracts", "contractTerms", "terms"],
  hosting: ["hosting", "hostingTerms", "terms"],
  mining: ["mining", "miningLeases", "miningStock", "miningTerms", "terms"],
  liabilities: ["liabilities"],
  operators: ["publications", "publishing", "switches"],
  people: ["attempts", "switches", "addresses", "invites"],
  wallet: ["withdraw", "exchange", "send", "recharge"],
};
const last: readonly string[] = ["log", "market"];

/** Where a check comes when something of this kind was changed. */
function getRank(check: string, kind: string): number {
  const first = firstOf[kind]?.indexOf(check) ?? -1;
  return first >= 0 ? first - 100 : last.indexOf(check);
}

/**
 * The ledger's audit, with the checks of all domains, from the first entry on. Checks are
 * independent of each other; those after the first finding are skipped.
 */
export function auditDetector(appUrl: string): Detector & { close(): Promise<void> } {
  const database: Database = openDatabase({ url: appUrl, schema: `world_${world}`, max: 2 });
  return {
    name: "audit",
    look: async (kind = "") => {
      let first: string | null = null;
      const checks = Object.entries(createAuditChecks(world)).map(
        ([name, check]): [string, AuditCheck] => [
          name,
          async (tx, find) => {
            if (first !== null) return;
            await check(tx, (what, detail) => {
              first ??= `${what}: ${detail}`;
              find(what, detail);
            });
          },
        ],
      );
      const ordered = checks.toSorted(([a], [b]) => getRank(a, kind) - getRank(b, kind));
      const contributions = { auditChecks: [Object.fromEntries(ordered)] };
      const audit = createAudit({ database, world: { name: world } }, { contributions });
      const { findings } = await audit.run({ complete: true });
      return findings[0] ? `${findings[0].check}: ${findings[0].detail}` : null;
    },
    close: () => database.close(),
  };
}

/** An operator who recomputes the chain of operators' acts, and knows how long it was. */
export async function operatorDetector({
  port,
  owner,
}: {
  port: number;
  owner: { token: string };
}): Promise<Detector> {
  const readAudit = async () =>
    getData<{ acts: number; head: string; broken_at: number | null; erased: number }>(
      await ask(port, { path: "/api/operator/checkAudit", token: owner.token }),
    );
  const known = await readAudit();
  return {
    name: "operator audit",
    look: async () => {
      const now = await readAudit();
      if (now.broken_at !== null) return `broken at ${now.broken_at}`;
      return JSON.stringify(now) === JSON.stringify(known) ? null : "another head than noted";
    },
  };
}

/** A reader who saw the log before, and reads all of it. */
export function logDetector(folder: string, urlOf: () => string): Detector {
  const memory = join(folder, "memory.json");
  return {
    name: "verifier, log",
    look: async () => {
      const memoryText = existsSync(memory) ? readFileSync(memory, "utf8") : null;
      const output = await verify(["--log", "--whole", "--url", urlOf(), "--memory", memory]);
      if (memoryText !== null) writeFileSync(memory, memoryText);
      return output;
    },
  };
}

/** People who check each of their receipts. */
export function receiptDetector(
  folder: string,
  urlOf: () => string,
  checkers: readonly Checker[],
): Detector {
  return {
    name: "verifier, receipts",
    look: async () => {
      const reports = await Promise.all(
        checkers.map(({ person, subjects }, index) => {
          const memory = join(folder, `memory-${index}.json`);
          const to = ["--url", urlOf(), "--memory", memory, "--token", person.token];
          return verify([...subjects, ...to]);
        }),
      );
      return reports.find((item) => item !== null) ?? null;
    },
  };
}

/** A witness that followed the log, and looks once more. */
export function witnessDetector(folder: string, urlOf: () => string): Detector {
  const [stateFolder, used] = [join(folder, "witness"), join(folder, "witness-now")];
  const runWitness = (directory: string) => {
    const main = join(import.meta.dirname, "../../verify/witness/main.ts");
    return run([
      main,
      "--url",
      urlOf(),
      "--name",
      "witness.example/w",
      "--folder",
      directory,
      "--once",
    ]);
  };
  return {
    name: "witness",
    look: async () => {
      if (!existsSync(stateFolder)) {
        mkdirSync(stateFolder, { recursive: true });
        const { status, output } = await runWitness(stateFolder);
        return statedBy(status, output);
      }
      rmSync(used, { recursive: true, force: true });
      cpSync(stateFolder, used, { recursive: true });
      const { status, output } = await runWitness(used);
      return statedBy(status, output.trim());
    },
  };
}

/** Runs the command-line verifier; null if everything agrees, else what differs by name. */
async function verify(args: readonly string[]): Promise<string | null> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const { status, output } = await run([main, ...args]);
  const line = output.split("\n").find((text) => text.startsWith("DIFFERS"));
  return statedBy(status, line ?? output.trim().split("\n").at(-1) ?? "");
}

/** Status 0 agrees, 1 names what differs, and any other says that nothing was compared. */
export function statedBy(status: number | null, output: string): string | null {
  if (status === 0) return null;
  if (status === 1) return output;
  throw new CannotCheckError(output);
}

function run(args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.on("close", (status) => resolve({ status, output }));
  });
}
