import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillCostNames } from "#core/market/fillCosts.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { createExchange, type Exchanges } from "#server/exchange/exchange.ts";
import {
  catchErrorName,
  createTestContracts,
  type TestContracts,
} from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let exchange: Exchanges;
let person: Person;

beforeAll(async () => {
  t = await createTestContracts();
  exchange = createExchange(t.ctx, { ledger: t.ledger, market: { ...t.market, venues: [] } });
  person = await t.openPerson();
  const { pool } = t.ctx.owner;
  await pool.query("insert into user_account (user_id, created_at_ms) values ($1, 0)", [
    person.userId,
  ]);
  await pool.query(
    `insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
     values ($1, $2, 1, 0, 0)`,
    [person.attemptId, person.userId],
  );
});
afterAll(() => t.destroy());

const btc = (text: string) => toMinorUnits(text, 8);

test.each([
  ["rose", 5n],
  ["fell", -5n],
  ["stayed", 0n],
])("costs sum to the total when the index %s while the quote was firm", async (_how, step) => {
  const now = t.ctx.clock.nowMs();
  const quotedMs = Math.ceil(now / 10_000) * 10_000;
  t.script((ms) => (ms <= quotedMs ? 2_312_345n : 2_312_345n + step));
  await t.tickTo(quotedMs + 200);
  const quote = await exchange.quote(person, { from: "pUSDT", to: "pBTC", amount: "100" });
  await t.tickTo(quotedMs + 1_200);
  const id = randomUUID();
  await exchange.execute(person, quote.quote_id, id, new Uint8Array(32));
  expect(await exchange.costs(person.userId, id)).toBeNull();
  await t.tickTo(quotedMs + 3_200);
  const parts = (await exchange.costs(person.userId, id))!;
  const sum = fillCostNames.reduce((total, name) => total + btc(parts.costs[name]), 0n);
  expect(btc(parts.at_index) - sum).toBe(btc(parts.received));
  expect(parts.received).toBe(quote.received);
  // A dearer coin: the amount given buys less of it now than when it was quoted.
  const sign = (value: bigint) => (value > 0n ? 1 : value < 0n ? -1 : 0);
  expect(sign(btc(parts.costs.delay))).toBe(sign(-step));
  expect(btc(parts.costs.delay)).toBe(btc(parts.at_index) - btc(quote.at_index));
});

test("the costs of another person's exchange are unknown", async () => {
  expect(await catchErrorName(exchange.costs(randomUUID(), randomUUID()))).toBe("records.unknown");
  expect(await catchErrorName(exchange.costs(person.userId, "'"))).toBe("records.unknown");
});
