import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createClient, newKey, signIn } from "#server/testing/client.ts";
import type { OperatorSession } from "./mixes/console.ts";

/** Makes one person the owner, with the code printed at `path`, and signs in `count` times. */
export async function openOperatorSessions(count: number, port: number, readOutput: () => string) {
  const client = createClient({ port, localAddress: "127.0.3.1", connections: 8 });
  const account = privateKeyToAccount(generatePrivateKey());
  const sessions: OperatorSession[] = [];
  for (let number = 0; number < count; number += 1)
    sessions.push({ ...(await signIn(client, account)), account });
  const code = await firstCode(readOutput);
  const input = { code, name: "The owner" };
  const { token } = sessions[0]!;
  const path = "/api/operator/claim";
  await client.call({ method: "POST", path, input, token, key: newKey() });
  client.close();
  return sessions;
}

/** The first operator's code, printed soon after the server has answered for the first time. */
async function firstCode(readOutput: () => string): Promise<string> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 100) {
    const [, code] = /type this code.*: ([0-9A-Z]+(?:-[0-9A-Z]+)+)/.exec(readOutput()) ?? [];
    if (code) return code;
    await sleep(100);
  }
  throw new Error("The server printed no code for the first operator.");
}
