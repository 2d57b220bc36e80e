import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface TestServer {
  url: string;
  /** Directory of its database and keys until it is stopped. */
  data: string;
  /** Its output so far. */
  readOutput(): string;
  stop(): Promise<void>;
}

/**
 * A port for a test's own server, `above` ports above the run's; parallel workers get different
 * ports.
 */
function getPort(portOffset: number): number {
  const sideBySide = Number(process.env.TEST_PARALLEL_INDEX ?? 0);
  return Number(process.env.E2E_PORT ?? 8319) + portOffset + 10 * sideBySide;
}

/**
 * Starts a separate Drydock beside the run's server, `above` ports higher, by the README's command
 * and with these settings. `meanwhile` does what it needs to become ready, in its data directory.
 */
export async function startTestServer(
  portOffset: number,
  settings: Record<string, string>,
  meanwhile: (data: string) => Promise<void> = async () => {},
): Promise<TestServer> {
  const port = getPort(portOffset);
  const url = `http://127.0.0.1:${port}`;
  const data = mkdtempSync(join(tmpdir(), "drydock-e2e-own-"));
  const server = spawn("npm", ["start", "--silent"], {
    cwd: join(import.meta.dirname, "../.."),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      DRYDOCK_DATA: data,
      CHAT_LINK: "",
      ...settings,
    },
  });
  let output = "";
  server.stdout.on("data", (part: Buffer) => {
    output += part;
  });
  const readOutput = () => output;
  const exit = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    if (server.pid && server.exitCode === null) {
      process.kill(-server.pid, "SIGTERM");
      await exit;
    }
    rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  await meanwhile(data).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  for (let attempt = 0; attempt < 240 && server.exitCode === null; attempt += 1) {
    const ready = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { url, data, readOutput, stop };
    await sleep(250);
  }
  await stop();
  throw new Error("the server did not start");
}
