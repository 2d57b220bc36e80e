import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "#core/addresses/address.ts";
import { expect } from "../expect.ts";
import { type Answer, getData } from "../http.ts";
import type { Probe } from "../probe.ts";
import type { Person, TestInstance } from "../testInstance.ts";

const createOutsideAddress = () => encodeAddress("peth", randomBytes(20));

async function receiveAddress(instance: TestInstance, { token }: Person): Promise<string> {
  const path = "/api/user/getReceiveAddress?coin=pUSDT";
  return getData<{ address: string }>(await instance.ask({ path, token })).address;
}

function withdraw(instance: TestInstance, person: Person) {
  const input = { coin: "pUSDT", amount: "25", address: createOutsideAddress() };
  return instance.change(person, "/api/user/withdraw", input);
}

/** Errors that count as answers: the attempt was refused, and nothing failed. */
const refusals =
  /^(ledger|attempts|withdraw|exchange|send|session|account|pin|request\.too_many|contracts)/;

function requireAnswered(answers: readonly Answer[]): string {
  const names = new Map<string, number>();
  for (const { error, status, durationMs } of answers) {
    const name = error ?? "done";
    expect(
      error === null || refusals.test(error),
      `${status} ${error} after ${durationMs.toFixed(0)} ms`,
    );
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  return [...names].map(([name, times]) => `${times} ${name}`).join(", ");
}

async function requireHealthy(instance: TestInstance): Promise<void> {
  const { status, text } = await instance.ask({ path: "/api/health" });
  expect(
    status === 200 && text.includes('"ready":true'),
    `health: ${status} ${text.slice(0, 200)}`,
  );
}

/** Returns the output of `npm run audit`, or its error message. */
function audit({ data }: TestInstance): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", DRYDOCK_DATA: data, WORLD: "probes" };
  const file = join(import.meta.dirname, "../../verify/audit.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { env, timeout: 45_000 }, (error, out, failure) => {
      resolve(error ? `${out}${failure}`.trim().slice(0, 300) || error.message : out.trim());
    });
  });
}

export const contentionProbes: readonly Probe[] = [
  {
    name: "money-flood",
    tries: "120 payments at once by six people who have withdrawals waiting, at the accept lock",
    expected: "each is answered by name within 10 s, and the feed goes on",
    run: async (instance) => {
      const people = await Promise.all(Array.from({ length: 6 }, () => instance.person()));
      await Promise.all(people.map((person) => withdraw(instance, person)));
      const address = await receiveAddress(instance, await instance.person());
      const input = { coin: "pUSDT", address, amount: "20" };
      const requests = Array.from({ length: 120 }, (_, index) =>
        instance.change(people[index % 6]!, "/api/user/send", input),
      );
      const answers = await Promise.all(requests);
      const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
      const summary = requireAnswered(answers);
      expect(slowestMs < 10_000, `slowest ${slowestMs.toFixed(0)} ms`);
      await requireHealthy(instance);
      return `${summary}; slowest ${slowestMs.toFixed(0)} ms`;
    },
  },
  {
    name: "pin-flood",
    tries: "40 PINs set at once by each of three people, while another pays with theirs",
    expected: "the flood is refused by its limit, the payment goes through within 10 s",
    run: async (instance) => {
      const payer = await instance.person();
      const address = await receiveAddress(instance, await instance.person());
      const request = { method: "POST", path: "/api/user/setPin", input: { pin: "735519" } };
      instance.secrets.add("735519");
      getData(await instance.ask({ ...request, token: payer.token }));
      const flooders = await Promise.all(Array.from({ length: 3 }, () => instance.person()));
      const flood = flooders.flatMap(({ token }) =>
        Array.from({ length: 40 }, (_, index) =>
          instance.ask({ ...request, input: { pin: String(100_000 + index) }, token }),
        ),
      );
      await sleep(200);
      const input = { coin: "pUSDT", address, amount: "20", pin: "735519" };
      const paid = await instance.change(payer, "/api/user/send", input);
      const summary = `${paid.status} ${paid.error ?? "paid"} after ${paid.durationMs.toFixed(0)} ms`;
      expect(paid.error === null && paid.durationMs < 10_000, summary);
      const set = (await Promise.all(flood)).filter(({ error }) => error === null).length;
      expect(set <= 18, `${set} of 120 PINs were set`);
      return `${set} of 120 set; ${summary}`;
    },
  },
  {
    name: "races",
    tries:
      "starting over, withdrawing, cancelling, sending, exchanging and deleting at once, 50 each time",
    expected:
      "every call is answered by name, no balance is below zero, and the ledger's audit finds nothing",
    run: async (instance) => {
      const payee = await receiveAddress(instance, await instance.person());
      const answers: Answer[] = [];
      for (const ending of ["startOver", "deleteAccount"]) {
        const person = await instance.person();
        const { token } = person;
        const path = "/api/user/getWithdrawTerms?coin=pUSDT";
        const { attempt_id } = getData(await instance.ask({ path, token }));
        const withdrawal = getData(await withdraw(instance, person));
        const quoted = { from: "pUSDT", to: "pBTC", amount: "3000" };
        const quote = { method: "POST", path: "/api/user/quoteExchange", input: quoted, token };
        const { quote_id } = getData(await instance.ask(quote));
        const end = {
          startOver: () => instance.change(person, "/api/user/startOver", { attempt_id }),
          deleteAccount: () => {
            const input = { word: "delete", receipt_id: crypto.randomUUID() };
            return instance.ask({ method: "POST", path: "/api/user/deleteAccount", input, token });
          },
        }[ending]!;
        const send = { coin: "pUSDT", address: payee, amount: "2400" };
        const cancel = { withdrawal_id: withdrawal.withdrawal_id };
        const makers = [
          () => instance.change(person, "/api/user/send", send),
          () => withdraw(instance, person),
          () => instance.change(person, "/api/user/cancelWithdraw", cancel),
          () => instance.change(person, "/api/user/exchangeCoin", { quote_id }),
        ];
        const others = Array.from({ length: 48 }, (_, index) => makers[index % makers.length]!);
        const makersInOrder = [...others.slice(0, 20), end, end, ...others.slice(20)];
        answers.push(...(await Promise.all(makersInOrder.map((make) => make()))));
      }
      const summary = requireAnswered(answers);
      await requireHealthy(instance);
      const report = await audit(instance);
      expect(report.includes("The ledger adds up."), report);
      return `${summary}; the ledger adds up`;
    },
  },
];
