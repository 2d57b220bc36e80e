/**
 * `npm run trial -- repeats [--url http://127.0.0.1:8080] [--requests 10000]`: generates money
 * requests (withdrawals, cancellations, sends, exchanges, some of them invalid), sends each five
 * times in random order over several connections, and compares the effects with those of sending
 * each once. Ends with `10000 requests, each sent 5 times: 10000 one effect, 0 otherwise`; exit
 * status 1 if any differs. For a test instance that runs at speed 1; load goes to 127.0.0.1 only.
 */
import { randomBytes, randomInt } from "node:crypto";
import { availableParallelism, cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "#core/addresses/address.ts";
import {
  ApiError,
  type Client,
  createClient,
  NoAnswerError,
  newKey,
  signIn,
  type TestSession,
} from "#server/testing/client.ts";
import { openInstance } from "../lib/instance.ts";
import { parseOptions } from "../lib/options.ts";

const { values } = parseOptions(
  {
    options: {
      url: { type: "string" },
      requests: { type: "string", default: "10000" },
      people: { type: "string", default: "200" },
      connections: { type: "string", default: "8" },
    },
  },
  "npm run trial -- repeats [--url http://127.0.0.1:8080] [--requests 10000] [--people 200] [--connections 8]",
);
const instance = await openInstance(values.url);
const requests = Number(values.requests);
const times = 5;
/** Sign-ins allowed per network address and minute. */
const signInsPerAddress = 50;
const unit = 1_000_000n;
const start = 10_000n * unit;

interface Person extends TestSession {
  address: string;
}

interface Request {
  kind: "withdraw" | "cancel" | "send" | "exchange";
  person: Person;
  input: Record<string, string>;
  key: string;
  /** The answer to each attempt: data as text, or the error name. */
  answers: string[];
  /** Records the effect in what is expected; called once per request. */
  settle: (data: Record<string, string>) => void;
}

const paths = {
  withdraw: "/api/user/withdraw",
  cancel: "/api/user/cancelWithdraw",
  send: "/api/user/send",
  exchange: "/api/user/exchangeCoin",
};
const clients = Array.from({ length: Number(values.connections) }, (_, index) =>
  createClient({ port: instance.port, connections: 4, localAddress: `127.0.1.${index + 1}` }),
);
/** Available balance each person should end with, in minor units. */
const expected = new Map<string, bigint>();
const placedWithdrawals: { person: Person; id: string; amount: bigint }[] = [];

async function runConcurrently(
  count: number,
  width: number,
  work: (at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const swapIndex = randomInt(index + 1);
    [items[index], items[swapIndex]] = [items[swapIndex] as Item, items[index] as Item];
  }
  return items;
}

async function createPeople(count: number): Promise<Person[]> {
  const people: Person[] = [];
  await runConcurrently(count, 4, async (index) => {
    const localAddress = `127.0.2.${Math.floor(index / signInsPerAddress) + 1}`;
    const client = createClient({ port: instance.port, localAddress });
    const person = await retrying(() => signIn(client));
    const { address } = await retrying(() =>
      client.call<{ address: string }>({
        method: "GET",
        path: "/api/user/getReceiveAddress",
        input: { coin: "pUSDT" },
        token: person.token,
      }),
    );
    people.push({ ...person, address });
    expected.set(person.userId, start);
    client.close();
  });
  return people;
}

/** Retries while the outcome is undecided: no answer, or an error that does not use up the key. */
async function retrying<Data>(ask: () => Promise<Data>): Promise<Data> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const passing =
        error instanceof NoAnswerError ||
        (error instanceof ApiError && error.error === "request.too_many");
      if (!passing || tries > 200) throw error;
      await sleep(100 + randomInt(400));
    }
  }
}

function change(person: Person, by: bigint): void {
  expected.set(person.userId, (expected.get(person.userId) as bigint) + by);
}

const pickPerson = (people: Person[]) => people[randomInt(people.length)] as Person;

/**
 * Nine in ten are valid; the others are refused by rule, an answer that must be repeated as well.
 */
function createFirstRequest(people: Person[]): Request {
  const person = pickPerson(people);
  const recipient = pickPerson(people.filter((item) => item !== person));
  const amount = BigInt(randomInt(20, 40));
  const isValid = randomInt(10) > 0;
  const text = isValid ? String(amount) : "3.5";
  const common = { person, key: newKey(), answers: [] };
  if (randomInt(10) < 7) {
    const address = encodeAddress("peth", randomBytes(20));
    return {
      ...common,
      kind: "withdraw",
      input: { coin: "pUSDT", amount: text, address },
      settle: ({ withdrawal_id: id, amount: cancelledAmount }) => {
        change(person, -BigInt(cancelledAmount as string) * unit);
        placedWithdrawals.push({
          person,
          id: id as string,
          amount: BigInt(cancelledAmount as string) * unit,
        });
      },
    };
  }
  const address = isValid ? recipient.address : encodeAddress("pbtc", randomBytes(20));
  return {
    ...common,
    kind: "send",
    input: { coin: "pUSDT", amount: String(amount), address },
    settle: () => {
      change(person, -amount * unit);
      change(recipient, amount * unit);
    },
  };
}

function createCancel({ person, id, amount }: (typeof placedWithdrawals)[number]): Request {
  return {
    kind: "cancel",
    person,
    key: newKey(),
    answers: [],
    input: { withdrawal_id: id },
    settle: () => change(person, amount),
  };
}

/** Exchanges at quotes requested now; one in ten names a quote that was never given. */
async function createExchanges(people: Person[], count: number): Promise<Request[]> {
  const requests: Request[] = [];
  await runConcurrently(count, 8, async (index) => {
    const person = people[index % people.length] as Person;
    const amount = randomInt(20, 40);
    const { quote_id: quoteId } = await retrying(() =>
      (clients[index % clients.length] as Client).call<{ quote_id: string }>({
        method: "POST",
        path: "/api/user/quoteExchange",
        input: { from: "pUSDT", to: "pBTC", amount: String(amount) },
        token: person.token,
      }),
    );
    requests.push({
      kind: "exchange",
      person,
      key: newKey(),
      answers: [],
      input: { quote_id: randomInt(10) > 0 ? quoteId : newKey() },
      settle: () => change(person, -BigInt(amount) * unit),
    });
  });
  return requests;
}

/** Sends each request five times, shuffled, over all connections. */
async function sendAll(requestList: Request[]): Promise<void> {
  const tries = shuffled(
    requestList.flatMap((request) => Array.from({ length: times }, () => request)),
  );
  await runConcurrently(tries.length, clients.length * 4, async (index) => {
    const request = tries[index] as Request;
    const client = clients[randomInt(clients.length)] as Client;
    const { kind, input, key, person } = request;
    const answer = await retrying(() =>
      client
        .call({ method: "POST", path: paths[kind], input, token: person.token, key })
        .then((data) => JSON.stringify(data))
        .catch((error) => {
          if (error instanceof ApiError && error.error !== "request.too_many") return error.error;
          throw error;
        }),
    );
    request.answers.push(answer);
  });
}

/** Requests whose answers are not all the same. */
function findDiffering(requestList: Request[]): Request[] {
  for (const { answers, settle } of requestList) {
    const [first] = answers;
    if (first?.startsWith("{")) settle(JSON.parse(first) as Record<string, string>);
  }
  return requestList.filter(
    ({ answers }) => answers.length !== times || new Set(answers).size !== 1,
  );
}

/** Number of people whose available balance differs from what single effects would have left. */
async function compareBalances(people: Person[]): Promise<number> {
  let wrongCount = 0;
  const client = clients[0] as Client;
  for (const person of people) {
    const { items } = await retrying(() =>
      client.call<{ items: { coin: string; available: string }[] }>({
        method: "GET",
        path: "/api/user/getWalletList",
        token: person.token,
      }),
    );
    const available = items.find(({ coin }) => coin === "pUSDT")?.available ?? "";
    if (available !== String((expected.get(person.userId) as bigint) / unit)) {
      wrongCount += 1;
      console.error(`${person.userId} has ${available}, not ${expected.get(person.userId)}`);
    }
  }
  return wrongCount;
}

const people = await createPeople(Number(values.people));
const begunMs = performance.now();
const cancels = Math.floor(requests / 5);
const exchanges = Math.floor(requests / 10);
const first = Array.from({ length: requests - cancels - exchanges }, () =>
  createFirstRequest(people),
);
const cancelled: Request[] = [];
const exchanged: Request[] = [];
const differing: Request[] = [];
// In batches, so that withdrawals to be cancelled are still waiting.
for (let index = 0; index < first.length; index += 1_000) {
  const portion = first.slice(index, index + 1_000);
  await sendAll(portion);
  differing.push(...findDiffering(portion));
  const count = Math.min(300, cancels - cancelled.length);
  const some = shuffled(placedWithdrawals.splice(0)).slice(0, count).map(createCancel);
  await sendAll(some);
  differing.push(...findDiffering(some));
  cancelled.push(...some);
}
// Few at a time, so that each is sent while its quote is firm.
while (exchanged.length < exchanges) {
  const some = await createExchanges(people, Math.min(100, exchanges - exchanged.length));
  await sendAll(some);
  differing.push(...findDiffering(some));
  exchanged.push(...some);
}
const seconds = (performance.now() - begunMs) / 1_000;
const requestList = [...first, ...cancelled, ...exchanged];
for (const { kind, answers } of differing.slice(0, 5)) console.error(kind, answers);
const wrongBalances = await compareBalances(people);
for (const client of clients) client.close();
await instance.release();
const refusedCount = requestList.filter(({ answers }) => !answers[0]?.startsWith("{")).length;
console.log(
  `${cpus()[0]?.model.trim()}, ${availableParallelism()} processors; ${people.length} people, ${clients.length} clients of 4 connections; ` +
    `${cancelled.length} cancellations, ${exchanged.length} exchanges, ${refusedCount} refused by rule; ${Math.round((requestList.length * times) / seconds)} requests/s`,
);
console.log(`${people.length} balances, ${wrongBalances} differ from single effects`);
console.log(
  `${requestList.length} requests, each sent ${times} times: ${requestList.length - differing.length} one effect, ${differing.length} otherwise`,
);
process.exitCode = differing.length + wrongBalances > 0 || requestList.length === 0 ? 1 : 0;
