/**
 * One process of order clients for tools/bench/orders.ts: reads its task as JSON from standard
 * input, places orders over plain keep-alive connections until the time is up, and prints its
 * counts as JSON.
 */
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { newKey } from "#server/testing/client.ts";

export interface OrderLoadTask {
  port: number;
  tokens: string[];
  markets: { contractId: string; termsHash: string }[];
  clients: number;
  seconds: number;
}

export interface OrderLoadResult {
  acceptedCount: number;
  refusalCounts: Record<string, number>;
  /** Milliseconds from request to answer, for every accepted order. */
  latencies: number[];
}

async function runLoad(task: OrderLoadTask): Promise<OrderLoadResult> {
  const result: OrderLoadResult = { acceptedCount: 0, refusalCounts: {}, latencies: [] };
  const untilMs = performance.now() + task.seconds * 1000;
  let next = 0;
  const client = async (clientIndex: number) => {
    // Each client has its own network address, as people at home do: calls are limited per
    // network.
    const connection = new Connection(task.port, `127.${process.pid % 250}.1.${clientIndex + 1}`);
    while (performance.now() < untilMs) {
      const number = next++;
      const token = task.tokens[number % task.tokens.length]!;
      const { contractId, termsHash } = task.markets[number % task.markets.length]!;
      const sentMs = performance.now();
      const answer = await connection.post("/api/contract/contractPlaceOrder", token, {
        contract_id: contractId,
        direction: number % 2 === 0 ? "up" : "down",
        stake: "10",
        tier: 300,
        terms_hash: termsHash,
      });
      if (answer.includes('"code":1')) {
        result.acceptedCount += 1;
        result.latencies.push(performance.now() - sentMs);
      } else {
        const name = /"error":"([^"]*)"/.exec(answer)?.[1] ?? "unreadable";
        result.refusalCounts[name] = (result.refusalCounts[name] ?? 0) + 1;
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: task.clients }, (_, index) => client(index)));
  return result;
}

/**
 * HTTP/1.1 as thin as pgbench's protocol, since the clients share the processors with the server
 * under test.
 */
class Connection {
  readonly #socket: Socket;
  #buffer = "";
  #resolve: ((body: string) => void) | null = null;
  #reject: ((error: Error) => void) | null = null;

  constructor(port: number, localAddress: string) {
    this.#socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (chunk: string) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#reject?.(error));
    this.#socket.on("close", () => this.#reject?.(new Error("the server closed a connection")));
  }

  post(path: string, token: string, input: object): Promise<string> {
    const body = JSON.stringify(input);
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nlanguage: en\r\ntoken: ${token}\r\nidempotency-key: ${newKey()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(head + body);
    });
  }

  #take(chunk: string): void {
    this.#buffer += chunk;
    const end = this.#buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#buffer.slice(0, end))?.[1]);
    const total = end + 4 + length;
    if (Number.isNaN(total)) {
      this.#reject?.(new Error("an answer without a content length"));
      return;
    }
    if (this.#buffer.length < total) return;
    const body = this.#buffer.slice(end + 4, total);
    this.#buffer = this.#buffer.slice(total);
    this.#resolve?.(body);
  }

  close(): void {
    this.#reject = null;
    this.#socket.destroy();
  }
}

if (import.meta.main) {
  const task = JSON.parse(await text(process.stdin)) as OrderLoadTask;
  process.stdout.write(JSON.stringify(await runLoad(task)));
}
