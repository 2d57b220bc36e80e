/**
 * Preloaded into the server (`node --import`) by tools/day/day.ts: watches its event loop and
 * memory, times its statements, and answers over the channel between the two processes. The product
 * itself never loads it.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import pg from "pg";

export interface StatementTime {
  text: string;
  count: number;
  totalMs: number;
  maxMs: number;
}

/**
 * The server's own measurements. Delays are since the previous request; statements since it
 * started.
 */
export interface ProbeAnswer {
  loopP99Ms: number;
  loopMostMs: number;
  heapBytes: number;
  externalBytes: number;
  statements: StatementTime[];
}

/** Statements distinguished by text; an unlimited number would leak memory in the probe itself. */
const statementsMax = 500;

const delay = monitorEventLoopDelay({ resolution: 10 });
const statements = new Map<string, StatementTime>();

if (process.send) watch();

function watch(): void {
  delay.enable();
  timeStatements();
  process.on("message", (request) => {
    if (request === "day.tell") process.send?.(answer());
  });
  // The channel must not keep a stopping server alive.
  process.channel?.unref();
}

function answer(): ProbeAnswer {
  const { heapUsed, external } = process.memoryUsage();
  const received = {
    loopP99Ms: delay.percentile(99) / 1e6,
    loopMostMs: delay.max / 1e6,
    heapBytes: heapUsed,
    externalBytes: external,
    statements: [...statements.values()],
  };
  delay.reset();
  return received;
}

/** Measured from call to answer, so the driver's queue is included. */
function timeStatements(): void {
  type Query = (this: pg.Client, ...args: unknown[]) => unknown;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const query = prototype.query;
  prototype.query = function (...args) {
    const startedMs = performance.now();
    const result = query.apply(this, args);
    const [first] = args;
    const text = typeof first === "string" ? first : (first as { text?: string })?.text;
    if (text && result instanceof Promise) {
      const note = () => recordTime(text, performance.now() - startedMs);
      result.then(note, note);
    }
    return result;
  };
}

function recordTime(statementText: string, tookMs: number): void {
  const text = statementText.replace(/\s+/g, " ").trim().slice(0, 110);
  let row = statements.get(text);
  if (!row) {
    if (statements.size >= statementsMax) return;
    row = { text, count: 0, totalMs: 0, maxMs: 0 };
    statements.set(text, row);
  }
  row.count += 1;
  row.totalMs += tookMs;
  row.maxMs = Math.max(row.maxMs, tookMs);
}
