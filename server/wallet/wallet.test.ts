import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLedger } from "#server/ledger/ledger.ts";
import { journalOf, move, type Person, personWith } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestParts, type TestParts } from "#server/testing/parts.ts";
import { pushBalances } from "#server/wallet/push.ts";
import { createWallet, listOf, type Wallet } from "#server/wallet/wallet.ts";

const latest = {
  secondMs: 1_000,
  index: { "BTC/USDT": 28_123_45n, "ETH/USDT": 1_800_00n, "USDC/USDT": 99_950n },
};
let parts: TestParts;
let ledger: Ledger;
let wallet: Wallet;
beforeAll(async () => {
  parts = await createTestParts();
  ledger = createLedger(parts);
  wallet = createWallet(parts, ledger, { latest: () => latest });
});
afterAll(async () => {
  await ledger.stop();
  await parts.destroy();
});

test("an attempt starts with 10 000 pUSDT, once", async () => {
  const who = { userId: randomUUID(), attemptId: randomUUID() };
  await Promise.all([wallet.openAttempt(who), wallet.openAttempt(who)]);
  await wallet.openAttempt(who);
  const { items, total, display_currency, priced_at_ms } = await wallet.list(who.attemptId);
  expect([total, display_currency, priced_at_ms]).toEqual(["10000", "pUSDT", 1_000]);
  expect(items.map(({ coin, available, held }) => [coin, available, held])).toEqual([
    ["pUSDT", "10000", "0"],
    ["pUSDC", "0", "0"],
    ["pBTC", "0", "0"],
    ["pETH", "0", "0"],
  ]);
  const records = await wallet.transfers(who.attemptId, { page: 1, page_size: 10 });
  expect(records.items).toMatchObject([
    {
      type: "attempt.start",
      coin: "pUSDT",
      amount: "10000",
      balance_after: "10000",
      order_id: null,
    },
  ]);
});

test("balances are valued at the index, held ones too, rounded down; without an index they have no worth", () => {
  const balances = [
    { coin: "pUSDT" as const, available: 1n, held: 2n },
    { coin: "pUSDC" as const, available: 1_000_000n, held: 0n },
    { coin: "pBTC" as const, available: 3n, held: 0n },
    { coin: "pETH" as const, available: 0n, held: 1_000_000_000n },
  ];
  const priced = listOf(balances, { latest: () => latest });
  expect(priced.items.map(({ value }) => value)).toEqual([
    "0.000003",
    "0.9995",
    "0.000843",
    "1800",
  ]);
  expect(priced.total).toBe("1801.000346");
  const gap = listOf(balances, {
    latest: () => ({ ...latest, index: { ...latest.index, "BTC/USDT": null } }),
  });
  expect([gap.items[2]!.value, gap.items[3]!.value, gap.total]).toEqual([null, "1800", null]);
  const early = listOf([balances[0]!, { coin: "pBTC", available: 0n, held: 0n }], {
    latest: () => null,
  });
  expect([early.total, early.priced_at_ms]).toEqual(["0.000003", null]);
});

async function personWithRecords(count: number): Promise<Person> {
  const person = await personWith(ledger, 1_000_000n);
  const house = await ledger.account("house", "contracts", "pUSDT");
  const btc = await ledger.account(person, "wallet", "pBTC");
  const issuance = await ledger.account("house", "issuance", "pBTC");
  for (let at = 1; at <= count; at += 1) {
    parts.clock.advanceTo(parts.clock.nowMs() + 1_000);
    const legs =
      at % 3 === 0 ? move(issuance, btc, BigInt(at)) : move(person.wallet, house, BigInt(at));
    await ledger.post(journalOf(legs, { about: `order ${at}` }));
  }
  return person;
}

test("records of all coins come newest first, in pages that new postings do not shift", async () => {
  const person = await personWithRecords(14);
  const first = await wallet.transfers(person.attemptId, { page: 1, page_size: 6 });
  const house = await ledger.account("house", "contracts", "pUSDT");
  await ledger.post(journalOf(move(person.wallet, house, 99n), { about: "late" }));
  const cursor = { page_size: 6, before: first.before! };
  const second = await wallet.transfers(person.attemptId, { page: 2, ...cursor });
  const third = await wallet.transfers(person.attemptId, { page: 3, ...cursor });
  const seen = [...first.items, ...second.items, ...third.items].map(({ order_id }) => order_id);
  expect(seen).toEqual([...Array.from({ length: 14 }, (_, at) => `order ${14 - at}`), null]);
  expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false]);
  expect(third.before).toBe(first.before);
  const fresh = await wallet.transfers(person.attemptId, { page: 1, page_size: 1 });
  expect(fresh.items[0]!.order_id).toBe("late");
});

test("records of one coin, with signed amounts and the balance after each", async () => {
  const person = await personWithRecords(6);
  const { items, has_more } = await wallet.transfers(person.attemptId, {
    coin: "pBTC",
    page: 1,
    page_size: 1,
  });
  expect(items).toMatchObject([
    { coin: "pBTC", amount: "0.00000006", balance_after: "0.00000009" },
  ]);
  expect(has_more).toBe(true);
  const usdt = await wallet.transfers(person.attemptId, { coin: "pUSDT", page: 1, page_size: 2 });
  expect(usdt.items.map(({ amount }) => amount)).toEqual(["-0.000005", "-0.000004"]);
});

test("what a single leg is about goes before what its journal is about; holds show as what left the wallet", async () => {
  const person = await personWith(ledger, 100n);
  const house = await ledger.account("house", "contracts", "pUSDT");
  await ledger.post(
    journalOf(
      [
        { account: house, amount: -5n },
        { account: person.wallet, amount: 5n, about: "order 7" },
      ],
      { about: "many" },
    ),
  );
  await ledger.post(
    journalOf(move(person.wallet, person.held, 30n), { hold: { action: "place" } }),
  );
  const { items } = await wallet.transfers(person.attemptId, { page: 1, page_size: 10 });
  expect(items.map(({ amount, order_id }) => [amount, order_id])).toEqual([
    ["-0.00003", null],
    ["0.000005", "order 7"],
    ["0.0001", null],
  ]);
});

test.each([
  "x",
  "1.2.3",
  "1.2.3.4.5",
  "-1.0.0.0",
  "zzzzzzzzzzz.0.0.0",
  "1.2.3.;",
])("the cursor %s is refused", async (before) => {
  const person = await personWith(ledger, 1n);
  await expect(
    wallet.transfers(person.attemptId, { page: 1, page_size: 10, before }),
  ).rejects.toMatchObject({
    error: "request.malformed",
    data: { field: "before" },
  });
});

test("a user with a socket gets the new balances, and the last ones last", async () => {
  const person = await personWith(ledger, 100n);
  const house = await ledger.account("house", "contracts", "pUSDT");
  const sent: string[] = [];
  const told = Promise.withResolvers<void>();
  const stop = pushBalances(
    parts,
    {
      hasUser: (userId) => userId === person.userId,
      toUser: (_userId, message) => {
        if (message.topic !== "balances") return;
        sent.push(message.items[0]!.available);
        if (sent.at(-1) === "0.00008") told.resolve();
      },
    },
    wallet,
    async () => person.attemptId,
  );
  await Promise.all(
    Array.from({ length: 20 }, () => ledger.post(journalOf(move(person.wallet, house, 1n)))),
  );
  await told.promise;
  stop();
  expect(sent.length).toBeLessThan(20);
});
