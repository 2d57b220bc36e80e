import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as api from "#api/send.ts";
import { encodeAddress } from "#core/addresses/address.ts";
import { createBody } from "#server/ledger/testing.ts";
import {
  catchOutcome,
  createTestTransfers,
  type TestTransfers,
} from "#server/testing/transfers.ts";

let t: TestTransfers;
beforeAll(async () => {
  t = await createTestTransfers();
});
afterAll(() => t.destroy());
afterEach(async () => {
  expect(await t.trial()).toEqual([]);
});

const ten = { pUSDT: 10_000_000n } as const;

async function pair() {
  const [anna, ben] = [await t.person(ten), await t.person()];
  return { anna, ben, toBen: t.addresses.own(ben.userId, "peth") };
}

test("a sent amount arrives immediately in the recipient's attempt and notifies both", async () => {
  const { anna, ben, toBen } = await pair();
  const notified: string[] = [];
  const stop = t.ctx.bus.subscribe("balance.changed", ({ userIds }) => notified.push(...userIds));
  const row = await t.pay(anna, { coin: "pUSDT", address: toBen.toUpperCase(), amount: "2.5" });
  stop();
  expect([await t.balance(anna), await t.balance(ben)]).toEqual([7_500_000n, 2_500_000n]);
  expect(notified).toEqual(expect.arrayContaining([anna.userId, ben.userId]));
  const view = await t.send.find(anna.userId, row!.journal_id);
  expect(view).toMatchObject({ amount: "2.5", network: "peth", address: toBen });
  api.send.answer.parse(view);
  expect(await t.send.find(ben.userId, row!.journal_id)).toBeNull();
  const explanations = await t.send.explain([row!.journal_id]);
  expect(explanations.get(row!.journal_id)!.facts).toEqual({
    from_address: t.addresses.own(anna.userId, "peth"),
    to_address: toBen,
    network: "peth",
  });
});

test("a recipient who started over receives it in the new attempt", async () => {
  const { anna, ben, toBen } = await pair();
  const attemptId = await t.openAttempt(ben.userId, 2);
  await t.pay(anna, { coin: "pUSDT", address: toBen, amount: "1" });
  expect([await t.balance(ben), await t.balance({ ...ben, attemptId })]).toEqual([0n, 1_000_000n]);
});

test("sending from a closed attempt is refused", async () => {
  const { anna, toBen } = await pair();
  await t.openAttempt(anna.userId, 2);
  const params = { coin: "pUSDT", address: toBen, amount: "1" } as const;
  expect(await catchOutcome(t.pay(anna, params))).toBe("attempts.not_current");
  expect(await t.balance(anna)).toBe(10_000_000n);
});

describe("a refused send moves nothing", () => {
  const ownAddress = "own";
  const validName = "ben";
  test.each([
    ["pUSDT", ownAddress, "1", "send.to_yourself"],
    ["pUSDT", encodeAddress("peth", new Uint8Array(20)), "1", "send.recipient_unknown"],
    ["pUSDT", "", "1", "address.malformed"],
    ["pUSDT", "peth1hello", "1", "address.malformed"],
    [
      "pUSDT",
      `${encodeAddress("peth", new Uint8Array(20)).slice(0, -1)}x`,
      "1",
      "address.checksum",
    ],
    ["pUSDT", "0x52908400098527886E0F7030069857D2E4169EE7", "1", "address.real_chain"],
    ["pUSDT", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "1", "address.real_chain"],
    ["pBTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1", "address.real_chain"],
    ["pBTC", validName, "1", "address.wrong_network"],
    ["pUSDT", validName, "10.000001", "ledger.overdraft"],
    ["pUSDC", validName, "0.01", "ledger.overdraft"],
    ["pUSDT", validName, "0.009999", "send.too_small"],
    ["pUSDC", validName, "0.000001", "send.too_small"],
    ["pUSDT", validName, "0", "money.amount_malformed"],
    ["pUSDT", validName, "0.000000", "money.amount_malformed"],
    ["pUSDT", validName, "-1", "money.amount_malformed"],
    ["pUSDT", validName, "1e1", "money.amount_malformed"],
    ["pUSDT", validName, "NaN", "money.amount_malformed"],
    ["pUSDT", validName, "١", "money.amount_malformed"],
    ["pUSDT", validName, "all", "money.amount_malformed"],
    ["pUSDT", validName, "0.0000001", "money.excess_digits"],
    ["pUSDT", validName, "999999999999", "money.amount_too_large"],
    ["pUSDT", validName, "9".repeat(40), "money.amount_too_large"],
  ] as const)("%s to %s, %s: %s", async (coin, address, amount, expected) => {
    const { anna, ben, toBen } = await pair();
    const to =
      address === validName
        ? toBen
        : address === ownAddress
          ? t.addresses.own(anna.userId, "peth")
          : address;
    expect(await catchOutcome(t.pay(anna, { coin, address: to, amount }))).toBe(expected);
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([10_000_000n, 0n]);
    expect((await t.send.recipients(anna.userId, "pUSDT")).items).toEqual([]);
  });
});

describe("recipients who never sent anything", () => {
  const cent = (address: string) => ({ coin: "pUSDT", address, amount: "0.01" }) as const;

  test("a person may send sixty times per day to recipients who never sent anything", async () => {
    const { anna, ben, toBen } = await pair();
    const otherAddress = t.addresses.own((await t.person()).userId, "peth");
    for (let n = 0; n < 59; n += 1) await t.pay(anna, cent(toBen));
    const last = await Promise.all(
      [otherAddress, otherAddress].map((to) => catchOutcome(t.pay(anna, cent(to)))),
    );
    expect(last.toSorted()).toEqual(["done", "send.too_many_strangers"]);
    expect(await t.balance(anna)).toBe(10_000_000n - 60n * 10_000n);
    t.ctx.realClock.advanceMs(86_400_000);
    expect(await catchOutcome(t.pay(anna, cent(toBen)))).toBe("done");
    expect(await t.balance(ben)).toBe(60n * 10_000n);
  });

  test("a recipient who has sent something to the sender is not limited", async () => {
    const { anna, ben, toBen } = await pair();
    for (let n = 0; n < 60; n += 1) await t.pay(anna, cent(toBen));
    expect(await catchOutcome(t.pay(anna, cent(toBen)))).toBe("send.too_many_strangers");
    await t.pay(ben, cent(t.addresses.own(anna.userId, "ptron")));
    expect(await catchOutcome(t.pay(anna, cent(toBen)))).toBe("done");
  });
});

describe("repeated and concurrent sends", () => {
  test("an id is sent once under any number of concurrent calls", async () => {
    const { anna, ben, toBen } = await pair();
    const id = randomUUID();
    const params = { coin: "pUSDT", address: toBen, amount: "3" } as const;
    await Promise.all([1, 2, 3, 4, 5].map(() => t.pay(anna, params, id)));
    expect(await t.pay(anna, params, id)).toBeNull();
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([7_000_000n, 3_000_000n]);
    const repeatedMove = t.send.move(anna, { ...params, amount: "4" }, id, createBody("other"));
    expect(await catchOutcome(repeatedMove)).toBe("idempotency.body_changed");
  });

  test("concurrent sends succeed only as far as the balance covers them", async () => {
    const { anna, ben, toBen } = await pair();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        catchOutcome(t.pay(anna, { coin: "pUSDT", address: toBen, amount: "2" })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(5);
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([0n, 10_000_000n]);
  });

  test("two people who send to each other concurrently both succeed", async () => {
    const [anna, ben] = [await t.person(ten), await t.person(ten)];
    const address = (testPerson: typeof anna) => t.addresses.own(testPerson.userId, "ptron");
    await Promise.all(
      [1, 2, 3, 4].flatMap(() => [
        t.pay(anna, { coin: "pUSDT", address: address(ben), amount: "1" }),
        t.pay(ben, { coin: "pUSDT", address: address(anna), amount: "2" }),
      ]),
    );
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([14_000_000n, 6_000_000n]);
  });
});

describe("checking a recipient", () => {
  test("a check reports the number of earlier sends and the last one", async () => {
    const { anna, toBen } = await pair();
    const params = { coin: "pUSDT", address: toBen } as const;
    const first = await t.send.check(anna.userId, params);
    expect(first).toEqual({
      network: "peth",
      address: toBen,
      sent_before: 0,
      last_sent_at_ms: null,
      looks_like: null,
    });
    await t.pay(anna, { ...params, amount: "1" });
    await t.pay(anna, { ...params, amount: "1" });
    const check = await t.send.check(anna.userId, params);
    api.checkRecipient.answer.parse(check);
    expect(check).toMatchObject({ sent_before: 2, last_sent_at_ms: t.ctx.clock.nowMs() });
    expect((await t.send.recipients(anna.userId, "pUSDT")).items).toMatchObject([
      { sent_before: 2 },
    ]);
    expect((await t.send.recipients(anna.userId, "pBTC")).items).toEqual([]);
  });

  test("a check reports a look-alike address in use", async () => {
    const { anna, toBen } = await pair();
    const data = toBen.slice(5);
    const lookAlike = `peth1${data.slice(0, 4)}${"q".repeat(data.length - 8)}${data.slice(-4)}`;
    t.named.push({ address: lookAlike });
    expect(await t.send.check(anna.userId, { coin: "pUSDT", address: toBen })).toMatchObject({
      looks_like: lookAlike,
    });
    t.named.length = 0;
  });
});

describe("receive addresses", () => {
  test("every network of a coin has a stable address", async () => {
    const { anna } = await pair();
    const first = await t.send.receive(anna.userId, "pUSDT", undefined);
    api.getReceiveAddress.answer.parse(first);
    expect(first).toMatchObject({ network: "peth", networks: ["peth", "ptron"] });
    expect(await t.send.receive(anna.userId, "pUSDT", "peth")).toEqual(first);
    expect((await t.send.receive(anna.userId, "pUSDT", "ptron")).address).toMatch(/^ptron1/);
  });

  test.each([
    ["pBTC", "peth", "address.wrong_network"],
    ["pUSDC", "ptron", "address.wrong_network"],
    ["pUSDT", "eth", "address.network_unknown"],
    ["pUSDT", "constructor", "address.network_unknown"],
  ] as const)("%s on %s: %s", async (coin, network, expected) => {
    const { anna } = await pair();
    expect(await catchOutcome(t.send.receive(anna.userId, coin, network))).toBe(expected);
  });
});
