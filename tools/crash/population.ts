import { setTimeout as sleep } from "node:timers/promises";
import type { Client, TestSession } from "#server/testing/client.ts";
import { signInAll } from "../lib/people.ts";
import { createRetryingCall, type Mix } from "./change.ts";
import type { Load } from "./load.ts";
import {
  createConsole,
  type ExpectedVersions,
  elevate,
  type OperatorSession,
  setPassphrase,
} from "./mixes/console.ts";
import { createMoney } from "./mixes/money.ts";
import { createOrders } from "./mixes/orders.ts";
import { openOperatorSessions } from "./operatorSessions.ts";
import { type CrashOptions, createRandom } from "./options.ts";

/** Everyone who takes part in a run, and what is known about them without the database. */
export interface Population {
  mixes: Mix[];
  /** Users whose only changes are orders. */
  traders: readonly string[];
  expectedVersions: ExpectedVersions;
  ownKeys: ReadonlySet<string>;
  owner: string | null;
  /** A session that may read the audit. */
  auditor: TestSession | null;
}

/** Console sessions that work concurrently, and people whom they suspend. */
const operatorSessionsMax = 6;
const targets = 24;

export type PopulationOptions = Pick<CrashOptions, "mixes" | "users" | "clients" | "seed">;

/** Signs everyone in. Each mix has separate people, so that it can be checked separately. */
export async function createPeople(
  options: PopulationOptions,
  parts: { client: Client; port: number; load: Load; readOutput: () => string },
): Promise<Population> {
  const { client, port, load, readOutput } = parts;
  const pause = () => sleep(60 * (0.5 + Math.random()));
  const ask = createRetryingCall(client, () => load.stopping, pause);
  const random = createRandom(options.seed + 2);
  const names = options.mixes;
  const population: Population = {
    mixes: [],
    traders: [],
    expectedVersions: new Map(),
    ownKeys: new Set(),
    owner: null,
    auditor: null,
  };
  const withConsole = names.includes("console");
  const people = await signInAll(port, options.users + (withConsole ? targets : 0));
  const share = Math.floor(options.users / Math.max(1, names.length - (withConsole ? 1 : 0)));
  for (const name of names) {
    if (name === "console") {
      const count = Math.min(operatorSessionsMax, Math.ceil(options.clients / names.length));
      const sessions = await openOperatorSessions(count, port, readOutput);
      // Sessions are elevated for ten minutes, and keys are asked again after the load has ended.
      const always = createRetryingCall(client, () => false, pause);
      const ownKeys = new Set<string>();
      const elevateAgain = (session: OperatorSession) => elevate(session, always, ownKeys);
      const console = createConsole(sessions, people.splice(-targets), {
        ask,
        random,
        elevate: elevateAgain,
      });
      await elevate(sessions[0]!, always, ownKeys, false);
      await setPassphrase(sessions[0]!, always, ownKeys);
      for (const session of sessions) await elevateAgain(session);
      const { expectedVersions } = console;
      const [first] = sessions;
      Object.assign(population, {
        expectedVersions,
        ownKeys,
        owner: first!.userId,
        auditor: first,
      });
      population.mixes.push(console);
      continue;
    }
    const testSessions = people.splice(0, share);
    if (name === "orders") {
      population.traders = testSessions.map(({ userId }) => userId);
      population.mixes.push(await createOrders(testSessions, ask, random));
    } else population.mixes.push(await createMoney(testSessions, ask, random));
  }
  return population;
}
