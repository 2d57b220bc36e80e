import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  type Client,
  createClient,
  NoAnswerError,
  newKey,
  type SignedIn,
  signIn,
} from "#server/testing/client.ts";
import type { Seat } from "./mixes/console.ts";

const signInsPerAddress = 50;

/** Resolves once the server reports ready. Throws if it does not within four minutes. */
export async function untilReady(client: Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < 240_000; waitedMs += 100) {
    try {
      const health = await client.call<{ ready: boolean }>({ method: "GET", path: "/api/health" });
      if (health.ready) return;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
    await sleep(100);
  }
  throw new Error("The server was not ready within four minutes.");
}

/**
 * Signs people in from several loopback addresses, since the number of nonces per address is
 * limited.
 */
export async function signInAll(count: number, port: number): Promise<SignedIn[]> {
  const people: SignedIn[] = [];
  for (let from = 0; from < count; from += signInsPerAddress) {
    const localAddress = `127.0.0.${2 + from / signInsPerAddress}`;
    const client = createClient({ port, localAddress, connections: 8 });
    const many = Math.min(signInsPerAddress, count - from);
    people.push(...(await Promise.all(Array.from({ length: many }, () => signIn(client)))));
    client.close();
  }
  return people;
}

/** Makes one person the owner, with the code printed at `path`, and signs in `count` times. */
export async function openSeats(count: number, port: number, printed: () => string) {
  const client = createClient({ port, localAddress: "127.0.3.1", connections: 8 });
  const account = privateKeyToAccount(generatePrivateKey());
  const seats: Seat[] = [];
  for (let number = 0; number < count; number += 1)
    seats.push({ ...(await signIn(client, account)), account });
  const code = await firstCode(printed);
  const input = { code, name: "The owner" };
  const { token } = seats[0]!;
  const path = "/api/operator/claim";
  await client.call({ method: "POST", path, input, token, key: newKey() });
  client.close();
  return seats;
}

/** The first operator's code, printed soon after the server has answered for the first time. */
async function firstCode(printed: () => string): Promise<string> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 100) {
    const [, code] = /type this code.*: ([0-9A-Z]+(?:-[0-9A-Z]+)+)/.exec(printed()) ?? [];
    if (code) return code;
    await sleep(100);
  }
  throw new Error("The server printed no code for the first operator.");
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
