import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coinCodes } from "#core/money/coins.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs, createPersonWith } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { pushBalances } from "#server/wallet/push.ts";
import { createWallet, toList, type Wallet } from "#server/wallet/wallet.ts";

const latest = {
  secondMs: 1_000,
  leaf: 7,
  index: { "BTC/USDT": 28_123_45n, "ETH/USDT": 1_800_00n, "USDC/USDT": 99_950n },
};
let ctx: TestContext;
let ledger: Ledger;
let wallet: Wallet;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  wallet = createWallet(ctx, { ledger, market: { latest: () => latest } });
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

test("an attempt starts with 10 000 pUSDT exactly once", async () => {
  const owner = { userId: randomUUID(), attemptId: randomUUID() };
  await Promise.all([wallet.openAttempt(owner), wallet.openAttempt(owner)]);
  await wallet.openAttempt(owner);
  const { items, total, display_currency, priced_at_ms } = await wallet.list(owner.attemptId);
  expect([total, display_currency, priced_at_ms]).toEqual(["10000", "pUSDT", 1_000]);
  expect(items.map(({ coin, available, held }) => [coin, available, held])).toEqual([
    ["pUSDT", "10000", "0"],
    ...coinCodes.slice(1).map((coin) => [coin, "0", "0"]),
  ]);
});

test("balances including held ones are valued at the index, or null without one", () => {
  const balances = [
    { coin: "pUSDT" as const, available: 1n, held: 2n },
    { coin: "pUSDC" as const, available: 1_000_000n, held: 0n },
    { coin: "pBTC" as const, available: 3n, held: 0n },
    { coin: "pETH" as const, available: 0n, held: 1_000_000_000n },
  ];
  const pricedList = toList(balances, { latest: () => latest });
  expect(pricedList.items.map(({ value }) => value)).toEqual([
    "0.000003",
    "0.9995",
    "0.000843",
    "1800",
  ]);
  expect(pricedList.total).toBe("1801.000346");
  const gap = toList(balances, {
    latest: () => ({ ...latest, index: { ...latest.index, "BTC/USDT": null } }),
  });
  expect([gap.items[2]!.value, gap.items[3]!.value, gap.total]).toEqual([null, "1800", null]);
  const earlyList = toList([balances[0]!, { coin: "pBTC", available: 0n, held: 0n }], {
    latest: () => null,
  });
  expect([earlyList.total, earlyList.priced_at_ms]).toEqual(["0.000003", null]);
});

test("a user with a socket receives new balances, ending with the latest", async () => {
  const person = await createPersonWith(ledger, 100n);
  const house = await ledger.account("house", "contracts", "pUSDT");
  const sentMessages: string[] = [];
  const notified = Promise.withResolvers<void>();
  const stop = pushBalances(ctx, {
    hub: {
      hasUser: (userId) => userId === person.userId,
      toUser: (_userId, message) => {
        if (message.topic !== "balances") return;
        sentMessages.push(message.items[0]!.available);
        if (sentMessages.at(-1) === "0.00008") notified.resolve();
      },
    },
    wallet,
    session: { user: async () => person },
  });
  await Promise.all(
    Array.from({ length: 20 }, () =>
      ledger.post(createJournal(createMoveLegs(person.wallet, house, 1n))),
    ),
  );
  await notified.promise;
  stop();
  expect(sentMessages.length).toBeLessThan(20);
});
