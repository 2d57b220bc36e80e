import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditChecks } from "#server/app/auditChecks.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { dataOf } from "../probes/http.ts";
import type { Person, TestInstance } from "../probes/testInstance.ts";

/** Somebody who checks, with what they have: null if they find nothing, else what they found. */
export interface Detector {
  name: string;
  readonly look: () => Promise<string | null>;
}

/** A person with the receipts that they check: the names the command-line verifier takes. */
export interface Checker {
  person: Person;
  subjects: readonly string[];
}

const world = "tampering";

/** The ledger's audit, with the checks of all domains, from the first entry on. */
export function auditDetector(appUrl: string): Detector & { close(): Promise<void> } {
  const database: Database = openDatabase({ url: appUrl, schema: `world_${world}`, max: 2 });
  return {
    name: "audit",
    look: async () => {
      const audit = createAudit(
        { database, world: { name: world } },
        { contributions: { auditChecks: [auditChecks(world)] } },
      );
      const { findings } = await audit.run({ complete: true });
      return findings[0] ? `${findings[0].check}: ${findings[0].detail}` : null;
    },
    close: () => database.close(),
  };
}

/** An operator who recomputes the chain of operators' acts, and knows how long it was. */
export async function operatorDetector(instance: TestInstance): Promise<Detector> {
  const read = async () =>
    dataOf<{ acts: number; head: string; broken_at: number | null; erased: number }>(
      await instance.ask({ path: "/api/operator/checkAudit", token: instance.owner.token }),
    );
  const known = await read();
  return {
    name: "operator audit",
    look: async () => {
      const now = await read();
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
      const kept = existsSync(memory) ? readFileSync(memory, "utf8") : null;
      const found = await verify(["--log", "--whole", "--url", urlOf(), "--memory", memory]);
      if (kept !== null) writeFileSync(memory, kept);
      return found;
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
      const found = await Promise.all(
        checkers.map(({ person, subjects }, at) => {
          const memory = join(folder, `memory-${at}.json`);
          const to = ["--url", urlOf(), "--memory", memory, "--token", person.token];
          return verify([...subjects, ...to]);
        }),
      );
      return found.find((one) => one !== null) ?? null;
    },
  };
}

/** A witness that followed the log, and looks once more. */
export function witnessDetector(folder: string, urlOf: () => string): Detector {
  const [kept, used] = [join(folder, "witness"), join(folder, "witness-now")];
  const look = (at: string) => {
    const main = join(import.meta.dirname, "../../verify/witness/main.ts");
    return run([main, "--url", urlOf(), "--name", "witness.example/w", "--folder", at, "--once"]);
  };
  return {
    name: "witness",
    look: async () => {
      if (!existsSync(kept)) {
        mkdirSync(kept, { recursive: true });
        const { status, output } = await look(kept);
        return status === 0 ? null : output;
      }
      rmSync(used, { recursive: true, force: true });
      cpSync(kept, used, { recursive: true });
      const { status, output } = await look(used);
      return status === 0 ? null : output.trim();
    },
  };
}

/** Runs the command-line verifier; null if everything agrees. */
async function verify(args: readonly string[]): Promise<string | null> {
  const main = join(import.meta.dirname, "../../verify/main.ts");
  const { status, output } = await run([main, ...args]);
  if (status === 0) return null;
  const line = output.split("\n").find((one) => one.startsWith("DIFFERS"));
  return line ?? output.trim().split("\n").at(-1) ?? "";
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
