import { BuildError, buildWeb } from "#build/web.ts";
import { type FirstCode, type Program, startProgram } from "#server/app/program.ts";
import { formatHelp, readConfig } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";
import { StopError } from "#server/platform/stopAll.ts";

/**
 * `npm start`: reads the settings, starts every part, prints the address, and stops cleanly on
 * Ctrl-C or SIGTERM. `onStarted` is called once everything runs.
 */
export async function runCommand(args: string[], onStarted: () => void): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) return console.log(formatHelp());
  const interrupted = Promise.withResolvers<string>();
  let signalCount = 0;
  const requestStop = (signal: string) => {
    // npm forwards the Ctrl-C that the terminal also sends to us, so a second signal within a
    // second is not a second request.
    if (signalCount > 0 && performance.now() - signalCount > 1000) process.exit(130);
    signalCount ||= performance.now();
    interrupted.resolve(signal);
  };
  process.on("SIGINT", requestStop);
  process.on("SIGTERM", requestStop);
  try {
    const program = await startProgram(readConfig(process.env, args), pages);
    printAddress(program);
    program.onFirstCode(printOperatorCode);
    onStarted();
    const reason = await Promise.race([
      interrupted.promise,
      program.broken.then((reason) => new StartError(reason)),
    ]);
    if (reason instanceof StartError) console.error(reason.message);
    else console.log("Stopping.");
    await program.stop();
    process.exit(reason instanceof StartError ? 1 : 0);
  } catch (error) {
    if (!(error instanceof StartError || error instanceof StopError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

async function pages(): Promise<string> {
  try {
    const { directory, built } = await buildWeb();
    if (built) console.log("Built the web app.");
    return directory;
  } catch (error) {
    if (error instanceof BuildError) throw new StartError(error.message);
    throw error;
  }
}

function printAddress({ address, networkAddresses, metricsAddress, firstCode }: Program): void {
  console.log(
    address
      ? `Drydock is open at ${address}  (Ctrl-C stops it)`
      : "Drydock is running without its web service.",
  );
  for (const address of networkAddresses) console.log(`On your network: ${address}`);
  if (metricsAddress !== null) console.log(`Metrics: ${metricsAddress}`);
  if (firstCode !== null) {
    console.log(
      `This instance has no operator yet. Open ${address}/operator, sign in and type this code, once, within 12 hours: ${firstCode}`,
    );
  }
}

/** Printed again when the world is woken; only the latest code is valid. */
function printOperatorCode({ world, address, code }: FirstCode): void {
  console.log(
    `The world ${world} has no operator yet. Open ${address}/operator, sign in and type this code, once, within 12 hours: ${code}`,
  );
}
