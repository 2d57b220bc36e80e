/**
 * `npm run dev`: runs the product for development. The server restarts when a file it has loaded
 * changes (`node --watch`); the web app and the console reload in place (Vite), both at the same
 * address. Ctrl-C stops everything. The data directory is `./data`, as for `npm start`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const webPort = process.env.DEV_PORT ?? "5173";
const consolePort = String(Number(webPort) + 1);
const server = `http://127.0.0.1:${process.env.PORT ?? "8080"}`;
const vite = join(root, "node_modules/vite/bin/vite.js");

function startProcess(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, DRYDOCK_SERVER: server, ...env },
  });
  child.once("exit", (code) => {
    if (!stopping) end(`${name} exited with ${code}.`);
  });
  return child;
}

let stopping = false;
const ends = (signal: NodeJS.Signals) => {
  stopping = true;
  for (const child of children) if (child.exitCode === null) child.kill(signal);
};
function end(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
  ends("SIGTERM");
}

const children = [
  // Vite builds the pages here, so the server does not.
  startProcess("The server", ["--watch", "--watch-preserve-output", "tools/dev/server.ts"]),
  startProcess("The console", [
    vite,
    "--config",
    "vite.operator.config.ts",
    "--port",
    consolePort,
    "--strictPort",
    "--host",
    "127.0.0.1",
    "--logLevel",
    "warn",
  ]),
  startProcess(
    "The web app",
    [vite, "--port", webPort, "--strictPort", "--host", "127.0.0.1", "--clearScreen", "false"],
    { DRYDOCK_CONSOLE: `http://127.0.0.1:${consolePort}` },
  ),
];
process.on("SIGINT", () => ends("SIGINT"));
process.on("SIGTERM", () => ends("SIGTERM"));
console.log(
  `Open http://127.0.0.1:${webPort}: the app and /operator, with the server at ${server}.`,
);
