import { createDataDirectory, startServer } from "../bench/lib/conditions.ts";
import { ToolError } from "./toolError.ts";

/** The instance a tool works on. */
export interface Instance {
  /** Origin, for example `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Stops it if the tool started it; otherwise does nothing. */
  release(): Promise<void>;
}

/**
 * Opens the named instance (`--url`, or DRYDOCK_URL), or starts one: a new world on a new embedded
 * database, removed on release. Throws a ToolError if the named one does not answer or is not on
 * this machine: tools generate load, and load stays on loopback.
 */
export async function openInstance(
  address: string | undefined,
  settings: Record<string, string> = {},
): Promise<Instance> {
  const url = address ?? process.env.DRYDOCK_URL;
  if (url !== undefined) return await requireInstance(url);
  const data = createDataDirectory();
  const server = await startServer(data.directory, settings).catch((error: unknown) => {
    data.remove();
    throw new ToolError(`The tool could not start an instance: ${String(error)}`);
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    release: async () => {
      await server.stop();
      data.remove();
    },
  };
}

async function requireInstance(address: string): Promise<Instance> {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new ToolError(`${address} is not an address like http://127.0.0.1:8080.`);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(url.hostname))
    throw new ToolError(`${address} is not on this machine: tools work on loopback only.`);
  const isAnswering = await fetch(new URL("/api/health", url)).then(
    () => true,
    () => false,
  );
  if (!isAnswering) {
    throw new ToolError(
      `Nothing answers at ${url.origin}: start an instance there (npm start), or omit the address to have the tool start its own.`,
    );
  }
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return { url: url.origin, port, release: async () => {} };
}
