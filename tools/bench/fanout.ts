/**
 * Price messages to 10 000 sockets held by other processes, alternately from Drydock's stream and
 * from a bare `ws` loop: `node tools/bench/fanout.ts [sockets] [messages]`. Measures the time from
 * the first send to the last byte read by the last socket. No limit is lifted: the sockets connect
 * from a hundred loopback addresses, a hundred each.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { printConditions, printRatio } from "./lib/conditions.ts";

const sockets = Number(process.argv[2] ?? 10_000);
const messages = Number(process.argv[3] ?? 40);
const processes = 2;
const rounds = 3;
const aim = 0.9;

printConditions(
  `${sockets} sockets in ${processes} processes, ${messages} price messages each, ${rounds} alternating rounds`,
);
const rates: Record<"stream" | "bare", number[]> = { stream: [], bare: [] };
const cpu = { stream: 0, bare: 0 };
for (let round = 1; round <= rounds; round++) {
  for (const kind of ["bare", "stream"] as const) {
    const { seconds, cpuMs } = await measure(kind);
    const rate = (sockets * messages) / seconds;
    rates[kind].push(rate);
    cpu[kind] += cpuMs;
    console.log(
      `round ${round}, ${kind}: ${rate.toFixed(0)} deliveries/s; ${(cpuMs / messages).toFixed(1)} ms of server CPU per message`,
    );
  }
}
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
console.log(`the stream uses ${(cpu.stream / cpu.bare).toFixed(2)} times the CPU of the bare loop`);
printRatio(median(rates.stream) / median(rates.bare), aim, "least");

async function measure(kind: "stream" | "bare"): Promise<{ seconds: number; cpuMs: number }> {
  const server = start("fanoutServer.ts", [kind]);
  const { port, bytes } = (await getMessage(server)) as { port: number; bytes: number };
  const readers = Array.from({ length: processes }, (_, number) =>
    start("fanoutClients.ts", [
      String(port),
      String(sockets / processes),
      String((number * sockets) / processes),
      String(messages),
      String(bytes),
    ]),
  );
  await Promise.all(readers.map(getMessage));
  const received = Promise.all(readers.map(getMessage));
  const startedMs = performance.now();
  server.send({ messages });
  const { cpuMs } = (await getMessage(server)) as { cpuMs: number };
  await received;
  const seconds = (performance.now() - startedMs) / 1000;
  for (const child of [...readers, server]) {
    const closing = once(child, "close");
    child.kill("SIGKILL");
    await closing;
  }
  return { seconds, cpuMs };
}

function start(file: string, args: string[]): ChildProcess {
  return fork(join(import.meta.dirname, "lib", file), args);
}

async function getMessage(child: ChildProcess): Promise<unknown> {
  const exitSignal = new AbortController();
  const message = once(child, "message", { signal: exitSignal.signal });
  const earlyExit = once(child, "close", { signal: exitSignal.signal }).then(() => {
    throw new Error("a client process of the bench exited early");
  });
  try {
    return ((await Promise.race([message, earlyExit])) as unknown[])[0];
  } finally {
    message.catch(() => {});
    earlyExit.catch(() => {});
    exitSignal.abort();
  }
}
