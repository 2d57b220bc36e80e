import { createClient, signIn, type TestSession } from "#server/testing/client.ts";

const signInsPerAddress = 50;

/**
 * Signs people in over HTTP, fifty from each loopback address, since the number of nonces per
 * address is limited.
 */
export async function signInAll(port: number, count: number): Promise<TestSession[]> {
  const people: TestSession[] = [];
  for (let from = 0; from < count; from += signInsPerAddress) {
    const localAddress = `127.0.0.${2 + from / signInsPerAddress}`;
    const client = createClient({ port, localAddress, connections: 8 });
    const batchSize = Math.min(signInsPerAddress, count - from);
    people.push(...(await Promise.all(Array.from({ length: batchSize }, () => signIn(client)))));
    client.close();
  }
  return people;
}
