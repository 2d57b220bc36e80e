import { getConfig } from "#api/routes/meta.ts";
import { client } from "#web/lib/api/client.ts";
import type { Check, CheckMessage } from "./check.ts";
import { listConnectHosts } from "./connectHosts.ts";
import { listWalletMethods } from "./listWalletMethods.ts";

/**
 * Promise 1: what this page may connect to, what it can ask of a wallet, and how its coins are
 * named.
 */
export const checkMoney: Check = async () => {
  const [page, { data: config }] = await Promise.all([
    fetch("/", { cache: "no-store" }),
    client.call(getConfig, {}),
  ]);
  await page.text();
  const hosts = listConnectHosts(page.headers.get("content-security-policy"));
  const allowedSources = new Set(["'self'", new URL(config.socket_url, location.href).origin]);
  const foreignHosts = hosts?.filter((host) => !allowedSources.has(host)) ?? [];
  const methods = await listWalletMethods();
  const marked = config.coins.every(({ code }) => code.startsWith("p"));
  const ok = hosts !== null && foreignHosts.length === 0 && methods.length === 4 && marked;
  const reach: CheckMessage =
    hosts === null
      ? { id: "1.noRule" }
      : foreignHosts.length > 0
        ? { id: "1.foreign", values: { hosts: foreignHosts.join(", ") } }
        : { id: "1.hosts", values: { hosts: [location.host, ...hosts.slice(1)].join(", ") } };
  return {
    outcome: ok ? "holds" : "fails",
    messages: [
      reach,
      { id: "1.methods", values: { methods: methods.join(", ") } },
      { id: "1.coins", values: { coins: config.coins.map(({ code }) => code).join(", ") } },
    ],
  };
};
