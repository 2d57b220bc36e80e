import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Call } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { exportRecords } from "#api/records.ts";
import { minuteMs } from "#core/money/time.ts";
import type { World } from "#server/app/modules.ts";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";
import { createPublicationCheck } from "#server/transparency-log/publicationCheck.ts";

/** Helping people at the console, in a whole world. */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let people: People;
let owner: TestPerson;
let support: TestPerson;
let otherPerson: TestPerson;

beforeAll(async () => {
  ({ ctx, world, app, people, close } = await createTestApp());
  owner = await people.operator("owner");
  support = await people.operator("support", owner);
  otherPerson = await people.operator("support", owner);
  await seconds(4);
});
afterAll(() => close());

let elapsedSeconds = 0;
async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    elapsedSeconds += 1;
    ctx.clock.advanceTo(testStartMs + elapsedSeconds * 1_000);
    ctx.realClock.advanceMs(1_000);
    await world.services.market.feed.tick();
  }
  await world.services.transparencyLog.integrate();
}

const getUserCall = (name: string) => getCall(`/api/user/${name}`);
const console_ = (name: string) => getCall(`/api/operator/people/${name}`);
const reason = "They asked for it";
const patience = { timeout: 10_000 };

/** The outcome: the name of the error, or `done`. */
async function getOutcome(call: Call, payload: object, who: TestPerson): Promise<string> {
  const answer = await people.ask(call, payload as Record<string, unknown>, who.token);
  return String(answer.json().error ?? "done");
}

async function acts(
  testPerson: TestPerson,
): Promise<{ role: string; what: string; why: string }[]> {
  const { items } = await people.data(
    getUserCall("getTransferRecord"),
    { page_size: "50" },
    testPerson.token,
  );
  return items.flatMap(({ act }: { act: { role: string; what: string; why: string } | null }) =>
    act ? [act] : [],
  );
}

async function getViewing(testPerson: TestPerson, by = support): Promise<string> {
  const { code } = await people.data(getUserCall("makeViewCode"), {}, testPerson.token);
  ctx.realClock.advanceMs(60_000);
  return (await people.data(console_("openViewing"), { code }, by.token)).viewing_id;
}

async function askWithdrawal(testPerson: TestPerson, amount: string): Promise<string> {
  const { address } = await people.data(
    getUserCall("getReceiveAddress"),
    { coin: "pUSDT" },
    owner.token,
  );
  const params = { coin: "pUSDT", address, amount };
  return (await people.data(getUserCall("withdraw"), params, testPerson.token)).withdrawal_id;
}

describe("looking up a person by id", () => {
  test("an operator sees only that the account exists, and the person is notified", async () => {
    const person = await people.signIn();
    const foundPerson = await people.data(
      console_("find"),
      { user_id: person.userId },
      support.token,
    );
    expect(Object.keys(foundPerson).toSorted()).toEqual([
      "sessions",
      "since_ms",
      "suspended_at_ms",
      "user_id",
    ]);
    expect(foundPerson).toMatchObject({
      user_id: person.userId,
      sessions: 1,
      suspended_at_ms: null,
    });
    expect(await acts(person)).toEqual([
      { role: "Support", what: "Account looked up by its ID", why: "No reason given" },
    ]);
  });

  test("an unknown id is refused", async () => {
    expect(await getOutcome(console_("find"), { user_id: randomUUID() }, support)).toBe(
      "people.unknown",
    );
  });
});

describe("person codes", () => {
  const open = (code: string, who = support) => getOutcome(console_("openViewing"), { code }, who);

  test("a person code opens the pages once, to one operator", async () => {
    const person = await people.signIn();
    const { code } = await people.data(getUserCall("makeViewCode"), {}, person.token);
    const asTyped = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
    const viewing = await people.data(console_("openViewing"), { code: asTyped }, support.token);
    expect(viewing.person.user_id).toBe(person.userId);
    expect(viewing.ends_at_ms - viewing.now_ms).toBe(30 * 60_000);
    expect(await open(code)).toBe("people.code_unknown");
    const id = { viewing_id: viewing.viewing_id };
    expect(await getOutcome(console_("getWallet"), id, support)).toBe("done");
    expect(await getOutcome(console_("getWallet"), id, otherPerson)).toBe("people.viewing_over");
    expect(await getOutcome(console_("findViewing"), id, owner)).toBe("people.viewing_over");
  });

  test("a code used by two operators concurrently admits one", async () => {
    ctx.realClock.advanceMs(60_000);
    const person = await people.signIn();
    const { code } = await people.data(getUserCall("makeViewCode"), {}, person.token);
    const answers = await Promise.all([open(code, support), open(code, otherPerson)]);
    expect(answers.toSorted()).toEqual(["done", "people.code_unknown"]);
  });

  test("a repeated request with the same key returns the first viewing", async () => {
    ctx.realClock.advanceMs(60_000);
    const person = await people.signIn();
    const { code } = await people.data(getUserCall("makeViewCode"), {}, person.token);
    const send = () =>
      app.inject({
        method: "POST",
        url: console_("openViewing").path,
        headers: { host: "localhost:4100", token: support.token, "idempotency-key": key },
        payload: { code },
      });
    const key = newKey();
    const first = (await send()).json().data.viewing_id;
    ctx.realClock.advanceMs(1_000);
    expect((await send()).json().data.viewing_id).toBe(first);
    expect(await acts(person)).toHaveLength(1);
  });

  test("only the newest code is valid, for ten minutes", async () => {
    ctx.realClock.advanceMs(60_000);
    const person = await people.signIn();
    const make = async () =>
      (await people.data(getUserCall("makeViewCode"), {}, person.token)).code;
    const first = await make();
    const second = await make();
    expect(await open(first)).toBe("people.code_unknown");
    ctx.realClock.advanceMs(10 * 60_000);
    expect(await open(second)).toBe("people.code_unknown");
  });

  test("guessing codes is rate limited", async () => {
    ctx.realClock.advanceMs(600_000);
    const answers: string[] = [];
    for (let attempt = 0; attempt < 14; attempt += 1)
      answers.push(await open("3467 9ACD", otherPerson));
    expect(answers.slice(0, 10)).toEqual(Array(10).fill("people.code_unknown"));
    expect(answers.at(-1)).toBe("request.too_many");
  });

  test("a code is not stored in clear text", async () => {
    const person = await people.signIn();
    const { code } = await people.data(getUserCall("makeViewCode"), {}, person.token);
    const { rows } = await ctx.owner.pool.query("select p::text as row from person_code p");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows).toUpperCase()).not.toContain(code);
  });
});

describe("a viewing", () => {
  test("a viewing shows the person's own balances, orders and records", async () => {
    const person = await people.signIn();
    await askWithdrawal(person, "100");
    const viewing_id = await getViewing(person);
    const readSection = (name: string) =>
      people.data(console_(name), { viewing_id }, support.token);
    const { wallet, attempt_number } = await readSection("getWallet");
    expect(attempt_number).toBe(1);
    const ownWallet = await people.data(getUserCall("getWalletList"), {}, person.token);
    expect(wallet.items).toEqual(ownWallet.items);
    for (const name of ["getContractOrders", "getHostingOrders", "getLeases"]) {
      expect((await readSection(name)).items).toEqual([]);
    }
    const withdrawals = await readSection("getWithdrawals");
    expect(withdrawals.items).toMatchObject([{ amount: "100", state: "waiting" }]);
    const records = await readSection("getRecords");
    expect(records.items.map(({ type }: { type: string }) => type)).toContain("attempt.start");
    const account = await readSection("getAccount");
    expect(account.sessions).toHaveLength(1);
    expect(account.identity).toEqual({ status: "none", outcome: null });
  });

  test("a viewing shows no address, no reason and nothing encrypted", async () => {
    const person = await people.signIn();
    const id = await askWithdrawal(person, "50");
    await people.raise(support);
    await people.data(
      console_("payNow"),
      { withdrawal_id: id, why: "A very private reason" },
      support.token,
    );
    const viewing_id = await getViewing(person);
    let allText = "";
    for (const call of calls.filter(({ path }) => path.startsWith("/api/operator/people/get"))) {
      allText += (await people.ask(call, { viewing_id }, support.token)).body;
    }
    expect(allText).toContain(id);
    expect(allText).not.toMatch(/p(?:eth|tron|btc)1[0-9a-z]{20}|0x[0-9a-fA-F]{40}|private reason/);
  });

  test("a viewing is recorded on opening, and each of its parts on first access", async () => {
    const person = await people.signIn();
    const viewing_id = await getViewing(person);
    for (const page of ["1", "2", "1"]) {
      await people.data(console_("getRecords"), { viewing_id, page }, support.token);
    }
    await people.data(console_("getWallet"), { viewing_id }, support.token);
    expect((await acts(person)).map(({ what }) => what)).toEqual([
      "Wallet viewed",
      "Records viewed",
      "Pages opened with the person’s code",
    ]);
  });

  test("a person is notified once of each action, and not when it is repeated", async () => {
    const person = await people.signIn();
    let notifiedCount = 0;
    const stop = ctx.bus.subscribe("person.touched", ({ userId }) => {
      if (userId === person.userId) notifiedCount += 1;
    });
    await people.data(console_("find"), { user_id: person.userId }, support.token);
    expect(notifiedCount).toBe(1);
    const viewing_id = await getViewing(person);
    await people.data(console_("getWallet"), { viewing_id }, support.token);
    expect(notifiedCount).toBe(3);
    stop();
  });

  test("a person is notified of a viewing and can end it at any time", async () => {
    const person = await people.signIn();
    const changes: (number | null)[] = [];
    const stop = ctx.bus.subscribe("viewing.changed", ({ userId, untilMs }) => {
      if (userId === person.userId) changes.push(untilMs);
    });
    const viewing_id = await getViewing(person);
    const before = await people.data(getUserCall("getViewings"), {}, person.token);
    expect(before.items).toMatchObject([{ viewing_id, role: "support" }]);
    const userInfo = await people.data(getUserCall("userinfo"), {}, person.token);
    expect(userInfo.viewed_until_ms).toBe(before.items[0].ends_at_ms);
    await expect.poll(() => changes, patience).toEqual([before.items[0].ends_at_ms]);
    expect(await people.data(getUserCall("endViewings"), {}, person.token)).toEqual({ ended: 1 });
    expect(await getOutcome(console_("getWallet"), { viewing_id }, support)).toBe(
      "people.viewing_over",
    );
    expect(await people.data(getUserCall("endViewings"), {}, person.token)).toEqual({ ended: 0 });
    const after = await people.data(getUserCall("userinfo"), {}, person.token);
    expect(after.viewed_until_ms).toBeNull();
    await expect.poll(() => changes, patience).toEqual([before.items[0].ends_at_ms, null, null]);
    stop();
  });

  test("a viewing ends after 30 minutes or when the operator closes it", async () => {
    const person = await people.signIn();
    const first = await getViewing(person);
    expect(await getOutcome(console_("closeViewing"), { viewing_id: first }, support)).toBe("done");
    expect(await getOutcome(console_("getWallet"), { viewing_id: first }, support)).toBe(
      "people.viewing_over",
    );
    const second = await getViewing(person);
    ctx.realClock.advanceMs(30 * 60_000);
    expect(await getOutcome(console_("getWallet"), { viewing_id: second }, support)).toBe(
      "people.viewing_over",
    );
  });

  test("a viewing is hidden from other people and erased with the account", async () => {
    const person = await people.signIn();
    await getViewing(person);
    const stranger = await people.signIn();
    expect((await people.data(getUserCall("getViewings"), {}, stranger.token)).items).toEqual([]);
    const exportedViewings = await world.services.people.viewings.exportFor(person.userId);
    expect(exportedViewings.json.viewings).toMatchObject([{ role: "support", parts: [] }]);
    await world.services.people.viewings.erase(person.userId);
    const { rows } = await ctx.owner.pool.query("select from person_viewing where user_id = $1", [
      person.userId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("sessions ended by an operator", () => {
  test("sessions end immediately, and the person may sign in again and sees why", async () => {
    const person = await people.signIn();
    await people.data(getUserCall("userinfo"), {}, person.token);
    await people.raise(support);
    const params = { user_id: person.userId, why: reason };
    const { ended, person: personAfter } = await people.data(
      console_("endSessions"),
      params,
      support.token,
    );
    expect([ended, personAfter.sessions]).toEqual([1, 0]);
    expect(await getOutcome(getUserCall("userinfo"), {}, person)).toBe("session.required");
    const newSession = await people.signIn(person.key);
    expect(newSession.userId).toBe(person.userId);
    expect(await acts(newSession)).toEqual([
      { role: "Support", what: "All sessions ended", why: reason },
    ]);
  });
});

describe("a suspended person", () => {
  const order = async (testPerson: TestPerson) => {
    const { terms } = (await world.services.contracts.catalogue.find("btc-usdt"))!;
    const params = { contract_id: "btc-usdt", direction: "up", stake: "10", tier: 300 };
    return getOutcome(
      getCall("/api/contract/contractPlaceOrder"),
      { ...params, terms_hash: terms.termsHash },
      testPerson,
    );
  };
  const stop = (testPerson: TestPerson, suspended: boolean, by = support) =>
    getOutcome(
      console_("setSuspended"),
      { user_id: testPerson.userId, suspended, why: reason },
      by,
    );

  test("a suspended person can sign in, read, export and withdraw only", async () => {
    const person = await people.signIn();
    await seconds(1);
    expect(await order(person)).toBe("done");
    await people.raise(support);
    expect(await stop(person, true)).toBe("done");
    expect(await getOutcome(getUserCall("userinfo"), {}, person)).toBe("session.required");
    const newSession = await people.signIn(person.key);
    await seconds(1);
    expect(await order(newSession)).toBe("session.suspended");
    for (const [path, input] of [
      ["/api/user/getWalletList", {}],
      ["/api/user/getTransferRecord", {}],
      ["/api/contract/getOrderList", {}],
    ] as const) {
      expect([path, await getOutcome(getCall(path), input, newSession)]).toEqual([path, "done"]);
    }
    const file = await people.ask(exportRecords, { format: "csv" }, newSession.token);
    expect(file.statusCode).toBe(200);
    const id = await askWithdrawal(newSession, "all");
    elapsedSeconds += 130;
    ctx.clock.advanceTo(testStartMs + elapsedSeconds * 1_000);
    await world.services.withdraw.leaveDue();
    const { items } = await people.data(getUserCall("getWithdrawList"), {}, newSession.token);
    expect(items).toMatchObject([{ withdrawal_id: id, outcome: "left" }]);
    await people.raise(support);
    expect(await stop(person, false)).toBe("done");
    await seconds(1);
    expect(await order(newSession)).not.toBe("session.suspended");
    const notifiedActions = (await acts(newSession)).map(({ what }) => what);
    expect(notifiedActions).toEqual(["New positions allowed again", "New positions stopped"]);
  }, 60_000);

  test("of two concurrent suspensions one is refused", async () => {
    const person = await people.signIn();
    await people.raise(support);
    await people.raise(otherPerson);
    const answers = await Promise.all([stop(person, true), stop(person, true, otherPerson)]);
    expect(answers.toSorted()).toEqual(["done", "people.changed_meanwhile"]);
    const newSession = await people.signIn(person.key);
    expect(await acts(newSession)).toHaveLength(1);
    const personView = await people.data(
      console_("find"),
      { user_id: person.userId },
      otherPerson.token,
    );
    expect(personView.suspended_at_ms).not.toBeNull();
  });
});

describe("a support link", () => {
  test("a support link must be published, and is removed when it is unpublished", async () => {
    const person = await people.signIn();
    await people.raise(owner);
    const set = (link_id: string | null) =>
      getOutcome(
        console_("setSupportLink"),
        { user_id: person.userId, link_id, why: reason },
        owner,
      );
    const url = "https://help.example.org/drydock";
    const id = randomUUID();
    const body = { url, languages: { en: { title: "Ask the club" } } };
    const publishing = (name: string) => getCall(`/api/operator/publishing/support_link/${name}`);
    expect(await set(id)).toBe("people.link_unknown");
    const savedDraft = await people.data(
      publishing("save"),
      { id, revision: 0, body },
      owner.token,
    );
    const publish = { id, revision: savedDraft.revision, at_ms: null };
    await people.data(publishing("publish"), publish, owner.token);
    await ctx.jobs.runNow("publishing.due");
    ctx.realClock.advanceMs(2_000);
    expect(await set(id)).toBe("done");
    const service = async () =>
      (await people.data(getUserCall("userinfo"), {}, person.token)).custom_service_url;
    expect(await service()).toBe(url);
    const { revision } = await people.data(publishing("read"), { id }, owner.token);
    await people.data(publishing("withdraw"), { id, revision }, owner.token);
    ctx.realClock.advanceMs(2_000);
    expect(await service()).toBeNull();
    expect(await set(null)).toBe("done");
    const notifiedActions = (await acts(person)).map(({ what }) => what);
    expect(notifiedActions).toEqual(["Support link removed", "Support link set"]);
  });
});

describe("paying a pending withdrawal early", () => {
  const pay = (withdrawal_id: string, by = support) =>
    getOutcome(console_("payNow"), { withdrawal_id, why: reason }, by);

  test("an early payment leaves in full immediately, and only once", async () => {
    const person = await people.signIn();
    const id = await askWithdrawal(person, "100");
    await people.raise(support);
    expect(await pay(id)).toBe("done");
    const withdrawal = await people.data(
      getUserCall("findWithdraw"),
      { withdrawal_id: id },
      person.token,
    );
    expect(withdrawal).toMatchObject({ outcome: "left", ended_by: "operator", amount: "100" });
    expect(withdrawal.act).toEqual({ role: "support", reason: reason });
    expect(await pay(id)).toBe("people.withdrawal_over");
    expect(await acts(person)).toEqual([
      { role: "Support", what: "Pending withdrawal paid early", why: reason },
    ]);
  });

  test("two concurrent early payments pay once, and the other is refused", async () => {
    const person = await people.signIn();
    const id = await askWithdrawal(person, "100");
    await people.raise(support);
    await people.raise(otherPerson);
    const { db, pool } = ctx.owner;
    const results = await db.transaction().execute(async (tx) => {
      await sql`select from withdrawal where id = ${id} for update`.execute(tx);
      const paying = Promise.all([pay(id), pay(id, otherPerson)]);
      // Both have read it as waiting, and now wait for its row.
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'tuple' and relation = 'withdrawal'::regclass`.execute(
          tx,
        );
        expect(rows).toHaveLength(2);
      }, 10_000);
      return { paying };
    });
    expect((await results.paying).toSorted()).toEqual(["done", "people.withdrawal_over"]);
    expect(await acts(person)).toHaveLength(1);
    const { rows } = await pool.query(
      "select count(*)::int as left from journal where about = $1 and kind = 'withdraw.leave'",
      [id],
    );
    expect(rows).toEqual([{ left: 1 }]);
  });

  test("an unknown withdrawal id is refused", async () => {
    await people.raise(support);
    expect(await pay(randomUUID())).toBe("withdraw.unknown");
    expect(await pay("no id")).toBe("withdraw.unknown");
  });
});

test("the full audit finds each action in its leaf and in its person's records", async () => {
  const person = await people.signIn();
  // Real time runs ahead of the world's, as it does where a world's clock is not the real one.
  ctx.realClock.advanceMs(60_000);
  await people.data(console_("find"), { user_id: person.userId }, support.token);
  await seconds(2);
  const audit = () =>
    ctx.database.db.transaction().execute(async (tx) => {
      const findings: string[] = [];
      await createPublicationCheck(ctx.world.name)(tx, (_check, detail) => findings.push(detail));
      return findings;
    });
  expect(await audit()).toEqual([]);
  const laterSql =
    "update person_audit_event set recorded_at_ms = recorded_at_ms + $1 where user_id = $2";
  await ctx.owner.pool.query(laterSql, [minuteMs, person.userId]);
  expect(await audit()).toEqual([
    expect.stringMatching(/^leaf \d+ is not the act in its person's records$/),
  ]);
  await ctx.owner.pool.query(laterSql, [-minuteMs, person.userId]);
});
