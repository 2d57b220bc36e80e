import { rmSync } from "node:fs";

/** The run's server stops only after this, and writes until then. */
const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

/** Removes the run's data directory. */
export default function teardown(): void {
  if (process.env.E2E_DATA) rmSync(process.env.E2E_DATA, removal);
}
