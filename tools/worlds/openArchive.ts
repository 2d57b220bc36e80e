import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWeb } from "#build/web.ts";
import { getAddress, listenAtPort, requireFreePort } from "#server/app/listen.ts";
import { createArchiveApp } from "#server/app/worlds/archivedWorld.ts";
import { realClock } from "#server/platform/clock/clock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createNetworkLimits } from "#server/platform/http/limits/requestLimits.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";
import { StartError } from "#server/platform/startError.ts";
import { openArchiveFile } from "#server/transparency-log/archiveFile.ts";

/**
 * Serves an archive for reading at the address of the settings, until `signal` is aborted. The
 * verifier reads it first; throws a StartError if it refuses it. Needs no database and no data
 * directory.
 */
export async function serveArchive(
  config: Config,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await requireFreePort(config);
  const archive = await openArchiveFile(file);
  try {
    await verify(file, archive.head.keys[0]!);
    const logger = createLogger(config.logLevel);
    const app = await createArchiveApp(
      {
        ...{ config, realClock, logger, messages: createMessages() },
        securityLog: createSecurityLog(logger, realClock),
        networkLimits: createNetworkLimits(realClock),
      },
      archive,
      (await buildWeb()).directory,
    );
    const port = await listenAtPort(app, config);
    console.log(
      `The archive of ${archive.world.world} is open at ${getAddress(config, port)}  (Ctrl-C closes it)`,
    );
    if (!signal.aborted) await once(signal, "abort");
    await app.close();
  } finally {
    await archive.close();
  }
}

/** Every leaf, every tile and every text, under the key that the archive names itself. */
async function verify(file: string, vkey: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "drydock-archive-"));
  try {
    const main = join(import.meta.dirname, "../../verify/main.ts");
    const memory = join(folder, "memory.json");
    const verifyArguments = ["--archive", file, "--key", vkey, "--memory", memory];
    const args = [main, ...verifyArguments, "--log", "--whole"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    const [status] = await once(child, "close");
    if (status !== 0) throw new StartError(`The verifier refuses ${file}:\n${printed.trim()}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
