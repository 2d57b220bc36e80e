import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { promiseNumbers } from "#web/screens/help/views.ts";
import { listConnectHosts } from "./connectHosts.ts";
import { listWalletMethods } from "./listWalletMethods.ts";
import { checkWithdraw } from "./withdraw.ts";

test.each<[string, string | null, string[] | null]>([
  ["a missing policy allows any host", null, null],
  ["a policy without connect-src allows any host", "default-src 'self'; img-src data:", null],
  [
    "the hosts are those of connect-src only",
    "img-src https://a.example; connect-src 'self' wss://b.example; x y",
    ["'self'", "wss://b.example"],
  ],
  ["an empty connect-src allows no host", "connect-src", []],
])("%s", (_title, policy, hosts) => {
  expect(listConnectHosts(policy)).toEqual(hosts);
});

test("listWalletMethods returns the four methods of the first promise", async () => {
  expect((await listWalletMethods()).sort()).toEqual([
    "eth_chainId",
    "eth_requestAccounts",
    "net_version",
    "personal_sign",
  ]);
});

test("the third check requests every balance in full and counts refusals", async () => {
  const { outcome, messages } = await checkWithdraw(false);
  expect(outcome).toBe("holds");
  expect(messages[0]?.values).toMatchObject({ refused: 0 });
  expect(Number(messages[0]?.values?.count)).toBeGreaterThan(900);
});

test("every text of a check is in the message catalogue", () => {
  const root = join(import.meta.dirname, "../../../../..");
  const help = JSON.parse(readFileSync(join(root, "i18n/help/en.json"), "utf8")) as object;
  const files = ["money", "signIn", "withdraw", "contracts", "log", "own", "check"];
  const ids = files.flatMap((name) => [
    ...readFileSync(join(import.meta.dirname, `${name}.ts`), "utf8").matchAll(
      /"((?:\d+\.\w+)|signIn)"/g,
    ),
  ]);
  expect(ids.length).toBeGreaterThan(promiseNumbers.length);
  expect(ids.filter(([, id]) => !(`help.check.${id}` in help)).map(([, id]) => id)).toEqual([]);
});
