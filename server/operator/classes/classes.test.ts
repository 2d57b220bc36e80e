import { randomUUID } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "#api/call.ts";
import { dayMs } from "#core/money/time.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { signNonce } from "#server/testing/signNonce.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

/** The classes page, in a whole world. */
let ctx: TestContext;
let close: TestApp["close"];
let people: People;
let owner: TestPerson;
let second: TestPerson;

beforeAll(async () => {
  ({ ctx, people, close } = await createTestApp());
  owner = await people.operator("owner");
  second = await people.operator("owner", owner);
  await people.raise(owner);
});
afterAll(() => close());

const classes = (name: string) => getCall(`/api/operator/class/${name}`);

async function getOutcome(call: Call, payload: object, who: TestPerson): Promise<string> {
  const answer = await people.ask(call, payload as Record<string, unknown>, who.token);
  return String(answer.json().error ?? "done");
}

/** A new person signs in, with or without a code. */
let keys = 9_000;
async function newcomer(
  invite?: string,
): Promise<{ error: string; created: boolean; msg: string }> {
  ctx.realClock.advanceMs(7_000);
  keys += 1;
  const account = privateKeyToAccount(`0x${keys.toString(16).padStart(64, "0")}`);
  const { address } = account;
  const fields = await people.data(getCall("/api/user/nonce"), { address, chain_id: "1" });
  const { message, signature } = await signNonce(account, fields);
  const body = { address, type: "erc", message, signature, ...(invite ? { invite } : {}) };
  const answer = (await people.ask(getCall("/api/user/create"), body)).json();
  return {
    error: String(answer.error ?? "done"),
    created: answer.data?.created ?? false,
    msg: answer.msg,
  };
}

const link = async (limit = 2) => {
  const expires_at_ms = ctx.realClock.nowMs() + dayMs;
  const params = { label: "Evening class", limit, expires_at_ms };
  return (await people.data(classes("makeLink"), params, owner.token)).link;
};
const state = () => people.data(classes("getClass"), {}, owner.token);

describe("class links", () => {
  test("a class link has a label, a limit and an end, and counts joins without names", async () => {
    const { code, class_id } = await link();
    expect((await newcomer(code)).created).toBe(true);
    const { links } = await state();
    expect(links[0]).toMatchObject({ class_id, label: "Evening class", joined: 1, finished: 0 });
    expect(Object.keys(links[0]).toSorted()).toEqual([
      "class_id",
      "closed_at_ms",
      "code",
      "expires_at_ms",
      "finished",
      "joined",
      "label",
      "limit",
      "made_at_ms",
    ]);
  });

  test.each([
    [{ label: "  " }, "class.label_missing"],
    [{ label: "x".repeat(61) }, "class.label_missing"],
    [{ expires_at_ms: testStartMs - 1 }, "class.expiry_wrong"],
    [{ expires_at_ms: testStartMs + 400 * dayMs }, "class.expiry_wrong"],
    [{ limit: 0 }, "request.malformed"],
    [{ limit: 501 }, "request.malformed"],
  ])("a class link with %j is refused", async (change, error) => {
    const expires_at_ms = ctx.realClock.nowMs() + 1_000_000;
    const before = (await state()).links.length;
    const params = { label: "A class", limit: 10, expires_at_ms, ...change };
    expect(await getOutcome(classes("makeLink"), params, owner)).toBe(error);
    expect((await state()).links).toHaveLength(before);
  });

  test("a closed class link admits no one", async () => {
    const { code, class_id } = await link();
    expect(await getOutcome(classes("closeLink"), { class_id }, owner)).toBe("done");
    await newcomer(code);
    expect((await state()).links[0]).toMatchObject({ class_id, joined: 0 });
    expect(await getOutcome(classes("closeLink"), { class_id: randomUUID() }, owner)).toBe(
      "class.link_unknown",
    );
  });
});

describe("sign-up", () => {
  const set = async (sign_up: string, previous: string) => {
    await people.raise(owner);
    return getOutcome(classes("setSignUp"), { sign_up, was: previous }, owner);
  };

  test("closed sign-up refuses new people and admits existing ones", async () => {
    const { code } = await link();
    const knownPerson = await people.signIn();
    expect(await set("closed", "open")).toBe("done");
    expect((await newcomer()).error).toBe("session.sign_up_closed");
    expect((await newcomer(code)).error).toBe("session.sign_up_closed");
    expect((await people.signIn(knownPerson.key)).userId).toBe(knownPerson.userId);
    expect(await set("open", "closed")).toBe("done");
    expect((await newcomer()).created).toBe(true);
  });

  test("class-link sign-up admits only people with a valid class link", async () => {
    const { code } = await link(1);
    const friend = await people.data(getCall("/api/user/getInviteInfo"), {}, owner.token);
    expect(await set("class_links", "open")).toBe("done");
    expect((await newcomer()).msg).toMatch(/^New accounts need a class link/);
    expect((await newcomer(friend.code)).error).toBe("session.sign_up_closed");
    expect((await newcomer(code)).created).toBe(true);
    expect((await newcomer(code)).error).toBe("session.sign_up_closed");
    expect(await set("open", "class_links")).toBe("done");
  });

  test("a refused sign-up stores nothing", async () => {
    await set("closed", "open");
    const count = async () =>
      (await ctx.owner.pool.query("select count(*)::int as n from user_account")).rows[0].n;
    const before = await count();
    await newcomer();
    expect(await count()).toBe(before);
    await set("open", "closed");
  });

  test("of two concurrent changes one wins and the other is refused", async () => {
    await people.raise(owner);
    await people.raise(second);
    const params = { sign_up: "closed", was: "open" };
    const answers = await Promise.all([
      getOutcome(classes("setSignUp"), params, owner),
      getOutcome(classes("setSignUp"), { ...params, sign_up: "class_links" }, second),
    ]);
    expect(answers.toSorted()).toEqual(["class.changed_meanwhile", "done"]);
    const { sign_up } = await state();
    expect(await set("open", sign_up)).toBe("done");
  });
});

describe("contracts", () => {
  test("contracts that are off refuse orders, and a second switch-off is refused", async () => {
    await people.raise(owner);
    const config = async () => (await people.data(getCall("/api/index/config"), {})).contracts_on;
    expect(await getOutcome(classes("setContracts"), { on: false }, owner)).toBe("done");
    expect(await config()).toBe(false);
    expect(await getOutcome(classes("setContracts"), { on: false }, owner)).toBe(
      "class.changed_meanwhile",
    );
    expect(await getOutcome(classes("setContracts"), { on: true }, owner)).toBe("done");
    expect(await config()).toBe(true);
  });
});

describe("an announcement", () => {
  const params = {
    id: randomUUID(),
    type: "bar",
    language: "en",
    title: "",
    text: "Class begins at seven.",
    until_ms: null,
  };

  test("an announcement is a notice to everyone", async () => {
    expect(await getOutcome(classes("announce"), params, owner)).toBe("done");
    await ctx.jobs.runNow("publishing.due");
    ctx.realClock.advanceMs(2_000);
    const { notice } = await people.data(getCall("/api/index/findNotice"), { type: "bar" });
    expect(notice).toMatchObject({ notice_id: params.id, text: params.text });
  });

  test.each([
    ["Everyone earns 5% a day, guaranteed.", "publishing.promises_return"],
    ["", "publishing.text_missing"],
  ])("the announcement %j is refused like any notice", async (text, error) => {
    expect(
      await getOutcome(classes("announce"), { ...params, id: randomUUID(), text }, owner),
    ).toBe(error);
  });
});
