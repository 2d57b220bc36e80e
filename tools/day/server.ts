import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, NoAnswerError } from "#server/testing/client.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import type { ProbeAnswer } from "./probe.ts";

interface Health {
  ready: boolean;
  parts: Record<string, { ok: boolean; lag_ms: number | null }>;
}

export interface WatchedServer {
  pid: number;
  port: number;
  client: Client;
  /** Null while it reports not ready, or does not answer. */
  health(): Promise<Health | null>;
  /** Null if it does not answer within five seconds, which is a finding in itself. */
  probe(): Promise<ProbeAnswer | null>;
  /** Stops it as Ctrl-C would; resolves with the exit status. */
  stop(): Promise<number | null>;
}

/**
 * Starts `node server/main.ts` as a child with the probe loaded, and waits until it is ready. Its
 * output goes to `outputPath`.
 */
export async function startWatched(
  env: Record<string, string>,
  outputPath: string,
): Promise<WatchedServer> {
  const port = await findFreePort();
  const directory = import.meta.dirname;
  const child = spawn(
    process.execPath,
    ["--import", join(directory, "probe.ts"), join(directory, "../../server/main.ts")],
    {
      env: { PATH: process.env.PATH ?? "", PORT: String(port), ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  const output = createWriteStream(outputPath);
  child.stdout?.pipe(output);
  child.stderr?.pipe(output);
  process.once("exit", () => child.kill("SIGKILL"));
  const client = createClient({ port, connections: 8 });
  const health = () =>
    client.call<Health>({ method: "GET", path: "/api/health" }).catch((error) => {
      if (error instanceof NoAnswerError) return null;
      throw error;
    });
  await waitUntilReady(client, child);
  return {
    pid: child.pid!,
    port,
    client,
    health,
    probe: () => askProbe(child),
    stop: async () => {
      client.close();
      const closing = once(child, "close");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
      await closing;
      clearTimeout(timer);
      return child.exitCode;
    },
  };
}

function askProbe(child: ChildProcess): Promise<ProbeAnswer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => onAnswer(null), 5_000);
    const onAnswer = (answer: unknown) => {
      clearTimeout(timer);
      child.off("message", onAnswer);
      resolve(answer as ProbeAnswer | null);
    };
    child.on("message", onAnswer);
    child.send("day.tell", (error) => error && onAnswer(null));
  });
}
