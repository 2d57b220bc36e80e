import { readFileSync } from "node:fs";

/** Descriptors kept for connections to the database, the log, pictures and the program itself. */
const reserved = 120;

/**
 * How many sockets the web server may hold at once, so that a flood of them leaves the rest of the
 * process what it needs; null where the system does not say how many files may be open.
 */
export function socketsMax(limits: string | null = readLimits()): number | null {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits ?? "") ?? [];
  return soft === undefined ? null : Math.max(16, Number(soft) - reserved);
}

function readLimits(): string | null {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return null; // not Linux
  }
}
