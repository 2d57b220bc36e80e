import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuditChecks } from "#server/app/audit/auditChecks.ts";
import { type AuditCheck, createAudit } from "#server/ledger/audit/audit.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { getData, sendRequest } from "../probes/http.ts";
import type { Person } from "../probes/testInstance.ts";

/** Nothing could be compared, so nothing was detected. */
export class CannotCheckError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotCheckError";
  }
}

/**
 * A check with the means of one kind of reader. Resolves with null if it finds nothing, else with
 * the finding's name; throws if it cannot check.
 */
export interface Detector {
  name: string;
  /** `kind`: the changed data, where a detector may start; it does not affect the result. */
  readonly detect: (kind?: string) => Promise<string | null>;
}

/** A person and the receipts that they check, by the names that the command-line verifier takes. */
export interface Checker {
  person: Person;
  subjects: readonly string[];
}

const world = "tampering";

/** The checks that run first, by kind of change; those that read the most come last. */
const firstChecks: Readonly<Record<string, readonly string[]>> = {
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
const lastChecks: readonly string[] = ["log", "market"];

/** The position of a check after a change of this kind. */
function getRank(check: string, kind: string): number {
  const first = firstChecks[kind]?.indexOf(check) ?? -1;
  return first >= 0 ? first - 100 : lastChecks.indexOf(check);
}

/**
 * The ledger's audit from the first entry on, with the checks of all domains. Checks are
 * independent of each other; those after the first finding are skipped.
 */
export function createAuditDetector(appUrl: string): Detector & { close(): Promise<void> } {
  const database: Database = openDatabase({ url: appUrl, schema: `world_${world}`, max: 2 });
  return {
    name: "audit",
    detect: async (kind = "") => {
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
export async function createOperatorDetector({
  port,
  owner,
}: {
  port: number;
  owner: { token: string };
}): Promise<Detector> {
  const readAudit = async () =>
    getData<{ acts: number; head: string; broken_at: number | null; erased: number }>(
      await sendRequest(port, { path: "/api/operator/checkAudit", token: owner.token }),
    );
  const firstAudit = await readAudit();
  return {
    name: "operator audit",
    detect: async () => {
      const currentAudit = await readAudit();
      if (currentAudit.broken_at !== null) return `broken at ${currentAudit.broken_at}`;
      return JSON.stringify(currentAudit) === JSON.stringify(firstAudit)
        ? null
        : "another head than noted";
    },
  };
}

/** A reader who knows the log and reads all of it. */
export function createLogDetector(folder: string, urlOf: () => string): Detector {
  const memory = join(folder, "memory.json");
  return {
    name: "verifier, log",
    detect: async () => {
      const memoryText = existsSync(memory) ? readFileSync(memory, "utf8") : null;
      const output = await verify(["--log", "--whole", "--url", urlOf(), "--memory", memory]);
      if (memoryText !== null) writeFileSync(memory, memoryText);
      return output;
    },
  };
}

/** People who check each of their receipts. */
export function createReceiptDetector(
  folder: string,
  urlOf: () => string,
  checkers: readonly Checker[],
): Detector {
  return {
    name: "verifier, receipts",
    detect: async () => {
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

/** A witness that has followed the log and checks it again. */
export function createWitnessDetector(folder: string, urlOf: () => string): Detector {
  const [stateFolder, usedFolder] = [join(folder, "witness"), join(folder, "witness-now")];
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
    detect: async () => {
      if (!existsSync(stateFolder)) {
        mkdirSync(stateFolder, { recursive: true });
        const { status, output } = await runWitness(stateFolder);
        return parseDetection(status, output);
      }
      rmSync(usedFolder, { recursive: true, force: true });
      cpSync(stateFolder, usedFolder, { recursive: true });
      const { status, output } = await runWitness(usedFolder);
      return parseDetection(status, output.trim());
    },
  };
}

/** Runs the command-line verifier; null if everything agrees, else the name of the difference. */
async function verify(args: readonly string[]): Promise<string | null> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const { status, output } = await run([main, ...args]);
  const line = output.split("\n").find((text) => text.startsWith("DIFFERS"));
  return parseDetection(status, line ?? output.trim().split("\n").at(-1) ?? "");
}

/** Status 0 agrees, 1 names what differs, and any other says that nothing was compared. */
export function parseDetection(status: number | null, output: string): string | null {
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
