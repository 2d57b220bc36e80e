import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface OwnServer {
  url: string;
  /** Where its database and its keys lie until it is stopped. */
  data: string;
  /** What it has printed so far. */
  printed(): string;
  stop(): Promise<void>;
}

/**
 * A port for a server of a test's own, `above` ports higher than the one of the run; tests that run
 * side by side have others.
 */
export function portAbove(above: number): number {
  const sideBySide = Number(process.env.TEST_PARALLEL_INDEX ?? 0);
  return Number(process.env.E2E_PORT ?? 8319) + above + 10 * sideBySide;
}

/**
 * Starts a Drydock of its own beside the one of the run, `above` ports higher, by the README's
 * command and with these settings.
 */
export async function startOwnServer(
  above: number,
  settings: Record<string, string>,
): Promise<OwnServer> {
  const port = portAbove(above);
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
  const printed = () => output;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    if (server.pid && server.exitCode === null) {
      process.kill(-server.pid, "SIGTERM");
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 240 && server.exitCode === null; attempt += 1) {
    const ready = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { url, data, printed, stop };
    await sleep(250);
  }
  await stop();
  throw new Error("the server did not start");
}
