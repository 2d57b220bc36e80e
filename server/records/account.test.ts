import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { dayMs } from "#core/money/time.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { getOrdinal } from "#server/platform/world.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import { createPersonWithAttempt, type PersonAttempt } from "#server/records/testing.ts";
import { createTestContext, type TestContext, testStartMs } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let ledger: Ledger;
let records: Records;
let price: bigint = 20_000_00n;
let leasedAmount: bigint = 0n;
let costs = { fees: 0n, spread: 0n };
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  records = createRecords(ctx, {
    transparencyLog: createTransparencyLog(ctx),
    market: { latest: () => ({ secondMs: ctx.clock.nowMs(), index: { "BTC/USDT": price } }) },
    contributions: {
      records: [
        { prefix: "contract", costs: async () => costs },
        {
          prefix: "mining",
          inLine: async (_attemptId, moments) =>
            moments.map((atMs) => new Map([["pUSDT", atMs === null ? leasedAmount : 0n]])),
        },
      ],
    },
  });
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});
beforeEach(async () => {
  leasedAmount = 0n;
  costs = { fees: 0n, spread: 0n };
  await closeSecond(20_000_00n);
});

/** The next second, with BTC at this index. */
async function closeSecond(index: bigint): Promise<void> {
  price = index;
  ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
  const atMs = ctx.clock.nowMs();
  const second = atMs - (atMs % 1_000);
  const values = Array.from({ length: getOrdinal(ctx.world, "BTC/USDT") }, () => index);
  await sql`insert into market_second (second_ms, leaf, index, volume)
    values (${second}, ${second}, ${values}::bigint[], ${values}::bigint[])`.execute(ctx.owner.db);
}

async function getAccounts(person: PersonAttempt) {
  const house = (kind: "contracts" | "outside" | "fees" | "mining", coin: "pUSDT" | "pBTC") =>
    ledger.account("house", kind, coin);
  const [wallet, heldAccount, btc, contracts, outside, fees, mining, issuance] = await Promise.all([
    ledger.account(person, "wallet", "pUSDT"),
    ledger.account(person, "held", "pUSDT"),
    ledger.account(person, "wallet", "pBTC"),
    house("contracts", "pUSDT"),
    house("outside", "pUSDT"),
    house("fees", "pUSDT"),
    house("mining", "pUSDT"),
    ledger.account("house", "issuance", "pBTC"),
  ]);
  return { wallet, held: heldAccount, btc, contracts, outside, fees, mining, issuance };
}

const units = (amount: bigint) => amount * 1_000_000n;
const buildAccount = async ({ attemptId }: PersonAttempt) =>
  (await records.lines(attemptId)).account!;
const figures = async (person: PersonAttempt) => {
  const { total, result, parts } = await buildAccount(person);
  const nonZeroParts = Object.entries(parts).filter(([, amount]) => amount !== "0");
  return [total, result, Object.fromEntries(nonZeroParts)];
};

test("a new attempt has its starting balance and no result", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  expect(await buildAccount(person)).toMatchObject({
    free: "10000",
    held: "0",
    brought_in: { start: "10000", recharge: "0" },
    total: "10000",
    result: "0",
    today: "0",
  });
});

test("a new lease counts as at work without a loss", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, mining } = await getAccounts(person);
  leasedAmount = units(276n);
  await ledger.post(
    createJournal(createMoveLegs(wallet, mining, leasedAmount), { kind: "mining.lease" }),
  );
  expect(await figures(person)).toEqual(["10000", "0", {}]);
  const { items } = await records.lines(person.attemptId);
  expect(items.find(({ type }) => type === "mining")).toMatchObject({ balance: "276", total: "0" });
});

test("a withdrawal is held and then leaves, and only its fee is a loss", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, held, outside, fees } = await getAccounts(person);
  const placement = createJournal(createMoveLegs(wallet, held, units(5_000n)), {
    kind: "withdraw.place",
    hold: { action: "place" },
  });
  await ledger.post(placement);
  expect(await buildAccount(person)).toMatchObject({ free: "5000", held: "5000", total: "10000" });
  const legs = [
    ...createMoveLegs(held, outside, units(4_999n)),
    ...createMoveLegs(held, fees, units(1n)),
  ];
  const hold = { action: "post", of: placement.id } as const;
  await ledger.post(createJournal(legs, { kind: "withdraw.leave", hold }));
  expect(await figures(person)).toEqual(["5000", "-1", { fees: "-1" }]);
  expect((await buildAccount(person)).taken_out).toEqual({ withdraw: "4999", transfer: "0" });
});

test("a recharged coin counts at its value on arrival, and later gains as price", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { btc, issuance } = await getAccounts(person);
  const credit = createJournal(createMoveLegs(issuance, btc, 1_000_000n), {
    kind: "recharge.credit",
  });
  await ledger.post(credit);
  expect(await figures(person)).toEqual(["10200", "0", {}]);
  await closeSecond(22_000_00n);
  expect(await figures(person)).toEqual(["10220", "20", { price: "20" }]);
  expect((await buildAccount(person)).brought_in.recharge).toBe("200");
});

test("a sent coin keeps its value, so a later price changes nothing", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { btc, issuance } = await getAccounts(person);
  await ledger.post(
    createJournal(createMoveLegs(issuance, btc, 1_000_000n), { kind: "recharge.credit" }),
  );
  await ledger.post(
    createJournal(createMoveLegs(btc, issuance, 1_000_000n), { kind: "send.move" }),
  );
  await closeSecond(30_000_00n);
  expect(await figures(person)).toEqual(["10000", "0", {}]);
});

test("an order's result is fees, spread and luck", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, contracts } = await getAccounts(person);
  await ledger.post(
    createJournal(createMoveLegs(wallet, contracts, units(101n)), { kind: "contract.open" }),
  );
  await ledger.post(
    createJournal(createMoveLegs(contracts, wallet, units(190n)), { kind: "contract.settle" }),
  );
  costs = { fees: units(1n), spread: units(5n) };
  const parts = { fees: "-1", spread: "-5", luck: "95" };
  expect(await figures(person)).toEqual(["10089", "89", parts]);
});

test("a day's result excludes earlier results and all flows", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, contracts, outside } = await getAccounts(person);
  await ledger.post(
    createJournal(createMoveLegs(wallet, contracts, units(40n)), { kind: "contract.open" }),
  );
  const days = Math.floor((ctx.clock.nowMs() - testStartMs) / dayMs) + 1;
  ctx.clock.advanceTo(testStartMs + days * dayMs + 1_000);
  await closeSecond(20_000_00n);
  await ledger.post(
    createJournal(createMoveLegs(contracts, wallet, units(15n)), { kind: "contract.settle" }),
  );
  await ledger.post(
    createJournal(createMoveLegs(wallet, outside, units(500n)), { kind: "send.move" }),
  );
  expect(await buildAccount(person)).toMatchObject({ result: "-25", today: "15" });
});

test("the history's last result equals the account's, with flows listed separately", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, contracts, btc, issuance } = await getAccounts(person);
  const startMs = ctx.clock.nowMs();
  await closeSecond(20_000_00n);
  await ledger.post(
    createJournal(createMoveLegs(issuance, btc, 1_000_000n), { kind: "recharge.credit" }),
  );
  await closeSecond(21_000_00n);
  await ledger.post(
    createJournal(createMoveLegs(wallet, contracts, units(7n)), { kind: "contract.open" }),
  );
  await closeSecond(21_000_00n);
  const moments = [startMs, startMs + 1_001, startMs + 2_500, startMs + 3_001];
  const { results, flows } = await records.lines.history(person.attemptId, moments);
  expect(results.map((row) => row && row / 1_000_000n)).toEqual([0n, 0n, 3n, 3n]);
  expect(flows.map(({ from, amount }) => [from, amount])).toEqual([
    ["start", units(10_000n)],
    ["recharge", units(200n)],
  ]);
  const { result } = await buildAccount(person);
  const [now] = (await records.lines.history(person.attemptId, [ctx.clock.nowMs() + 1_000]))
    .results;
  expect(now).toBe(toMinorUnits(result, coinScale("pUSDT")));
});

test("the chart starts at zero, ends at the result and marks inflows", async () => {
  const person = await createPersonWithAttempt(ctx, ledger);
  const { wallet, contracts } = await getAccounts(person);
  await closeSecond(20_000_00n);
  await ledger.post(
    createJournal(createMoveLegs(wallet, contracts, units(7n)), { kind: "contract.open" }),
  );
  await closeSecond(20_000_00n);
  const { points, flows } = await records.history(person.attemptId, "day");
  expect([points[0]![1], points.at(-1)![1]]).toEqual(["0", "-7"]);
  expect(flows.map(([, amount]) => amount)).toEqual(["10000"]);
});
