import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coinCodes } from "#core/money/coins.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import { decodeWorld, encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import { commitLiabilities } from "#server/liabilities/commit.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import { createPersonWithAttempt, type PersonAttempt } from "#server/records/testing.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let ledger: Ledger;
let transparencyLog: TransparencyLog;
let records: Records;
let world: WorldLeaf;
let me: PersonAttempt;
let you: PersonAttempt;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  transparencyLog = createTransparencyLog(ctx);
  await transparencyLog.prepare();
  const bytes = encodeWorld({
    world: ctx.world.name,
    market: ctx.world.market,
    simulator: ctx.world.simulator,
    seedAnchor: new Uint8Array(32),
    beacon: null,
    recording: null,
    createdAtMs: ctx.clock.nowMs(),
    venues: ["north"],
    symbols: [{ name: "BTC/USDT", scale: 2, venues: ["north"] }],
  });
  await ctx.database.db
    .transaction()
    .execute((tx) => transparencyLog.append(tx, [{ kind: "world", bytes }]));
  const decodedWorld = decodeWorld(bytes);
  if (!decodedWorld.ok) throw new Error(decodedWorld.error);
  world = decodedWorld.value;
  records = createRecords(ctx, {
    transparencyLog,
    market: { latest: () => null },
    contributions: { records: [] },
  });
  [me, you] = [
    await createPersonWithAttempt(ctx, ledger),
    await createPersonWithAttempt(ctx, ledger),
  ];
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

async function post(legs: Journal["legs"], overrides: Partial<Journal> = {}): Promise<string> {
  const journal = createJournal(legs, overrides);
  const { outcome } = await ledger.post(journal);
  if (outcome !== "posted") throw new Error(outcome);
  return journal.id;
}

async function commit() {
  await chainPosted(ctx);
  await commitLiabilities(ctx, transparencyLog);
  await transparencyLog.integrate();
}

async function check(receipt: unknown) {
  const leaves = await transparencyLog.leaves(0, await transparencyLog.count());
  return checkJournal(receipt, world, new Map(leaves.map(({ leaf, bytes }) => [leaf, bytes])));
}

const accounts = async () => {
  const [wallet, yours, house, balance, outside, fees] = await Promise.all([
    ledger.account(me, "wallet", "pUSDT"),
    ledger.account(you, "wallet", "pUSDT"),
    ledger.account("house", "contracts", "pUSDT"),
    ledger.account(me, "held", "pUSDT"),
    ledger.account("house", "outside", "pUSDT"),
    ledger.account("house", "fees", "pUSDT"),
  ]);
  return { mine: wallet, yours, house, held: balance, outside, fees };
};

test("a receipt is ready and valid once its journal is committed under a checkpoint", async () => {
  const { mine, yours } = await accounts();
  const id = await post(createMoveLegs(mine, yours, 5n), { kind: "send.move" });
  await expect(records.receipt(me.userId, id)).rejects.toMatchObject({
    error: "records.receipt_not_ready",
  });
  await commit();
  const receipt = await records.receipt(me.userId, id);
  expect(receipt.others).toEqual([{ coin: "pUSDT", amount: "5" }]);
  expect((await check(receipt)).steps.at(-1)).toMatchObject({ step: "orders", ok: true });
  const received = await records.receipt(you.userId, id);
  expect((await check(received)).ok).toBe(true);
  expect(received.legs.map(({ amount }) => amount)).toEqual(["5"]);
});

test("a receipt is not ready while its order's leaf is not ready", async () => {
  const { mine, yours } = await accounts();
  const id = await post(createMoveLegs(mine, yours, 5n), { kind: "send.move" });
  await commit();
  const unreadyRecords = createRecords(ctx, {
    transparencyLog,
    market: { latest: () => null },
    contributions: {
      records: [
        {
          prefix: "send",
          orders: () => Promise.reject(new ApiError("contracts.receipt_not_ready")),
        },
      ],
    },
  });
  await expect(unreadyRecords.receipt(me.userId, id)).rejects.toMatchObject({
    error: "records.receipt_not_ready",
  });
});

test("receipts of every kind of journal are valid", async () => {
  const { mine, house, held, outside, fees } = await accounts();
  const start = (await records.page(me, { page: 1, page_size: 10 })).items.at(-1)!.journal_id;
  const placement = await post(createMoveLegs(mine, held, 30_000_000n), {
    kind: "withdraw.place",
    hold: { action: "place" },
  });
  const ids = [start, placement];
  for (let index = 0; index < 5; index += 1) ids.push(await post(createMoveLegs(mine, house, 2n)));
  await commit();
  ids.push(
    await post(
      [
        { account: held, amount: -30_000_000n },
        { account: outside, amount: 29_000_000n },
        { account: fees, amount: 1_000_000n },
      ],
      { kind: "withdraw.leave", hold: { action: "post", of: placement } },
    ),
  );
  await commit();
  for (let index = 0; index < 5; index += 1) {
    ids.push(await post(createMoveLegs(mine, house, 3n)));
    await commit();
  }
  for (const id of ids) {
    const receipt = await records.receipt(me.userId, id);
    expect(await check(receipt), id).toMatchObject({ ok: true });
  }
  // Under the newest commitment as well, which is one and the same for all.
  const newest = await Promise.all(ids.map((id) => records.receipt(me.userId, id, "newest")));
  expect(new Set(newest.map((journalReceipt) => journalReceipt.liabilities_leaf)).size).toBe(1);
  expect(newest[0]!.accounts[0]!.entries.length).toBeGreaterThan(8);
  for (const receipt of newest) expect((await check(receipt)).ok).toBe(true);
  const rules = (id: string) =>
    records
      .receipt(me.userId, id)
      .then(check)
      .then(({ steps }) => steps.at(-2)!.inputs.rule);
  expect([await rules(start), await rules(ids[7]!)]).toEqual(["start", "withdraw"]);
});

test("another person's journal and an unknown one are refused", async () => {
  const { yours, house } = await accounts();
  const id = await post(createMoveLegs(yours, house, 1n));
  await commit();
  for (const query of [id, "nonsense", "00000000-0000-8000-8000-000000000000"]) {
    await expect(records.receipt(me.userId, query)).rejects.toMatchObject({
      error: "records.unknown",
    });
  }
});

describe("a falsified receipt is refused with the difference", () => {
  let receipt: JournalReceipt;
  beforeAll(async () => {
    const { mine, house } = await accounts();
    const id = await post(createMoveLegs(mine, house, 100n), { kind: "contract.open" });
    await post(createMoveLegs(mine, house, 7n));
    await commit();
    receipt = await records.receipt(me.userId, id);
  });
  type Change = (r: JournalReceipt) => void;
  const getAccount = (r: JournalReceipt) => r.accounts[0]!;
  const rows: [string, string, Change][] = [
    ["without the practice label", "not_practice", (r) => Object.assign(r, { practice: false })],
    ["backed by gold", "not_practice", (r) => Object.assign(r, { backing: "gold" })],
    ["of another world", "world_differs", (r) => Object.assign(r, { world: "elsewhere" })],
    ["of a live market", "market_differs", (r) => Object.assign(r.market, { kind: "live" })],
    ["with another member", "receipt_malformed", (r) => Object.assign(r, { bonus: "1" })],
    ["with a fraction", "receipt_malformed", (r) => Object.assign(r.legs[0]!, { amount: "1.5" })],
    ["with a smaller amount", "legs_not_zero", (r) => Object.assign(r.legs[0]!, { amount: "-1" })],
    ["with another house leg", "legs_not_zero", (r) => Object.assign(r.house[0]!, { amount: "1" })],
    [
      "with both amounts made smaller",
      "leg_not_in_chain",
      (r) => {
        r.legs[0]!.amount = "-1";
        r.house[0]!.amount = "1";
      },
    ],
    ["at another time", "journal_not_in_chain", (r) => Object.assign(r.journal, { at_ms: 1 })],
    ["of another kind", "journal_not_in_chain", (r) => Object.assign(r.journal, { kind: "x.y" })],
    [
      "of another body",
      "journal_not_in_chain",
      (r) => Object.assign(r.journal, { body_hash: "00".repeat(32) }),
    ],
    [
      "of another id",
      "leg_not_in_chain",
      (r) => Object.assign(r.journal, { id: getAccount(r).entries[1]!.journal_id }),
    ],
    ["with another balance", "running_differs", (r) => Object.assign(r.legs[0]!, { balance: "1" })],
    [
      "with a larger balance before",
      "account_not_committed",
      (r) => {
        getAccount(r).balance_before = String(BigInt(getAccount(r).balance_before) + 1n);
        r.legs[0]!.balance = String(BigInt(r.legs[0]!.balance) + 1n);
      },
    ],
    [
      "with a balance that goes below zero",
      "balance_negative",
      (r) => Object.assign(getAccount(r), { balance_before: "99" }),
    ],
    [
      "with a later posting removed",
      "account_not_committed",
      (r) => Object.assign(getAccount(r), { entries: getAccount(r).entries.slice(0, 1) }),
    ],
    [
      "with a later posting changed",
      "account_not_committed",
      (r) => Object.assign(getAccount(r).entries[1]!, { amount: "-6" }),
    ],
    [
      "with another chain before",
      "account_not_committed",
      (r) => Object.assign(getAccount(r), { hash_before: "11".repeat(32) }),
    ],
    [
      "as an account's first posting",
      "chain_start_differs",
      (r) => Object.assign(getAccount(r), { position_before: 0 }),
    ],
    [
      "at another position",
      "account_not_committed",
      (r) => Object.assign(getAccount(r), { place: 1 }),
    ],
    [
      "with a truncated path",
      "account_not_committed",
      (r) => Object.assign(getAccount(r), { path: getAccount(r).path.slice(1) }),
    ],
    [
      "with a smaller neighbour",
      "account_not_committed",
      (r) => Object.assign(getAccount(r).path[0]!, { sums: coinCodes.map(() => "0") }),
    ],
    [
      "with sums beyond what is hashed",
      "account_not_committed",
      (r) =>
        Object.assign(getAccount(r).path[0]!, { sums: coinCodes.map(() => "9999999999999999999") }),
    ],
    ["of another leaf", "liabilities_unreadable", (r) => Object.assign(r, { liabilities_leaf: 0 })],
    ["of a missing leaf", "leaf_missing", (r) => Object.assign(r, { liabilities_leaf: 99_999 })],
    [
      "of an older commitment",
      "account_not_committed",
      (r) => Object.assign(r, { liabilities_leaf: r.liabilities_leaf - 1 }),
    ],
    [
      "as a start of its own",
      "start_differs",
      (r) => {
        r.journal.kind = "attempt.start";
        getAccount(r).entries[0]!.kind = "attempt.start";
      },
    ],
  ];
  test.each(rows)("%s: %s", async (_title, difference, change) => {
    const falsifiedReceipt = structuredClone(receipt);
    change(falsifiedReceipt);
    const { ok, steps } = await check(falsifiedReceipt);
    expect([ok, steps.at(-1)!.difference]).toEqual([
      false,
      // A changed chain is detected at its commitment, before any rule is checked.
      difference === "start_differs" ? "account_not_committed" : difference,
    ]);
  });
});
