import { randomBytes } from "node:crypto";
import { expect } from "../expect.ts";
import type { Probe } from "../probe.ts";
import type { TestInstance } from "../testInstance.ts";

const someAddress = () => `0x${randomBytes(20).toString("hex")}`;
const noncePath = (address = someAddress()) => `/api/user/nonce?address=${address}&chain_id=1`;

/** Counts how many of `many` requests each limit refused, by the limit's name. */
async function refusals(
  count: number,
  send: (number: number) => ReturnType<TestInstance["ask"]>,
): Promise<Map<string, number>> {
  const names = new Map<string, number>();
  for (let number = 0; number < count; number += 20) {
    const batch = Array.from({ length: Math.min(20, count - number) }, (_, index) =>
      send(number + index),
    );
    for (const { error, data } of await Promise.all(batch)) {
      if (error !== "request.too_many") continue;
      const limit = String(data?.limit);
      names.set(limit, (names.get(limit) ?? 0) + 1);
    }
  }
  return names;
}

const describe = (names: Map<string, number>) =>
  [...names].map(([name, times]) => `${times} by ${name}`).join(", ") || "no refusal";

export const limitProbes: readonly Probe[] = [
  {
    name: "forged-forwarded-for",
    tries: "220 nonces from one address, each with another X-Forwarded-For and X-Real-IP",
    expected: "the address that sends them meets its limit",
    run: async (instance) => {
      const from = instance.network();
      const names = await refusals(220, (number) => {
        const ip = `203.0.113.${number % 250}`;
        const headers = { "x-forwarded-for": ip, "x-real-ip": ip, "cf-connecting-ip": ip };
        return instance.ask({ path: noncePath(), headers, sourceAddress: from });
      });
      expect(names.has("network_nonces"), describe(names));
      return describe(names);
    },
  },
  {
    name: "proxy-counts-clients",
    tries:
      "220 nonces of one client behind the trusted proxy, who writes addresses of its own before",
    expected: "that client meets its limit, another behind the same proxy does not",
    run: async (instance) => {
      const from = instance.proxy;
      const names = await refusals(220, (number) => {
        const headers = { "x-forwarded-for": `198.51.100.${number % 250}, 203.0.113.77` };
        return instance.ask({ path: noncePath(), headers, sourceAddress: from });
      });
      expect(names.has("network_nonces"), describe(names));
      const headers = { "x-forwarded-for": "203.0.113.78" };
      const { status } = await instance.ask({ path: noncePath(), headers, sourceAddress: from });
      expect(status === 200, `another client: ${status}`);
      return `${describe(names)}; another client is served`;
    },
  },
  {
    name: "sign-in-lock-out",
    tries: "using up the nonces of somebody else's wallet address",
    expected: "the attacker's network is refused, the owner's is not",
    run: async (instance) => {
      const path = noncePath(someAddress());
      const from = instance.network();
      const names = await refusals(40, () => instance.ask({ path, sourceAddress: from }));
      expect(names.has("address_nonces"), describe(names));
      const { status } = await instance.ask({ path, sourceAddress: instance.network() });
      expect(status === 200, `the owner: ${status}`);
      return `${describe(names)}; the owner is served`;
    },
  },
  {
    name: "many-sessions",
    tries: "240 calls at once of one person in three sessions from three addresses",
    expected: "the person meets the limit, not only each session",
    run: async (instance) => {
      const first = await instance.person();
      const sessions = [
        first,
        await instance.person(first.account),
        await instance.person(first.account),
      ];
      const networks = [instance.network(), instance.network(), instance.network()];
      const requests = Array.from({ length: 240 }, (_, number) => {
        const from = networks[number % 3]!;
        const { token } = sessions[number % 3]!;
        return instance.ask({ path: "/api/user/getPin", token, sourceAddress: from });
      });
      const answers = await Promise.all(requests);
      const refusedCount = answers.filter(({ data }) => data?.limit === "person_calls").length;
      expect(refusedCount > 0, "no refusal");
      return `${refusedCount} of 240 by person_calls`;
    },
  },
  {
    name: "made-up-tokens",
    tries: "400 tokens that no session has",
    expected: "each costs its network eleven calls, until it is refused unread",
    run: async (instance) => {
      const from = instance.network();
      const path = "/api/user/getPin";
      const names = await refusals(400, () => {
        return instance.ask({
          path,
          token: randomBytes(32).toString("base64url"),
          sourceAddress: from,
        });
      });
      expect(names.has("network_calls"), describe(names));
      return describe(names);
    },
  },
  {
    name: "error-reports",
    tries: "200 error reports from one network",
    expected: "at most 100 an hour are taken, others' are still taken",
    run: async (instance) => {
      const from = instance.network();
      const path = "/api/index/reportError";
      const input = { type: "script", code: "probe", message: "m", page_url: "/home" };
      const names = await refusals(200, () =>
        instance.ask({ method: "POST", path, input, sourceAddress: from }),
      );
      expect(names.has("network_reports"), describe(names));
      const otherAnswer = await instance.ask({
        method: "POST",
        path,
        input,
        sourceAddress: instance.network(),
      });
      expect(otherAnswer.error === null, `another network: ${otherAnswer.error}`);
      return describe(names);
    },
  },
];
