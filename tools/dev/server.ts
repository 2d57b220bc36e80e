/** The server of `npm run dev`: everything but the pages, which Vite serves. */
import { startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";

try {
  const program = await startProgram(readConfig(process.env, []), async () => null);
  if (program.firstCode !== null) {
    console.log(`First operator's code, for /operator: ${program.firstCode}`);
  }
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await program.stop();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
  void program.broken.then((reason) => {
    console.error(reason);
    process.exit(1);
  });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
