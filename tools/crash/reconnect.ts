/**
 * `npm run trial -- reconnect [--clients 2000] [--rounds 3]`: kills and restarts the server while many
 * clients wait, each with one order or read, and measures from the moment its port is open until
 * each is answered. Exit status 1 if the 99th percentile misses its aim.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, createClient, NoAnswerError, type TestSession } from "#server/testing/client.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { signInAll } from "../lib/people.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { type Change, createRetryingCall, isRetryable } from "./change.ts";
import { createOrders } from "./mixes/orders.ts";
import { createRandom } from "./options.ts";
import { KillableDatabase, KillableServer } from "./targets.ts";

/** Real milliseconds from the open port to an answer, for 99 of 100 clients on two processors. */
const aimMs = 5_000;
/** Mean time before a client that got no answer tries again. */
const againMs = 300;
/** A round that takes longer has failed. */
const roundMaxMs = 120_000;

const { values } = parseOptions(
  { options: { clients: { type: "string" }, rounds: { type: "string" } } },
  "npm run trial -- reconnect [--clients 2000] [--rounds 3]",
);
const clients = parseWholeNumber("clients", values.clients, {
  from: 1,
  to: 10_000,
  fallback: 2_000,
});
const rounds = parseWholeNumber("rounds", values.rounds, { from: 1, to: 100, fallback: 3 });
/** Ten clients share a person: a session may have thirty requests in flight. */
const people = Math.ceil(clients / 10);

const directory = mkdtempSync(join(tmpdir(), "drydock-reconnect-"));
chmodSync(directory, 0o711);
const data = join(directory, "data");
mkdirSync(data);
const database = new KillableDatabase(data);
const port = await findFreePort();
printConditions(
  `${clients} clients of ${people} people, ${rounds} rounds, world speed 10, fsync on`,
);
let worst = 0;
try {
  await database.start();
  const server = new KillableServer({
    env: {
      PORT: String(port),
      DRYDOCK_DATA: data,
      DATABASE_URL: database.urls.app,
      DATABASE_OWNER_URL: database.urls.owner,
      WORLD: "reconnect",
      WORLD_SPEED: "10",
      LOG_LEVEL: "error",
    },
    output: join(directory, "server.txt"),
  });
  server.start();
  worst = await reconnect(server);
  await server.stop();
} finally {
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}
console.log(`worst p99 ${worst} ms (aim at most ${aimMs})`);
process.exit(worst <= aimMs ? 0 : 1);

async function reconnect(server: KillableServer): Promise<number> {
  const client = createClient({ port, connections: clients, timeoutMs: 30_000 });
  await waitUntilReady(client);
  const signedIn = await signInAll(port, people);
  const ask = createRetryingCall(
    client,
    () => false,
    () => sleep(200),
  );
  const orders = await createOrders(signedIn, ask, createRandom(1));
  let worstMs = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(5_000);
    const placements: Change[] = [];
    while (placements.length < clients / 2) placements.push((await orders.createNext(0))!);
    await server.kill();
    const killedMs = performance.now();
    const refusals = new Map<string, number>();
    const pendingAnswers = Array.from({ length: clients }, async (_, number) => {
      const change = placements[number];
      const reader = signedIn[number % people]!;
      await untilAnswered(client, change ? toOrder(change) : getRead(reader, number), refusals);
      return { order: change !== undefined, atMs: performance.now() };
    });
    server.start();
    const openMs = await untilOpen();
    const timeout = sleep(roundMaxMs, null, { ref: false });
    const outcome = await Promise.race([Promise.all(pendingAnswers), timeout]);
    if (!outcome) throw new Error(`Not all were answered: ${describe(refusals)}`);
    const times = (orderly: boolean | null) =>
      outcome
        .filter(({ order }) => orderly === null || order === orderly)
        .map(({ atMs }) => Math.max(0, Math.round(atMs - openMs)))
        .toSorted((a, b) => a - b);
    const text = (sorted: number[]) =>
      `p50 ${computeQuantile(sorted, 0.5)}, p99 ${computeQuantile(sorted, 0.99)}, most ${sorted.at(-1)} ms`;
    console.log(
      `round ${round}: port open ${Math.round(openMs - killedMs)} ms after the kill; all ${text(times(null))}; ` +
        `orders ${text(times(true))}; reads ${text(times(false))}; refused ${describe(refusals)}`,
    );
    worstMs = Math.max(worstMs, computeQuantile(times(null), 0.99));
  }
  client.close();
  return worstMs;
}

type Request = Parameters<ReturnType<typeof createClient>["call"]>[0];

function toOrder({ path, input, key, person }: Change): Request {
  return { method: "POST", path, input, key, token: person.token };
}

function getRead({ token }: TestSession, number: number): Request {
  const paths = ["/api/user/getWalletList", "/api/contract/getOrderList"] as const;
  return { method: "GET", path: paths[number % 2]!, token };
}

async function untilAnswered(
  client: ReturnType<typeof createClient>,
  request: Request,
  refusals: Map<string, number>,
): Promise<void> {
  for (;;) {
    try {
      await client.call(request);
      return;
    } catch (error) {
      if (error instanceof ApiError) {
        refusals.set(error.error, (refusals.get(error.error) ?? 0) + 1);
        // A refusal by rule is an answer too.
        if (!isRetryable(error.error)) return;
      } else if (!(error instanceof NoAnswerError)) throw error;
      await sleep(againMs * (0.5 + Math.random()));
    }
  }
}

/** The moment at which the port accepts connections and keeps them. */
async function untilOpen(): Promise<number> {
  for (;;) {
    const atMs = performance.now();
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => resolve(false));
      socket.on("connect", () => {
        // The server probes the port before it starts, and closes the connections that it accepted.
        socket.on("close", () => resolve(false));
        setTimeout(() => {
          socket.destroy();
          resolve(true);
        }, 20);
      });
    });
    if (open) return atMs;
    await sleep(10);
  }
}

function describe(refusals: ReadonlyMap<string, number>): string {
  return JSON.stringify(Object.fromEntries(refusals));
}
