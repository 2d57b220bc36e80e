import { afterAll, beforeAll, expect, test } from "vitest";
import { computeFee, settle } from "#core/contracts/settle.ts";
import { computeSettlementPrice } from "#core/contracts/settlementWindow.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { createTestContracts, type TestContracts } from "#server/testing/contracts.ts";
import { newId } from "#server/testing/people.ts";

let t: TestContracts;
beforeAll(async () => {
  t = await createTestContracts();
});
afterAll(() => t.destroy());

function generator(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

interface Row {
  id: string;
  direction: "up" | "down";
  window: number;
  rangeBp: number;
  rateBp: number;
  feeBp: number;
  stake: bigint;
  purchase: bigint | null;
  dueMs: number;
}

const groups = 300;
const perGroup = 20;
const ceiling = 100_000_000_000_000n;

test("SQL settles 6 000 random and extreme orders exactly as core decides", async () => {
  const pick = generator(11);
  const { pool } = t.ctx.owner;
  const account = await t.ledger.account({ userId: "u", attemptId: "a" }, "wallet", "pUSDT");
  const index = symbolNames.indexOf("BTC/USDT");
  const samples = new Map<number, bigint>();
  const rows: Row[] = [];
  for (let group = 0; group < groups; group += 1) {
    const dueMs = t.at(1_000 + (group + 1) * 100);
    const base = [BigInt(2 + pick(30)), BigInt(2_000_000 + pick(1_000_000)), ceiling - 5_000n][
      pick(3)
    ]!;
    for (let secondsBack = 0; secondsBack < 60; secondsBack += 1) {
      if (pick(8) === 0) continue;
      const move = BigInt(pick(2_001) - 1_000) * (base > 1_000n ? 1n : 0n) + BigInt(pick(3) - 1);
      samples.set(dueMs - secondsBack * 1_000, base + move);
    }
    for (let i = 0; i < perGroup; i += 1) {
      rows.push({
        id: newId(),
        direction: pick(2) === 0 ? "up" : "down",
        window: pick(2) === 0 ? 10 : 60,
        rangeBp: [0, 0, pick(20), 10_000][pick(4)]!,
        rateBp: [9_000, 0, 10_000, pick(10_001)][pick(4)]!,
        feeBp: [100, 0, 1_000, pick(1_001)][pick(4)]!,
        stake: [1n, BigInt(1 + pick(1_000_000_000)), i === 0 && group < 5 ? ceiling : 10_000_000n][
          pick(3)
        ]!,
        purchase: pick(15) === 0 ? null : base + BigInt(pick(3) - 1),
        dueMs,
      });
    }
  }
  const seconds = [...samples];
  await pool.query(
    `insert into market_second (second_ms, leaf, index, volume)
     select s, 1000000 + n, array_fill(null::bigint, array[${index}]) || v, '{}' from unnest($1::bigint[], $2::bigint[]) with ordinality x (s, v, n)`,
    [seconds.map(([ms]) => ms), seconds.map(([, value]) => String(value))],
  );
  await pool.query(
    `insert into market_second (second_ms, leaf, index, volume) values ($1, 5000000, array_fill(null::bigint, array[${symbolNames.length}]), '{}')`,
    [t.at(1_000 + (groups + 1) * 100)],
  );
  const column = (getValue: (row: Row) => string | number | bigint | null) =>
    rows.map(getValue).map((value) => (value === null ? null : String(value)));
  await pool.query(
    `insert into contract_order (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp,
       rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, bound_leaf, entry_leaf,
       purchase_price, entry_at_ms, delivery_at_ms, due_at_ms)
     select id, 'u', 'a', $1, 'btc-usdt', direction, 60, w, range_bp, rate_bp, fee_bp, stake, fee, sha256('t'), 0, sha256('s'),
       sha256('o'), 1, 2, purchase, case when purchase is not null then 1 end, case when purchase is not null then due end, due
     from unnest($2::uuid[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
       o (id, direction, w, range_bp, rate_bp, fee_bp, stake, fee, purchase, due)`,
    [
      account,
      column((r) => r.id),
      column((r) => r.direction),
      column((r) => r.window),
      column((r) => r.rangeBp),
      column((r) => r.rateBp),
      column((r) => r.feeBp),
      column((r) => r.stake),
      column((r) => computeFee(r.stake, r.feeBp)),
      column((r) => r.purchase),
      column((r) => r.dueMs),
    ],
  );

  expect(await t.contracts.settleDue()).toBe(rows.length);

  const { rows: settledRows } = await pool.query(
    "select id, outcome, void_reason, selling_price, payout from contract_order",
  );
  const byId = new Map(settledRows.map((row) => [row.id, row]));
  const counts = new Map<string, number>();
  let paidTotal = 0n;
  for (const row of rows) {
    const values = Array.from({ length: row.window }, (_, i) =>
      samples.get(row.dueMs - i * 1_000),
    ).filter((v) => v !== undefined);
    const price = computeSettlementPrice(values, row.window);
    const selling = row.purchase !== null && price.ok ? price.price : null;
    const settlement = settle(
      { ...row, fee: computeFee(row.stake, row.feeBp) },
      row.purchase,
      selling,
    );
    expect(byId.get(row.id)).toEqual({
      id: row.id,
      outcome: settlement.outcome,
      payout: settlement.payout,
      selling_price: selling,
      void_reason:
        settlement.outcome !== "void" ? null : row.purchase === null ? "no_entry" : "few_samples",
    });
    paidTotal += settlement.payout;
    counts.set(settlement.outcome, (counts.get(settlement.outcome) ?? 0) + 1);
  }
  for (const outcome of ["won", "lost", "tie", "void"])
    expect(counts.get(outcome)).toBeGreaterThan(100);
  const { rows: ledger } = await pool.query(
    "select (select balance from account where id = $1) as balance, (select count(*) from journal where kind = 'contract.settle') as journals",
    [account],
  );
  expect(ledger[0]).toEqual({ balance: paidTotal, journals: BigInt(groups) });
});
