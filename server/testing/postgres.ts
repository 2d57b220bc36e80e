import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: { ownerUrl: string; appUrl: string };
  }
}

/**
 * vitest globalSetup: one PostgreSQL for the run, in a temporary directory that is removed with it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-test-"));
  const dataDirectory = join(directory, "data");
  mkdirSync(dataDirectory);
  chmodSync(directory, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory, fleeting: true });
  project.provide("postgres", { ownerUrl: postgres.ownerUrl, appUrl: postgres.appUrl });
  return async () => {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
