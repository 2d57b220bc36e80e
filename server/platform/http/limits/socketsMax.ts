import { readFileSync } from "node:fs";

/** File descriptors reserved for the database, the log, pictures and the program itself. */
const reserved = 120;

/**
 * The most sockets the web server may hold at a time, so that a flood leaves enough descriptors for
 * the rest of the process; null if the system does not report its limit of open files.
 */
export function readSocketsMax(limits: string | null = readProcessLimits()): number | null {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits ?? "") ?? [];
  return soft === undefined ? null : Math.max(16, Number(soft) - reserved);
}

function readProcessLimits(): string | null {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return null; // not on Linux
  }
}
