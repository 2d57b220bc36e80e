import { StartError } from "#server/platform/startError.ts";
import { UsageError } from "../backup/command.ts";

/**
 * Runs a command whose progress survives an interruption: Ctrl-C and SIGTERM abort `signal`, and a
 * second one ends the program immediately. Returns the exit status.
 */
export async function runRecordingCommand(
  usage: string,
  act: (args: string[], signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  try {
    return await act(args, controller.signal);
  } catch (error) {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS")) {
      console.error(`${message}\n\n${usage}`);
      return 2;
    }
    if (!(error instanceof StartError)) throw error;
    console.error(message);
    return 1;
  }
}

/** A line that updates in place on a terminal; prints nothing where output goes to a file. */
export function showLine(): (text: string) => void {
  if (!process.stderr.isTTY) return () => {};
  let shownMs = 0;
  return (text) => {
    const nowMs = performance.now();
    if (text !== "" && nowMs - shownMs < 100) return;
    shownMs = nowMs;
    process.stderr.write(`\r\u001b[K${text}`);
  };
}

const barWidth = 30;

/** A progress bar with a label and an estimate of the remaining time. */
export function formatProgressBar(
  startedMs: number,
  nowMs: number,
  share: number,
  label: string,
): string {
  const filledWidth = Math.floor(barWidth * share);
  const bar = "█".repeat(filledWidth) + "·".repeat(barWidth - filledWidth);
  const percent = `${Math.floor(100 * share)} %`.padStart(5);
  const leftMs = share < 0.01 ? null : ((nowMs - startedMs) * (1 - share)) / share;
  const remaining =
    leftMs === null
      ? ""
      : leftMs < 60_000
        ? "under a minute left"
        : `${Math.round(leftMs / 60_000)} min left`;
  return `${bar} ${percent}  ${label}  ${remaining}`.trimEnd();
}
