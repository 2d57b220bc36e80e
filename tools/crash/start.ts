import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient, NoAnswerError, signIn } from "#server/testing/client.ts";
import type { Market, Person } from "./load.ts";

const signInsPerAddress = 50;

/** Resolves once the server reports ready. Throws if it does not within two minutes. */
export async function untilReady(client: Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 100) {
    try {
      const health = await client.call<{ ready: boolean }>({ method: "GET", path: "/api/health" });
      if (health.ready) return;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
    await sleep(100);
  }
  throw new Error("The server was not ready within two minutes.");
}

/**
 * Signs people in from several loopback addresses, since the number of nonces per address is
 * limited.
 */
export async function signInAll(count: number, port: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let from = 0; from < count; from += signInsPerAddress) {
    const localAddress = `127.0.0.${2 + from / signInsPerAddress}`;
    const client = createClient({ port, localAddress, connections: 8 });
    const many = Math.min(signInsPerAddress, count - from);
    const signedIn = await Promise.all(Array.from({ length: many }, () => signIn(client)));
    for (const one of signedIn) people.push({ ...one, shortLeft: 5, restsUntilMs: 0 });
    client.close();
  }
  return people;
}

/** Contracts that can be ordered, with their terms hashes. */
export async function readMarkets(client: Client): Promise<Market[]> {
  const list = await client.call<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
    input: { type: "all" },
  });
  return Promise.all(
    list.items.map(async ({ contract_id: contractId }) => {
      const details = await client.call<{ terms: { terms_hash: string } }>({
        method: "GET",
        path: "/api/contract/getContractDetails",
        input: { contract_id: contractId },
      });
      return { contractId, termsHash: details.terms.terms_hash };
    }),
  );
}

/** A port that is currently free. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
