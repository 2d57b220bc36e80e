import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/**
 * Processor time of a process and all its descendants so far, including ended children that were
 * waited for, in milliseconds. Other programs on the machine do not change it.
 */
export function readProcessorTimeMs(pid: number): number {
  const processes = readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) ? [readProcess(name)] : [],
  );
  const running = processes.filter((process) => process !== null);
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const item of running) if (family.has(item.parent)) family.add(item.pid);
  }
  return running.reduce((sum, item) => sum + (family.has(item.pid) ? item.ms : 0), 0);
}

function readProcess(name: string): { pid: number; parent: number; ms: number } | null {
  try {
    // The fields after the name in brackets, which may contain any character: state, parent, …
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(name), parent: Number(fields[1]), ms: ticks * tickMs };
  } catch {
    return null; // The process has exited since.
  }
}
