/**
 * One process of a flood (tools/flood/flood.ts): reads its task as JSON from standard input, keeps
 * its connections busy until the time is up, and prints its counts as JSON. Requests are pipelined
 * and answers only counted, because a flood costs its sender less than its receiver.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { newKey } from "#server/testing/client.ts";

export interface FloodTask {
  port: number;
  seconds: number;
  connections: number;
  /** Loopback addresses the connections come from, one after the other. */
  addresses: string[];
  /** Requests sent on a connection before the first answer. */
  depth: number;
  /** A bundle of log entries, as a path below `/log`. */
  tile: string;
  contractId: string;
  /**
   * People who send each other money as fast as they are allowed; each call holds the accept lock.
   */
  senders: { token: string; address: string }[];
}

export interface FloodResult {
  /** Requests sent, connections opened, and answers by status (101: an upgraded socket). */
  sentCount: number;
  openedCount: number;
  failed: number;
  statuses: Record<string, number>;
}

interface Kind {
  request: (task: FloodTask, number: number) => string;
  /** Connections of this kind are closed after the first answer. */
  isSingleUse?: boolean;
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "host: 127.0.0.1", ...headers, "", ""].join("\r\n");
const post = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, "host: 127.0.0.1", "content-length: 0", ...headers, "", ""].join(
    "\r\n",
  );

function send({ senders }: FloodTask, number: number): string {
  const from = senders[number % senders.length]!;
  const to = senders[(number + 1) % senders.length]!;
  const body = JSON.stringify({ coin: "pUSDT", address: to.address, amount: "0.01" });
  return [
    "POST /api/user/send HTTP/1.1",
    "host: 127.0.0.1",
    `token: ${from.token}`,
    `idempotency-key: ${newKey()}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

/** The kinds of connections of the flood; connections are assigned to the kinds in turn. */
const kinds: readonly Kind[] = [
  // A token of the right form costs a lookup.
  { request: () => post("/api/user/userinfo", `token: ${randomBytes(32).toString("base64url")}`) },
  { request: () => post("/api/index/config") },
  { request: ({ tile }) => get(`/log/${tile}`) },
  { request: ({ tile }) => get(`/log/${tile}`, "accept-encoding: gzip") },
  { request: () => get("/log/checkpoint") },
  { request: send },
  { request: () => get("/home", "accept-encoding: br") },
  { request: () => get("/api/openapi.json", "accept-encoding: br") },
  {
    request: ({ contractId }) =>
      get(`/api/contract/getKlineData?contract_id=${contractId}&interval=1m`),
  },
  { request: () => get("/api/health"), isSingleUse: true },
  {
    request: () =>
      get(
        "/ws",
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
      ),
    isSingleUse: true,
  },
];

/** Pause before a connection that broke, or was used up, is opened again. */
const againMs = 20;
const statusLine = /HTTP\/1\.1 (\d{3})/g;

async function flood(task: FloodTask): Promise<FloodResult> {
  const result: FloodResult = { sentCount: 0, openedCount: 0, failed: 0, statuses: {} };
  const open = new Set<Socket>();
  let over = false;
  const keepOpen = (number: number) => {
    const kind = kinds[number % kinds.length]!;
    const localAddress = task.addresses[number % task.addresses.length]!;
    const socket = connect({ port: task.port, host: "127.0.0.1", localAddress, noDelay: true });
    open.add(socket);
    socket.setEncoding("latin1");
    const ask = (count: number) => {
      if (over) return;
      result.sentCount += count;
      socket.write(
        Array.from({ length: count }, () =>
          kind.request(task, Math.floor(number / kinds.length)),
        ).join(""),
      );
    };
    socket.on("connect", () => {
      result.openedCount += 1;
      ask(kind.isSingleUse ? 1 : task.depth);
    });
    let rest = "";
    socket.on("data", (chunk: string) => {
      const buffered = rest + chunk;
      let answers = 0;
      let end = 0;
      for (const match of buffered.matchAll(statusLine)) {
        const status = match[1]!;
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        answers += 1;
        end = match.index + match[0].length;
      }
      // A status line may be split between two chunks.
      rest = buffered.slice(Math.max(end, buffered.length - 11));
      if (answers === 0) return;
      if (kind.isSingleUse) socket.destroy();
      else ask(answers);
    });
    socket.on("error", () => {
      result.failed += 1;
    });
    socket.on("close", () => {
      open.delete(socket);
      if (!over) setTimeout(() => over || keepOpen(number), againMs);
    });
  };
  for (let number = 0; number < task.connections; number += 1) keepOpen(number);
  await new Promise((resolve) => setTimeout(resolve, task.seconds * 1000));
  over = true;
  for (const socket of open) socket.destroy();
  return result;
}

if (import.meta.main) {
  const task = JSON.parse(await text(process.stdin)) as FloodTask;
  process.stdout.write(JSON.stringify(await flood(task)));
}
