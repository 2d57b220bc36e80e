import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "#core/addresses/address.ts";
import { correctChoices } from "#core/lesson/scenes.ts";
import { createClient, signIn } from "#server/testing/client.ts";
import { elevate } from "../crash/mixes/console.ts";
import { createHolder, type Holder } from "../probes/holder.ts";
import { getData } from "../probes/http.ts";
import type { Person, TestInstance } from "../probes/testInstance.ts";

/** Calls of one person, whose answers must be successes. */
function getCalls(instance: TestInstance, person: { userId: string; token: string }) {
  const { token } = person;
  return {
    get: async <Data = Record<string, unknown>>(path: string) =>
      getData<Data>(await instance.ask({ path, token })),
    post: async <Data = Record<string, unknown>>(path: string, input: object) =>
      getData<Data>(await instance.ask({ method: "POST", path, input, token })),
    change: async <Data = Record<string, unknown>>(path: string, input: object) =>
      getData<Data>(await instance.change(person, path, input)),
  };
}

/**
 * Creates people who performed every action that leaves rows: they started over, ended a lease
 * early, redeemed, cancelled, invited each other, set limits; and an owner who published,
 * suspended, paid immediately and viewed people's pages. The first `count` are those whose receipts
 * are checked afterwards.
 */
export async function recordFirstActions(instance: TestInstance, count: number): Promise<Holder[]> {
  const people: Holder[] = [];
  for (let index = 0; index < count; index += 1) people.push(await createHolder(instance));
  const [first] = people as [Holder];
  await setOwnSettings(instance, first);
  await invite(instance, first);
  await cancelWithdrawal(instance, first);
  for (const person of people) await exchange(instance, person);
  await deleteAccount(instance);
  await startOver(instance);
  await actAsOperator(instance, first);
  return people;
}

/** Performs the actions that need time to pass first: redeeming units, returning days. */
export async function recordLaterActions(
  instance: TestInstance,
  people: readonly Holder[],
): Promise<void> {
  for (const person of people) {
    const { get, change } = getCalls(instance, person);
    const order = await get<{ product_id?: string; pool_id?: string }>(
      `/api/pledge/findOrder?order_id=${person.ids.get("pledge order_id")}`,
    );
    const product = order.product_id ?? order.pool_id;
    await change("/api/pledge/redeem", { product_id: product, units: "all" });
    await placeOrders(instance, person);
    await getCalls(instance, person).post("/api/record/createReceiptLink", {
      secret: randomBytes(16).toString("base64url"),
      kind: "contract",
      order_id: person.ids.get("contract order_id"),
    });
  }
  const [first] = people as [Holder];
  const { get, change } = getCalls(instance, first);
  const leaseId = first.ids.get("machine lease_id");
  const { end_now: end } = await get<{ end_now: { unused_days: number } | null }>(
    `/api/machine/findLease?lease_id=${leaseId}`,
  );
  if (end)
    await change("/api/machine/endLease", { lease_id: leaseId, unused_days: end.unused_days });
}

/** Sets limits, read marks and other settings of a person. */
async function setOwnSettings(instance: TestInstance, person: Holder): Promise<void> {
  const { get, post } = getCalls(instance, person);
  await post("/api/contract/followContract", { contract_id: "btc-usdt", follow: true });
  await post("/api/contract/setLossLimit", { daily_loss_limit: "900" });
  await post("/api/contract/setLossLimit", { daily_loss_limit: "1200" });
  const inbox = await get<{ before: string | null }>("/api/record/getInbox");
  if (inbox.before) await post("/api/record/markInboxRead", { position: inbox.before });
  await post("/api/index/reportError", {
    type: "manual",
    code: "trial",
    message: "a trial",
    page_url: "/home",
  }).catch(() => {});
}

/** Signs up a person who joins by another's code and finishes the lesson, which rewards both. */
async function invite(instance: TestInstance, inviter: Person): Promise<void> {
  const { code } = await getCalls(instance, inviter).get<{ code: string }>(
    "/api/user/getInviteInfo",
  );
  const client = createClient({ port: instance.port, localAddress: instance.network() });
  const joined = await signIn(client, undefined, code);
  client.close();
  const { post } = getCalls(instance, joined);
  await post("/api/user/answerInvite", { answer: "yes" }).catch(() => {});
  await post("/api/lesson/finishLesson", { run_id: randomUUID(), answers: correctChoices });
  await post("/api/user/setPin", { pin: "472913" });
}

async function exchange(instance: TestInstance, person: Person): Promise<void> {
  const { post, change } = getCalls(instance, person);
  const params = { from: "pUSDT", to: "pETH", amount: "40" };
  const { quote_id } = await post<{ quote_id: string }>("/api/user/quoteExchange", params);
  await change("/api/user/exchangeCoin", { quote_id });
}

/** Signs up a person who deletes the account again. */
async function deleteAccount(instance: TestInstance): Promise<void> {
  const person = await instance.person();
  await placeOrders(instance, person);
  await getCalls(instance, person).post("/api/user/deleteAccount", {
    word: "delete",
    receipt_id: randomUUID(),
  });
}

async function withdraw(instance: TestInstance, person: Person): Promise<string> {
  const address = encodeAddress("peth", randomBytes(20));
  const input = { coin: "pUSDT", amount: "30", address };
  const answer = await getCalls(instance, person).change<{ withdrawal_id: string }>(
    "/api/user/withdraw",
    input,
  );
  return answer.withdrawal_id;
}

async function cancelWithdrawal(instance: TestInstance, person: Person): Promise<void> {
  const withdrawalId = await withdraw(instance, person);
  await getCalls(instance, person).change("/api/user/cancelWithdraw", {
    withdrawal_id: withdrawalId,
  });
}

/** Signs up a person who starts over with open orders and a pending withdrawal. */
async function startOver(instance: TestInstance): Promise<void> {
  const person = await instance.person();
  const { get, change } = getCalls(instance, person);
  await placeOrders(instance, person);
  await withdraw(instance, person);
  const { items } = await get<{ items: { attempt_id: string }[] }>("/api/user/getAttempts");
  await change("/api/user/startOver", { attempt_id: items[0]!.attempt_id });
}

/** Performs the operator's actions: on texts and offers, on switches, and on people. */
async function actAsOperator(instance: TestInstance, person: Person): Promise<void> {
  const { owner } = instance;
  const client = createClient({ port: instance.port, localAddress: "127.0.4.3" });
  await elevate(owner, client.call, new Set());
  client.close();
  const { get, change } = getCalls(instance, owner);
  await publish(instance, "news", randomUUID(), 0, {
    languages: { en: { title: "A note", summary: "Of the trial.", body: "Nothing to see here." } },
  });
  const withdrawn = randomUUID();
  const note = { title: "Another note", summary: "Of the trial.", body: "Withdrawn again." };
  await publish(instance, "news", withdrawn, 0, { languages: { en: note } });
  const { revision } = await get<{ revision: number }>(
    `/api/operator/publishing/news/read?id=${withdrawn}`,
  );
  await change("/api/operator/publishing/news/withdraw", { id: withdrawn, revision });
  const machines = await get<{ items: { id: string }[] }>(
    "/api/operator/publishing/machine/list?state=published&page_size=1",
  );
  const { published } = await get<{ published: object }>(
    `/api/operator/publishing/machine/read?id=${machines.items[0]!.id}`,
  );
  const body = { ...published, product_id: "trial-machine", model: "Trial machine" };
  await publish(instance, "machine", randomUUID(), 0, body);
  for (const close of [false, true]) {
    const { link } = await change<{ link: { class_id: string } }>("/api/operator/class/makeLink", {
      label: "A class",
      limit: 30,
      expires_at_ms: Date.now() + 86_400_000,
    });
    if (close) await change("/api/operator/class/closeLink", { class_id: link.class_id });
  }
  for (const on of [false, true]) await change("/api/operator/class/setContracts", { on });
  await change("/api/operator/class/setSignUp", { sign_up: "class_links", was: "open" });
  await change("/api/operator/class/setSignUp", { sign_up: "open", was: "class_links" });
  const otherPerson = await instance.person();
  for (const suspended of [true, false, true])
    await change("/api/operator/people/setSuspended", {
      ...{ user_id: otherPerson.userId, suspended, why: "The trial." },
    });
  const paidWithdrawal = await withdraw(instance, person);
  await change("/api/operator/people/payNow", { withdrawal_id: paidWithdrawal, why: "The trial." });
  const { code } = await getCalls(instance, person).post<{ code: string }>(
    "/api/user/makeViewCode",
    {},
  );
  await change("/api/operator/people/openViewing", { code });
  await getCalls(instance, person).post("/api/user/makeViewCode", {});
  await change("/api/operator/inviteOperator", {
    role: "auditor",
    code_hash: randomBytes(32).toString("hex"),
  });
}

async function publish(
  instance: TestInstance,
  kind: string,
  id: string,
  revision: number,
  body: object,
): Promise<void> {
  const { get, change } = getCalls(instance, instance.owner);
  const path = (call: string) => `/api/operator/publishing/${kind}/${call}`;
  const saved = await change<{ revision: number }>(path("save"), { id, revision, body });
  await change(path("publish"), { id, revision: saved.revision, at_ms: null });
  for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 200) {
    const { version } = await get<{ version: number }>(`${path("read")}?id=${id}`);
    if (version > 0) return;
    await sleep(200);
  }
  throw new Error(`The ${kind} was not published.`);
}

/** Places two orders, up and down, on the shortest tier. */
async function placeOrders(instance: TestInstance, person: Person): Promise<void> {
  const { get, change } = getCalls(instance, person);
  const { terms } = await get<{ terms: { terms_hash: string } }>(
    "/api/contract/getContractDetails?contract_id=btc-usdt",
  );
  for (const direction of ["up", "down"])
    await change("/api/contract/contractPlaceOrder", {
      contract_id: "btc-usdt",
      direction,
      stake: "15",
      tier: 60,
      terms_hash: terms.terms_hash,
    });
}
