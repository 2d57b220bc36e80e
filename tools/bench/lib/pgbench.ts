import { spawn } from "node:child_process";
import { once } from "node:events";

const pgbenchClients = 8;
const scale = 10;
const missingMessage =
  "pgbench is missing, and this bench needs it as its baseline: it comes with PostgreSQL (Debian: apt-get install postgresql-contrib; Fedora: dnf install postgresql-contrib; macOS: brew install postgresql) and must be on the PATH.";

/**
 * Transactions per second of pgbench's TPC-B, 8 clients, on the server at `ownerUrl`. Recreates its
 * tables each time.
 */
export async function measureTpcB(ownerUrl: string, seconds: number): Promise<number> {
  await run(["-i", "-q", "-s", String(scale), ownerUrl]);
  const clients = ["-c", String(pgbenchClients), "-j", "2"];
  const output = await run([...clients, "-T", String(seconds), ownerUrl]);
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (!tps) throw new Error(`no tps figure in pgbench's output: ${output}`);
  return Number(tps);
}

export const tpcBConditions = `pgbench TPC-B scale ${scale}, ${pgbenchClients} clients, simple protocol`;

/** Ends the program with a sentence if pgbench is missing. Called before anything is started. */
export async function requirePgbench(): Promise<void> {
  try {
    await run(["--version"]);
  } catch (error) {
    console.error(
      (error as NodeJS.ErrnoException).code === "ENOENT" ? missingMessage : String(error),
    );
    process.exit(2);
  }
}

async function run(args: string[]): Promise<string> {
  const child = spawn("pgbench", args, { stdio: ["ignore", "pipe", "pipe"] });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`pgbench failed: ${output.err.trim()}`);
  return output.out;
}
