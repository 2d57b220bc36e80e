import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { newKey } from "#server/testing/client.ts";
import { expect } from "../expect.ts";
import { getHolder, type Holder } from "../holder.ts";
import { type Answer, getData } from "../http.ts";
import type { Probe } from "../probe.ts";
import type { Person, TestInstance } from "../testInstance.ts";

/** The holder's id that a field of a call means; undefined if it is no one's own (a product's). */
function idFor({ path }: Call, field: string, { ids }: Holder): string | undefined {
  const domain = path.split("/")[2]!;
  return ids.get(`${domain} ${field}`) ?? ids.get(field) ?? byField(field, ids);
}

function byField(field: string, ids: ReadonlyMap<string, string>): string | undefined {
  return [...ids].find(([name]) => name.split(" ").at(-1) === field)?.[1];
}

/** The other fields that a call with an id needs, so that the id alone decides its answer. */
const otherFields: Record<string, object> = {
  "/api/user/renameAddress": { name: "Another name" },
  "/api/user/withdraw": { coin: "pUSDT", amount: "25", address: "x" },
  "/api/user/getWithdrawTerms": { coin: "pUSDT" },
  "/api/user/getWithdrawList": { coin: "pUSDT" },
  "/api/user/exportRecords": { format: "csv" },
  "/api/record/getRecordList": { type: "wallet" },
  "/api/user/getWalletDetails": { coin: "pUSDT" },
  "/api/machine/endLease": { unused_days: 1 },
  "/api/record/createReceiptLink": { secret: "A".repeat(22), kind: "contract" },
  "/api/belief/stateBelief": { kind: "order", confidence: 70 },
};

/** A fast machine makes more calls than a person may: it waits until they are admitted again. */
async function sendAdmitted(...request: Parameters<typeof send>): Promise<Answer> {
  for (;;) {
    const answer = await send(...request);
    if (answer.error !== "request.too_many") return answer;
    await sleep(1_000);
  }
}

function send(instance: TestInstance, call: Call, person: Person, input: Record<string, unknown>) {
  const { method, path } = call;
  if (method === "GET") {
    const query = new URLSearchParams(input as Record<string, string>);
    return instance.ask({ path: `${path}?${query}`, token: person.token });
  }
  const headers = { "idempotency-key": newKey() };
  return instance.ask({ method, path, input, token: person.token, headers });
}

/** An answer without the parts that differ from one request to the next. */
const normaliseAnswer = ({ status, error, text }: Answer, id: string) =>
  `${status} ${error ?? text.replaceAll(id, "<id>").replaceAll(/\d{12,}|"[^"]*_ms":\d+/g, "")}`;

export const peopleProbes: readonly Probe[] = [
  {
    name: "ids-of-another",
    tries: "every call of a person that takes an id, with the ids of another person",
    expected: "the same answer as for an id that does not exist, and nothing changed",
    run: async (instance) => {
      const holder = await getHolder(instance);
      const otherPerson = await instance.person();
      const path = "/api/pledge/getProductList";
      const pool = getData<{ items: { product_id: string }[] }>(await instance.ask({ path }))
        .items[0]!;
      let tryCount = 0;
      let knownCount = 0;
      /** Errors about another missing field: the id decided nothing. */
      const malformed: string[] = [];
      for (const call of calls.filter(({ access }) => access === "user")) {
        const shape = (call.input as unknown as { shape?: Record<string, unknown> }).shape ?? {};
        for (const field of Object.keys(shape).filter((name) => name.endsWith("_id"))) {
          const id = idFor(call, field, holder);
          if (id === undefined || call.upload) continue;
          const rest =
            call.path === "/api/pledge/redeem"
              ? { product_id: pool.product_id, units: "all" }
              : (otherFields[call.path] ?? {});
          const none = randomUUID();
          const forNone = await sendAdmitted(instance, call, otherPerson, {
            ...rest,
            [field]: none,
          });
          const forOther = await sendAdmitted(instance, call, otherPerson, {
            ...rest,
            [field]: id,
          });
          if (forNone.error === "request.malformed") malformed.push(`${call.path} ${field}`);
          const [otherGist, unknownGist] = [
            normaliseAnswer(forOther, id),
            normaliseAnswer(forNone, none),
          ];
          const what = `${call.path} ${field}: ${otherGist.slice(0, 120)}, for none ${unknownGist.slice(0, 120)}`;
          expect(otherGist === unknownGist && forOther.status < 500, what);
          tryCount += 1;
          // Only reads, because the probe still needs anything that the owner of an id could end.
          if (call.method !== "GET") continue;
          const forHolder = await sendAdmitted(instance, call, holder, { ...rest, [field]: id });
          if (normaliseAnswer(forHolder, id) !== unknownGist) knownCount += 1;
        }
      }
      expect(malformed.length === 0, `malformed: ${malformed.join(", ")}`);
      expect(
        tryCount >= 25 && knownCount >= 10,
        `only ${tryCount} tried, ${knownCount} of them known to the owner`,
      );
      const entries = await instance.ask({ path: "/api/user/getAddressBook", token: holder.token });
      expect(entries.text.includes("A place of mine"), "the other renamed or removed an entry");
      return `${tryCount} fields tried, ${knownCount} of the reads answer to their owner alone`;
    },
  },
  {
    name: "keys-of-another",
    tries: "another person's idempotency key with the same body, and one's own with other bodies",
    expected: "an effect of one's own, never the other's answer; 409 for another body or call",
    run: async (instance) => {
      const [a, b, c] = [await instance.person(), await instance.person(), await instance.person()];
      const path = "/api/user/getReceiveAddress?coin=pUSDT";
      const { address } = getData<{ address: string }>(
        await instance.ask({ path, token: c.token }),
      );
      const headers = { "idempotency-key": newKey() };
      const pay = (token: string, amount: string) => {
        const input = { coin: "pUSDT", address, amount };
        return instance.ask({ method: "POST", path: "/api/user/send", input, token, headers });
      };
      const first = getData(await pay(a.token, "20"));
      const repeated = getData(await pay(a.token, "20"));
      expect(first.journal_id === repeated.journal_id, "a repetition posts again");
      const others = getData(await pay(b.token, "20"));
      expect(others.journal_id !== first.journal_id, "another person gets the first answer");
      const changedAnswer = await pay(a.token, "21");
      expect(
        changedAnswer.error === "idempotency.body_changed",
        `another body: ${changedAnswer.error}`,
      );
      const input = { coin: "pUSDT", amount: "25", address };
      const otherInputs = {
        method: "POST",
        path: "/api/user/withdraw",
        input,
        token: a.token,
        headers,
      };
      const { error } = await instance.ask(otherInputs);
      expect(error === "idempotency.body_changed", `another call: ${error}`);
      return "own effect, same answer on repetition, 409 otherwise";
    },
  },
  {
    name: "key-race",
    tries: "one payment sent 30 times at once with one key, and 30 with keys of their own",
    expected: "one posting for the key, and never more than the balance",
    run: async (instance) => {
      const [payer, payee] = [await instance.person(), await instance.person()];
      const path = "/api/user/getReceiveAddress?coin=pUSDT";
      const { address } = getData<{ address: string }>(
        await instance.ask({ path, token: payee.token }),
      );
      const headers = { "idempotency-key": newKey() };
      const input = { coin: "pUSDT", address, amount: "4000" };
      const pay = (key?: string) => {
        const request = { method: "POST", path: "/api/user/send", input, token: payer.token };
        return instance.ask({ ...request, headers: key ? { "idempotency-key": key } : headers });
      };
      const sameKeyAnswers = await Promise.all(Array.from({ length: 30 }, () => pay()));
      const journals = new Set(
        sameKeyAnswers.flatMap(({ data, error }) => (error ? [] : [data?.journal_id])),
      );
      expect(journals.size === 1, `${journals.size} postings for one key`);
      // At most a second's worth of one person's calls at the same time.
      await sleep(1_500);
      const answers = await Promise.all(Array.from({ length: 30 }, () => pay(newKey())));
      const paid = answers.filter(({ error, status }) => error === null && status === 200).length;
      expect(paid === 1, `${paid} further payments of 4 000 left with 6 000`);
      return "1 posting; 1 of 30 further payments";
    },
  },
  {
    name: "user-enumeration",
    tries: "telling a wallet that has an account from one that has none, by nonces and sign-ins",
    expected: "the same fields and lengths, the same refusals",
    run: async (instance) => {
      const ownerAddress = instance.owner.account.address;
      const unknown = `0x${"52908400098527886e0f7030069857d2e4169ee7"}`;
      const gists: string[] = [];
      for (const address of [ownerAddress, unknown]) {
        const from = instance.network();
        const nonce = await instance.ask({
          path: `/api/user/nonce?address=${address}&chain_id=1`,
          sourceAddress: from,
        });
        const lengths = Object.entries(getData(nonce)).map(
          ([key, value]) => `${key} ${String(value).length}`,
        );
        const { nonce: used } = getData<{ nonce: string }>(nonce);
        const message = `127.0.0.1:${instance.port} wants you to sign in with your Ethereum account:\n${address}\n\nx\n\nURI: http://127.0.0.1\nVersion: 1\nChain ID: 1\nNonce: ${used}\nIssued At: 2026-01-01T00:00:00.000Z`;
        const input = { address, type: "erc", message, signature: `0x${"11".repeat(65)}` };
        const { error, status } = await instance.ask({
          method: "POST",
          path: "/api/user/create",
          input,
          sourceAddress: from,
        });
        gists.push(`${lengths.join()} ${status} ${error}`);
      }
      expect(gists[0] === gists[1], gists.join(" / "));
      return `both ${gists[0]!.split(" ").slice(-2).join(" ")}`;
    },
  },
  {
    name: "search-wildcards",
    tries: "%, _ and quotes where ids, contracts and searches are expected",
    expected: "no failure, and no row that the text does not name",
    run: async (instance) => {
      const { token } = await getHolder(instance);
      const texts = [
        "%",
        "%%%%",
        "____",
        "%25%25",
        "' or '1'='1",
        "\\",
        "a'; select pg_sleep(3)--",
        "*",
        "btc%",
      ];
      let tryCount = 0;
      const reads = calls.filter(({ method, access }) => method === "GET" && access !== "operator");
      for (const call of reads) {
        const shape = (call.input as unknown as { shape?: Record<string, unknown> }).shape ?? {};
        for (const field of Object.keys(shape)) {
          if (!/_id$|search|address|invite|code/.test(field)) continue;
          for (const text of texts) {
            const input = { ...otherFields[call.path], [field]: text };
            const query = new URLSearchParams(input as Record<string, string>);
            const path = `${call.path}?${query}`;
            const answer = await instance.ask({ path, token, sourceAddress: "127.22.0.1" });
            const summary = `${call.path} ${field}=${text}: ${answer.status} ${answer.error}`;
            expect(answer.status < 500 && answer.durationMs < 2_500, summary);
            if (answer.error === "request.too_many") await sleep(500);
            const items = answer.data?.items;
            expect(
              !Array.isArray(items) || items.length === 0,
              `${summary}: ${String(JSON.stringify(items)).slice(0, 80)}`,
            );
            tryCount += 1;
          }
        }
      }
      return `${tryCount} reads, no row, no failure`;
    },
  },
  {
    name: "hidden-names",
    tries: "names with right-to-left marks, zero width and control characters",
    expected: "refused, or stored without them",
    run: async (instance) => {
      const { token } = await instance.person();
      const marks = /[\p{Cc}\u200e\u200f\u2028\u202a-\u202e\u2066-\u2069\ufeff]/u;
      let refusedCount = 0;
      const names = [
        "\u202egnp.exe",
        "a\u2066b\u2069",
        "a\nb",
        "\ufeffx",
        "a\u001b[31mb",
        "\u0000",
        "x\u2028y",
        "a\u200fb\u061c",
      ];
      for (const [index, name] of names.entries()) {
        const address = encodeAddress("peth", new Uint8Array(20).fill(index + 1));
        const input = { name, address };
        const answer = await instance.ask({
          method: "POST",
          path: "/api/user/addAddress",
          input,
          token,
        });
        if (answer.error === null) {
          const storedName = String(answer.data?.name);
          expect(!marks.test(storedName), `kept ${JSON.stringify(storedName)}`);
        } else refusedCount += 1;
        expect(answer.status < 500, `${answer.status}`);
      }
      return `${refusedCount} of ${names.length} refused, the others stored without`;
    },
  },
];
