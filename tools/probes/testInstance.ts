import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { elevate, type OperatorSession, setPassphrase } from "../crash/mixes/console.ts";
import { openOperatorSessions } from "../crash/operatorSessions.ts";
import { KillableServer } from "../crash/targets.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import { type Answer, getData, type RawRequest, sendRequest } from "./http.ts";

/** A person with a session, and the key that they sign with. */
export interface Person extends TestSession {
  account: PrivateKeyAccount;
}

/** A separate instance, set up as one with a public address behind a proxy, and its people. */
export interface TestInstance {
  readonly port: number;
  readonly data: string;
  /** Host of PUBLIC_URL. */
  readonly publicHost: string;
  /** The proxy of TRUST_PROXY: the only address whose forwarded headers are believed. */
  readonly proxy: string;
  /** The owner's session, elevated, and another that is not. */
  readonly owner: OperatorSession;
  readonly plainOwner: OperatorSession;
  readonly ask: (sent: RawRequest) => Promise<Answer>;
  /** Makes a call that moves money, or an operator's. */
  change(person: TestSession, path: string, input: object): Promise<Answer>;
  /** Signs a new person in, or one again with their key. */
  person(account?: PrivateKeyAccount): Promise<Person>;
  /**
   * An address that no other probe sends from, so that reaching a limit there stops no other probe.
   */
  readonly network: () => string;
  /** Creates the value on first use and returns the same one afterwards. */
  createOnce<Value>(name: string, make: () => Promise<Value>): Promise<Value>;
  /** Texts that the log must never show. */
  readonly secrets: Set<string>;
  /** The server's output so far. */
  readOutput(): string;
  /** Stops the server and starts it with other arguments. */
  restart(args: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

const publicHost = "practice.example.org";
const proxy = "127.0.0.9";

/** `settings` replace or add to those of the instance. */
export async function openTestInstance(
  settings: Record<string, string> = {},
): Promise<TestInstance> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-probes-"));
  chmodSync(directory, 0o711);
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, "data");
  mkdirSync(data);
  const port = await findFreePort();
  const output = join(directory, "server.txt");
  const readOutput = () => (existsSync(output) ? readFileSync(output, "utf8") : "");
  const env = {
    PORT: String(port),
    DRYDOCK_DATA: data,
    WORLD: "probes",
    WORLD_SPEED: "10",
    // The most verbose level, so that any secret in the output shows.
    LOG_LEVEL: "debug",
    PUBLIC_URL: `https://${publicHost}`,
    OPERATOR_NAME: "The probes",
    OPERATOR_CONTACT: "probes@example.org",
    TRUST_PROXY: proxy,
    HSTS_SUBDOMAINS: "yes",
    ...settings,
  };
  let server = new KillableServer({ env, output });
  const remove = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    server.start();
    const client = createClient({ port, localAddress: "127.0.4.1" });
    await waitUntilReady(client);
    const sessions = await openOperatorSessions(2, port, readOutput);
    const keys = new Set<string>();
    await elevate(sessions[0]!, client.call, keys, false);
    await setPassphrase(sessions[0]!, client.call, keys);
    await elevate(sessions[0]!, client.call, keys);
    client.close();
    const restart = async (args: readonly string[]) => {
      await server.stop();
      server = new KillableServer({ env, args, output });
      server.start();
    };
    const operators = { owner: sessions[0]!, plainOwner: sessions[1]! };
    const parts = { port, data, ...operators, readOutput, restart, remove };
    return createStage(parts);
  } catch (error) {
    console.error(readOutput().trim().split("\n").slice(-5).join("\n"));
    await remove();
    throw error;
  }
}

type StartedInstance = Pick<
  TestInstance,
  "port" | "data" | "owner" | "plainOwner" | "readOutput" | "restart" | "remove"
>;

function createStage(parts: StartedInstance): TestInstance {
  const { port, owner, plainOwner } = parts;
  const secrets = new Set([owner.token, plainOwner.token]);
  const creations = new Map<string, Promise<unknown>>();
  let networks = 0;
  const network = () => `127.20.${1 + Math.floor(networks / 250)}.${1 + (networks++ % 250)}`;
  return {
    ...parts,
    publicHost,
    proxy,
    secrets,
    network,
    ask: (request) => sendRequest(port, request),
    change: ({ token }, path, input) => {
      const headers = { "idempotency-key": newKey() };
      return sendRequest(port, { method: "POST", path, input, token, headers });
    },
    person: async (account) => {
      const key = generatePrivateKey();
      const signer = account ?? privateKeyToAccount(key);
      secrets.add(key.slice(2));
      const client = createClient({ port, localAddress: network() });
      const person = { ...(await signIn(client, signer)), account: signer };
      client.close();
      secrets.add(person.token).add(signer.address.slice(2));
      return person;
    },
    createOnce: <Value>(name: string, make: () => Promise<Value>) => {
      const creation = creations.get(name) ?? make();
      creations.set(name, creation);
      return creation as Promise<Value>;
    },
  };
}

/** The message that signs in, or elevates, from the fields that the server gave with a nonce. */
export interface Nonce {
  domain: string;
  uri: string;
  statement: string;
  nonce: string;
  issued_at: string;
  expiration_time: string;
}

export async function fetchNonce(
  instance: TestInstance,
  address: string,
  from = instance.network(),
): Promise<Nonce> {
  const path = `/api/user/nonce?address=${address}&chain_id=1`;
  return getData<Nonce>(await instance.ask({ path, sourceAddress: from }));
}
