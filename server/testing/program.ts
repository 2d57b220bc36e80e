/**
 * A program without pages, for tests that examine everything a process leaves behind: prints its
 * address and runs until SIGTERM.
 */
import { startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";

const program = await startProgram(readConfig(process.env, []), async () => null);
process.stdout.write(`address ${program.address}\n`);
process.on("SIGTERM", () => {
  void program.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
