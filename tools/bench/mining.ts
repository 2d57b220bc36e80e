/**
 * Cost of a day of mining for few and for many leases: `node tools/bench/mining.ts [few] [many]`.
 *
 * Accrual is the readings of a world day: figures, leaves and rows from which every lease's payout
 * is computed. Crediting pays one day of every lease: rows, postings, balances. Leases are inserted
 * by SQL, spread over the minutes of a day and over ten thousand people. The last line compares the
 * accrual of many with that of few.
 */

import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { seedMachines } from "#seed/machines.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type MiningBench, openMiningBench } from "./lib/mining.ts";

const fewCount = Number(process.argv[2] ?? 1_000);
const manyCount = Number(process.argv[3] ?? 1_000_000);
const aim = 1.2;
const peopleMax = 10_000;
/** Days whose readings are timed, one after the other; the median counts. */
const rounds = 15;

printConditions(`${fewCount} and ${manyCount} leases of at most ${peopleMax} people; fsync on`);
const accrual = [await measure(fewCount), await measure(manyCount)];
printRatio(accrual[1]! / accrual[0]!, aim, "most");

/** Milliseconds for a day's readings in a world with this many leases. */
async function measure(leases: number): Promise<number> {
  const bench = await openMiningBench();
  try {
    const { ctx, mining } = bench;
    await seedMachines(mining);
    await insertLeases(bench, leases);
    const durations: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ctx.clock.advanceTo(ctx.clock.nowMs() + dayMs);
      durations.push((await timed(() => mining.network.advance())).ms);
    }
    const median = durations.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
    // By now fourteen days of each lease are due, since none was paid while readings were timed.
    // Thirteen are marked as paid, so that one remains.
    await sql`update mining_lease set days_paid = 13`.execute(bench.owner.db);
    const credited = await timed(() => mining.credit());
    if (credited.value !== leases) throw new Error(`${credited.value} were paid, not ${leases}`);
    console.log(
      `${leases} leases: a day's readings ${median.toFixed(1)} ms (of ${rounds}: ${Math.min(...durations).toFixed(1)} to ${Math.max(...durations).toFixed(1)}), crediting a day ${(credited.ms / 1_000).toFixed(2)} s, ${((credited.ms * 1_000) / leases).toFixed(0)} µs per lease`,
    );
    return median;
  } finally {
    await bench.close();
  }
}

async function insertLeases(
  { ctx, owner, mining, ledger, openPeople }: MiningBench,
  leases: number,
): Promise<void> {
  const people = await openPeople(Math.min(leases, peopleMax), 1);
  const accounts = await Promise.all(
    people.map((person) => ledger.account(person, "wallet", "pBTC")),
  );
  const terms = (await mining.catalogue.all())[0]!;
  await sql`insert into mining_lease (id, user_id, attempt_id, account, product_id, terms_hash, quantity, days, hashrate_ghs, pool_fee_bp,
      price_per_day, power_per_day, accepted_at_ms, salt, lease_hash, days_to_work)
    select gen_random_uuid(), p.user_id, p.attempt_id, p.account, ${terms.productId}, ${Buffer.from(hexToBytes(terms.termsHash))}, 1, 360,
      ${terms.hashrateGhs}, 200, ${terms.pricePerDay}, 4680000, ${ctx.clock.nowMs()} + (n * 104729::bigint) % 82000000, sha256('salt'), sha256('lease'), 360
    from generate_series(1, ${leases}::integer) n
      join unnest(${people.map((person) => person.userId)}::text[], ${people.map((person) => person.attemptId)}::text[],
        ${accounts.map(String)}::bigint[]) with ordinality p (user_id, attempt_id, account, place)
        on p.place = n % ${people.length}::integer + 1`.execute(owner.db);
  await sql`analyze mining_lease`.execute(owner.db);
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const startedMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedMs };
}
