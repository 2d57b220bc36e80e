import { StartError } from "#server/platform/startError.ts";
import { formatSize } from "#server/postgres/backup/files.ts";

/** The command line was wrong. */
export class UsageError extends Error {}

/**
 * Runs a command that reports success or failure in one sentence; returns its exit status. Ctrl-C
 * and SIGTERM abort `signal`, so that the command can clean up.
 */
export async function runCommand(
  usage: string,
  act: (args: string[], signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, stop);
  try {
    await act(args, controller.signal);
    return 0;
  } catch (error) {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (controller.signal.aborted) {
      console.error("Interrupted. Nothing was kept.");
      return 1;
    }
    const isUsageError = error instanceof UsageError || isOptionError(error);
    if (isUsageError) console.error(`${(error as Error).message}\n\n${usage}`);
    else console.error(getErrorMessage(error));
    return isUsageError ? 2 : 1;
  }
}

/** Returns true if `parseArgs` threw this. */
function isOptionError(error: unknown): boolean {
  return ((error as { code?: string }).code ?? "").startsWith("ERR_PARSE_ARGS");
}

function getErrorMessage(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, path, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOSPC":
      return "The disk is full. Nothing was kept: make room, or name a folder on another disk.";
    case "EACCES":
    case "EPERM":
      return `No permission to read or write ${path ?? "a file"}: run the command as the account that runs Drydock.`;
    default:
      return `Failed: ${message}. Nothing was kept.`;
  }
}

/**
 * A progress line that updates in place on a terminal; prints nothing where output goes to a file.
 */
export function showProgress(verb: string): (doneBytes: number, totalBytes: number) => void {
  if (!process.stderr.isTTY) return () => {};
  let shownMs = 0;
  return (doneBytes, total) => {
    const nowMs = performance.now();
    const isComplete = doneBytes >= total;
    if (!isComplete && nowMs - shownMs < 100) return;
    shownMs = nowMs;
    const share = total === 0 ? 100 : Math.floor((100 * doneBytes) / total);
    process.stderr.write(
      `\r\u001b[K${verb} ${formatSize(doneBytes)} of about ${formatSize(total)}, ${share} %`,
    );
    if (isComplete) process.stderr.write("\r\u001b[K");
  };
}
