/**
 * `npm run faults [-- name,…]`: injects one fault after another into a separate instance while
 * people trade, ends each, and prints a line for it: what clients saw, what recovered by itself,
 * what was lost. Exit status 1 if anything acknowledged was lost or the instance did not recover.
 * Needs Linux and root; the clock needs the Debian package `faketime`.
 */
import { appendFileSync, globSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { readUsage } from "../day/processes.ts";
import { parseOptions } from "../lib/options.ts";
import { answerWithin, listProcessTree } from "../lib/processes.ts";
import { ToolError } from "../lib/toolError.ts";
import {
  type ClientCounts,
  openTestInstance,
  type TestInstance,
  type TestInstanceOptions,
} from "./testInstance.ts";

interface InjectableFault {
  title: string;
  options?: () => TestInstanceOptions;
  /** Injects the fault, and ends it; returns what else to report. */
  run(instance: TestInstance): Promise<string>;
}

/** Debian keeps it in a folder named after the architecture. */
const [faketime] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const clockFile = `/tmp/drydock-clock-${process.pid}`;

const faults: Record<string, InjectableFault> = {
  disk: {
    title: "disk full for 15 s while trading",
    options: () => ({ diskMb: 500 }),
    run: async ({ data }) => {
      const filler = join(data, "filler");
      // Repeatedly, because space freed in the meantime must not help.
      for (const fromMs = performance.now(); performance.now() - fromMs < 15_000; ) {
        fill(filler);
        await sleep(100);
      }
      rmSync(filler);
      return "";
    },
  },
  stopped: {
    title: "database stopped for 20 s and let go",
    run: async (instance) => {
      const pids = listProcessTree(instance.postgresPid());
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      await sleep(10_000);
      const health = await answerWithin(instance.client.get("/api/health"));
      await sleep(10_000);
      for (const pid of pids) process.kill(pid, "SIGCONT");
      return `health meanwhile: ${health.slice(0, 260)}`;
    },
  },
  cut: {
    title: "every connection cut twice a second for 15 s",
    run: (instance) =>
      instance.admin(async ({ pool }) => {
        let cuts = 0;
        for (const fromMs = performance.now(); performance.now() - fromMs < 15_000; ) {
          const { rowCount } = await pool.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'drydock_app'",
          );
          cuts += rowCount ?? 0;
          await sleep(500);
        }
        return `${cuts} connections cut`;
      }),
  },
  clock: {
    title: "the server's clock an hour ahead for 5 s, right, an hour back for 5 s, right",
    options: () => {
      if (!faketime) throw new ToolError("The clock needs the package faketime.");
      writeFileSync(clockFile, "+0");
      return {
        env: {
          LD_PRELOAD: faketime,
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_NO_CACHE: "1",
          DONT_FAKE_MONOTONIC: "1",
        },
      };
    },
    run: async () => {
      for (const offset of ["+3600", "+0", "-3600", "+0"]) {
        writeFileSync(clockFile, offset);
        await sleep(5_000);
      }
      return "";
    },
  },
  descriptors: {
    title: "file descriptors used up: 400 open sockets, 256 allowed, for 15 s",
    options: () => ({ prefix: ["prlimit", "--nofile=256:256"] }),
    run: async ({ port }) => {
      let open = 0;
      const sockets = Array.from({ length: 400 }, () => {
        const socket = connect(port, "127.0.0.1", () => {
          open += 1;
        });
        return socket.on("error", () => {});
      });
      await sleep(15_000);
      for (const socket of sockets) socket.destroy();
      return `${open} of 400 were accepted by the system`;
    },
  },
  readers: {
    title: "90 sockets that ask for everything and read nothing, for 30 s",
    run: async ({ port, server }) => {
      const memory = () => Math.round((readUsage(server.pid!, false)?.bytes ?? 0) / 2 ** 20);
      const before = memory();
      const sockets = Array.from({ length: 90 }, () => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
        socket.on("error", () => {});
        socket.on("open", () => {
          socket.send(JSON.stringify({ op: "hello" }));
          socket.pause();
        });
        return socket;
      });
      await sleep(30_000);
      const after = memory();
      for (const socket of sockets) socket.terminate();
      return `memory ${before} MB, then ${after} MB`;
    },
  },
};

const usage = `Brings one fault after the other upon an instance of its own, and shows what was seen and lost.

  npm run faults [-- name,…]

  name  ${Object.keys(faults).join(", ")}; without one, all

Exit status: 0 nothing lost and everything came back; 1 otherwise; 2 wrong options.`;
if (process.argv.includes("--help")) {
  console.log(usage);
  process.exit(0);
}
const { positionals } = parseOptions({ allowPositionals: true }, usage);
const names =
  positionals.length > 0 ? positionals.flatMap((positional) => positional.split(",")) : null;
for (const name of names ?? []) {
  if (!faults[name])
    throw new ToolError(`Unknown fault: ${name}. There are ${Object.keys(faults).join(", ")}.`);
}
if (process.platform !== "linux" || process.getuid?.() !== 0)
  throw new ToolError("The faults need Linux and root.");
let failedCount = 0;
for (const name of names ?? Object.keys(faults)) {
  try {
    failedCount += (await injectFault(name, faults[name]!)) ? 0 : 1;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    failedCount += 1;
    console.log(`${name}: FAILED: ${(error as Error).message}`);
  }
}
rmSync(clockFile, { force: true });
console.log(`${names?.length ?? Object.keys(faults).length} faults, ${failedCount} failed`);
process.exit(failedCount > 0 ? 1 : 0);

async function injectFault(name: string, fault: InjectableFault): Promise<boolean> {
  const instance = await openTestInstance(fault.options?.() ?? {});
  try {
    const usualFacts = instance.takeCounts();
    const ends = instance.server.unexpectedExits;
    const note = await fault.run(instance);
    const clientCounts = instance.takeCounts();
    const recoveredMs = await instance.measureRecoveryMs();
    const restarts = instance.server.unexpectedExits - ends;
    await sleep(3_000);
    const result = await instance.finish();
    const {
      acknowledgedCount,
      lostCount,
      duplicateCount,
      imbalanceCount,
      missingSeconds,
      findings,
    } = result;
    for (const finding of findings.slice(0, 10)) console.log(`  ${finding}`);
    console.log(
      `${name}: ${fault.title} (load average ${loadavg()[0]!.toFixed(1)}).` +
        ` Before: ${describe(usualFacts)}. A person saw: ${describe(clientCounts)}${note && `; ${note}`}.` +
        ` Came back by itself: ${recoveredMs} ms after its end, ${restarts} restarts.` +
        ` Lost: ${lostCount} of ${acknowledgedCount} acknowledged, ${duplicateCount} duplicated, ${imbalanceCount} unbalanced, ${missingSeconds} s of market.`,
    );
    return lostCount + duplicateCount + imbalanceCount === 0;
  } finally {
    await instance.remove();
  }
}

function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(65_536));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

function describe({ answers, failures, longestMs }: ClientCounts): string {
  const counts = [...failures].map(([name, times]) => `${times} ${name}`);
  return [`${answers} answers`, ...counts, `longest wait ${longestMs} ms`].join(", ");
}
