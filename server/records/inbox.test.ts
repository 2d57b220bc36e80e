import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeEventCommitment } from "#core/operator/commitment.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import { createPersonWithAttempt, type PersonAttempt } from "#server/records/testing.ts";
import type { InboxEvent, ReadEvents } from "#server/records/types.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { type AppendedAudit, appendAudit } from "#server/transparency-log/auditChain.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

let ctx: TestContext;
let ledger: Ledger;
let records: Records;
const recentEvents: InboxEvent[] = [];
const newestFirst = (a: { atMs: number; id: string }, b: { atMs: number; id: string }) =>
  a.atMs === b.atMs ? a.id > b.id : a.atMs > b.atMs;
const events: ReadEvents = async (_who, { before, after, limit }) =>
  recentEvents
    .filter(
      (event) => (!before || newestFirst(before, event)) && (!after || newestFirst(event, after)),
    )
    .toSorted((a, b) => (newestFirst(a, b) ? -1 : 1))
    .slice(0, limit);
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  records = createRecords(ctx, {
    transparencyLog: createTransparencyLog(ctx),
    market: { latest: () => null },
    contributions: { records: [{ prefix: "contract", events }] },
  });
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const step = () => ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);

async function newPerson() {
  recentEvents.length = 0;
  const person = await createPersonWithAttempt(ctx, ledger);
  const [wallet, house] = await Promise.all([
    ledger.account(person, "wallet", "pUSDT"),
    ledger.account("house", "contracts", "pUSDT"),
  ]);
  const post = async (kind: string, amount: bigint) => {
    step();
    const legs =
      amount > 0n ? createMoveLegs(house, wallet, amount) : createMoveLegs(wallet, house, -amount);
    await ledger.post(createJournal(legs, { kind }));
  };
  return { who: person, post };
}

function settle(net: bigint): void {
  step();
  recentEvents.push({
    id: randomUUID(),
    type: "contract.settled",
    atMs: ctx.clock.nowMs(),
    coin: "pUSDT",
    amount: net,
    facts: { symbol: "BTC/USDT", outcome: net < 0n ? "lost" : "won" },
    link: null,
    receipt: "/verify",
  });
}

async function all(person: PersonAttempt, size = 100) {
  const items = [];
  let before: string | undefined;
  for (;;) {
    const page = await records.inbox.page(person, { page_size: size, ...(before && { before }) });
    expect(page.items.length).toBeLessThanOrEqual(size);
    items.push(...page.items);
    if (page.next === null) return items;
    before = page.next;
  }
}
const summaries = (items: { type: string; amount: string | null }[]) =>
  items.map(({ type, amount }) => [type, amount]);

test("the inbox lists events that affect a person, not their own actions", async () => {
  const { who, post } = await newPerson();
  await post("contract.open", -101_000_000n);
  settle(-101_000_000n);
  await post("mining.lease", -5_000_000n);
  await post("mining.payout", 2_000_000n);
  await post("send.move", -3_000_000n);
  await post("send.move", 4_000_000n);
  await post("contract.settle", 190_000_000n);
  settle(89_000_000n);
  expect(summaries(await all(who))).toEqual([
    ["contract.settled", "89"],
    ["send.move", "4"],
    ["mining.payout", "2"],
    ["contract.settled", "-101"],
  ]);
});

test("the inbox lists an operator's action with its reason", async () => {
  const { who } = await newPerson();
  step();
  const act = { role: "support", what: "viewed your records", why: "you asked" };
  await ctx.database.db.transaction().execute(async (tx) => {
    const salt = "00".repeat(32);
    const committedEvent = {
      what: "people.viewed_wallet",
      operator: "o".repeat(20),
      role: act.role,
    };
    const details = { target: null, touches: who.userId, why: act.why, details: null };
    const openedContent = { ...committedEvent, ...details };
    const commitment = computeEventCommitment(
      ctx.world.name,
      Buffer.from(salt, "hex"),
      openedContent,
    );
    const record = { type: "act", act: null, commitment } as const;
    const atMs = ctx.realClock.nowMs();
    const [{ leaf, before }] = (await appendAudit(tx, ctx.world.name, [record], atMs)) as [
      AppendedAudit,
    ];
    const opening = { leaf, beforeLeaf: before, atMs, salt, act: openedContent };
    return records.recordAuditEvent({ ...act, userId: who.userId, opening }, tx);
  });
  expect(await all(who)).toMatchObject([{ type: "console.act", act, unread: true }]);
});

test("pages of any size list every entry once, in order of time", async () => {
  const { who, post } = await newPerson();
  for (let index = 0; index < 9; index += 1) {
    if (index % 3 === 0) settle(BigInt(index));
    else await post("mining.payout", BigInt(index));
  }
  const wholeList = await all(who);
  expect(wholeList).toHaveLength(9);
  expect(wholeList.map(({ at_ms: atMs }) => atMs)).toEqual(
    wholeList.map(({ at_ms: atMs }) => atMs).toSorted((a, b) => b - a),
  );
  for (const size of [1, 2, 4, 8, 9]) expect(await all(who, size)).toEqual(wholeList);
});

test("read entries stay read, and later ones are unread", async () => {
  const { who, post } = await newPerson();
  await post("mining.payout", 1n);
  settle(2n);
  expect(await records.inbox.unread(who)).toBe(2);
  const { before } = await records.inbox.page(who, { page_size: 1 });
  await records.inbox.markRead(who, before!);
  expect(await records.inbox.unread(who)).toBe(0);
  settle(3n);
  await post("mining.payout", 4n);
  await post("contract.open", -5n);
  expect(await records.inbox.unread(who)).toBe(2);
  expect((await all(who)).map(({ unread }) => unread)).toEqual([true, true, false, false]);
});

test("marking an empty inbox as read leaves later entries unread", async () => {
  const { who, post } = await newPerson();
  const { before } = await records.inbox.page(who, { page_size: 10 });
  await records.inbox.markRead(who, before!);
  settle(1n);
  await post("mining.payout", 2n);
  expect(await records.inbox.unread(who)).toBe(2);
});

test("the unread count stops at a hundred", async () => {
  const { who, post } = await newPerson();
  for (let index = 0; index < 60; index += 1) {
    settle(1n);
    await post("mining.payout", 1n);
  }
  expect(await records.inbox.unread(who)).toBe(100);
});

test.each([
  "",
  "x",
  "1.2.3",
  "0.0.0.0.0.0.0.0.0~zz",
  "0.0.0.0.0.0.0.0.0~1~x",
])("position %j is refused", async (position) => {
  const { who } = await newPerson();
  await expect(records.inbox.markRead(who, position)).rejects.toMatchObject({
    error: "request.malformed",
  });
});
