import { getConfig } from "#api/index.ts";
import { client } from "#web/app/client.ts";
import { wrapProvider } from "#web/app/session/provider.ts";
import type { Check, Said } from "./check.ts";

/** Promise 1: what this page may reach, what it can ask a wallet for, and what its coins are called. */
export const checkMoney: Check = async () => {
  const [page, { data: config }] = await Promise.all([
    fetch("/", { cache: "no-store" }),
    client.call(getConfig, {}),
  ]);
  await page.text();
  const hosts = connectHosts(page.headers.get("content-security-policy"));
  const own = new Set(["'self'", new URL(config.socket_url, location.href).origin]);
  const foreign = hosts?.filter((host) => !own.has(host)) ?? [];
  const methods = await methodsOfTheDoor();
  const marked = config.coins.every(({ code }) => code.startsWith("p"));
  const ok = hosts !== null && foreign.length === 0 && methods.length === 4 && marked;
  const reach: Said =
    hosts === null
      ? { id: "1.noRule" }
      : foreign.length > 0
        ? { id: "1.foreign", values: { hosts: foreign.join(", ") } }
        : { id: "1.hosts", values: { hosts: [location.host, ...hosts.slice(1)].join(", ") } };
  return {
    outcome: ok ? "holds" : "fails",
    said: [
      reach,
      { id: "1.methods", values: { methods: methods.join(", ") } },
      { id: "1.coins", values: { coins: config.coins.map(({ code }) => code).join(", ") } },
    ],
  };
};

/** The hosts of `connect-src`; null where the policy has none, which would mean any. */
export function connectHosts(policy: string | null): string[] | null {
  const rules = (policy ?? "").split(";").map((rule) => rule.trim().split(/\s+/));
  return rules.find(([name]) => name === "connect-src")?.slice(1) ?? null;
}

/** Goes through every function of the wallet's door with a wallet that only writes down what it is asked. */
async function methodsOfTheDoor(): Promise<string[]> {
  const asked: string[] = [];
  const wallet = wrapProvider({
    request: ({ method }) => {
      asked.push(method);
      return Promise.reject(new Error("only written down"));
    },
  });
  for (const [name, ask] of Object.entries(wallet)) {
    if (name === "onChange") continue;
    await (ask as (...values: string[]) => Promise<unknown>)("x", "x").catch(() => undefined);
  }
  return [...new Set(asked)];
}
