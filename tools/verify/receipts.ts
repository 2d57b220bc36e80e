/**
 * `npm run trial -- receipts --url http://127.0.0.1:8080 --orders 10000`: places orders by many
 * people on a test instance, waits until they are over, and has the command-line verifier check
 * every receipt against published data. Ends with `10000 receipts, 10000 agree, 0 differ`; exit
 * status 1 if any differs. Load goes to 127.0.0.1 only.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  ApiError,
  type Client,
  createClient,
  newKey,
  signIn,
  type TestSession,
} from "#server/testing/client.ts";
import { openInstance } from "../lib/instance.ts";
import { parseOptions } from "../lib/options.ts";

const run = promisify(execFile);
const { values } = parseOptions(
  {
    options: {
      url: { type: "string" },
      orders: { type: "string", default: "10000" },
      people: { type: "string", default: "100" },
      tier: { type: "string", default: "300" },
    },
  },
  "npm run trial -- receipts [--url http://127.0.0.1:8080] [--orders 10000] [--people 100] [--tier 300]",
);
const orders = Number(values.orders);
const instance = await openInstance(values.url);
const client = createClient({ port: instance.port, connections: 24 });

interface PlacedOrder {
  id: string;
  person: TestSession;
}

/** Processes `count` numbers, `width` at a time. */
async function runConcurrently(
  count: number,
  width: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Retries while the error says that the request may succeed later. */
async function retrying<Data>(ask: () => Promise<Data>): Promise<Data> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const retryableNames = [
        "request.too_many",
        "contracts.receipt_not_ready",
        "contracts.no_price",
      ];
      if (!(error instanceof ApiError) || !retryableNames.includes(error.error)) throw error;
      await sleep(500);
    }
  }
}

async function readMarkets({
  call,
}: Client): Promise<{ contract_id: string; terms_hash: string }[]> {
  const { items } = await call<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
  });
  return Promise.all(
    items.map(async ({ contract_id }) => {
      const input = { contract_id };
      const path = "/api/contract/getContractDetails";
      const { terms } = await call<{ terms: { terms_hash: string } }>({
        method: "GET",
        path,
        input,
      });
      return { contract_id, terms_hash: terms.terms_hash };
    }),
  );
}

const people: TestSession[] = [];
await runConcurrently(Number(values.people), 4, async () => {
  people.push(await retrying(() => signIn(client)));
});
const markets = await readMarkets(client);
console.log(`${people.length} people, ${markets.length} markets`);

const placedOrders: PlacedOrder[] = [];
await runConcurrently(orders, 24, async (number) => {
  const person = people[number % people.length] as TestSession;
  const market = markets[number % markets.length];
  const key = newKey();
  const stake = `${10 + (number % 7)}.${String((number * 7919) % 1_000_000).padStart(6, "0")}`;
  const input = {
    ...market,
    direction: number % 3 ? "up" : "down",
    stake,
    tier: Number(values.tier),
  };
  const path = "/api/contract/contractPlaceOrder";
  const answer = await retrying(() =>
    client.call<{ order_id: string }>({ method: "POST", path, token: person.token, key, input }),
  );
  placedOrders.push({ id: answer.order_id, person });
});
console.log(`${placedOrders.length} orders placed`);

const folder = mkdtempSync(join(tmpdir(), "drydock-receipts-"));
const files: string[] = [];
const outcomes: Record<string, number> = {};
await runConcurrently(placedOrders.length, 24, async (number) => {
  const { id, person } = placedOrders[number] as PlacedOrder;
  const path = "/api/contract/getReceipt";
  const receipt = await retrying(() =>
    client.call<{ result: { outcome: string } }>({
      method: "GET",
      path,
      token: person.token,
      input: { order_id: id },
    }),
  );
  outcomes[receipt.result.outcome] = (outcomes[receipt.result.outcome] ?? 0) + 1;
  const file = join(folder, `${id}.json`);
  writeFileSync(file, JSON.stringify(receipt));
  files.push(file);
});
console.log(`${files.length} receipts fetched: ${JSON.stringify(outcomes)}`);

let agree = 0;
const differing: unknown[] = [];
for (let index = 0; index < files.length; index += 1_000) {
  const options = ["--url", instance.url, "--memory", join(folder, "memory"), "--json"];
  const { stdout } = await run(
    process.execPath,
    [
      join(import.meta.dirname, "../../verify/main.ts"),
      ...files.slice(index, index + 1_000),
      ...options,
    ],
    { maxBuffer: 1 << 28 },
  ).catch((failed: { stdout: string }) => failed);
  const { reports = [], ...rest } = JSON.parse(stdout) as { reports?: { agrees: boolean }[] };
  if (reports.length === 0) differing.push(rest);
  agree += reports.filter((report) => report.agrees).length;
  differing.push(...reports.filter((report) => !report.agrees));
}
rmSync(folder, { recursive: true, force: true });
client.close();
await instance.release();
for (const report of differing.slice(0, 10)) console.log(JSON.stringify(report));
console.log(`${files.length} receipts, ${agree} agree, ${differing.length} differ`);
process.exit(differing.length === 0 && agree === placedOrders.length ? 0 : 1);
