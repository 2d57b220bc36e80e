import { readdirSync, readFileSync } from "node:fs";

/** Memory and CPU time of one process, or of a process and its children together. */
export interface Usage {
  /** Resident; for several processes, shared pages count once (PSS). */
  bytes: number;
  /** CPU time since the start, user and system, including children that have exited. */
  cpuMs: number;
  processes: number;
}

/**
 * The kernel counts CPU time in hundredths of a second on every Linux machine that Node supports.
 */
const msPerTick = 10;

/** Reads `/proc`; null where there is none. */
export function readUsage(pid: number, withChildren: boolean): Usage | null {
  try {
    const pids = withChildren ? [pid, ...getChildren(pid)] : [pid];
    const usage = { bytes: 0, cpuMs: 0, processes: 0 };
    for (const processId of pids) {
      const processUsage = readOne(processId, withChildren);
      if (!processUsage) continue;
      usage.bytes += processUsage.bytes;
      // A parent's total includes its children only once they have exited.
      usage.cpuMs +=
        processUsage.cpuMs + (processId === pid && withChildren ? processUsage.endedMs : 0);
      usage.processes += 1;
    }
    return usage.processes > 0 ? usage : null;
  } catch {
    return null;
  }
}

function readOne(pid: number, usePss: boolean) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    const memory = usePss
      ? /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))
      : /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return {
      bytes: Number(memory?.[1] ?? 0) * 1024,
      cpuMs: (user! + system!) * msPerTick,
      endedMs: (endedUser! + endedSystem!) * msPerTick,
    };
  } catch {
    return null; // The process has exited since.
  }
}

function getChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map(Number),
  );
}
