/**
 * Records of a person with many postings against those of a person with few:
 * `node tools/bench/records.ts [postings]`. Measures the first page, a page far back, each filter
 * and the whole export, and the cost of a commitment to many accounts.
 */

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import { getOpenAttempt, type PersonAttempt } from "#server/records/testing.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const postingCount = Number(process.argv[2] ?? 100_000);
const fewCount = 100;
const turns = 200;
const aim = 2;
const kinds = ["contract.open", "contract.settle", "exchange.execute", "send.move"];

printConditions(
  `a person with ${postingCount} postings and one with ${fewCount}; ${turns} calls each, one at a time; fsync on`,
);
const world = await openBenchWorld();
try {
  await run(world);
} finally {
  await world.close();
}

async function run(bench: BenchWorld): Promise<void> {
  const { ctx } = bench;
  const ledger = createLedger(ctx);
  const records = createRecords(ctx, {
    transparencyLog: createTransparencyLog(ctx),
    market: { latest: () => null },
    contributions: { records: [] },
  });
  const richPerson = await createPerson(bench, ledger);
  const poorPerson = await createPerson(bench, ledger);
  await fill(ledger, richPerson, postingCount);
  await fill(ledger, poorPerson, fewCount);
  await sql`analyze`.execute(ctx.database.db);
  const getFirst = (person: PersonAttempt) => () =>
    records.page(person, { page: 1, page_size: 10 });
  await time(getFirst(richPerson));
  await time(getFirst(poorPerson));
  const [rareMs, plainMs] = [await time(getFirst(richPerson)), await time(getFirst(poorPerson))];
  print("first page of many", rareMs);
  print("first page of few", plainMs);
  const middle = await cursorAt(records, richPerson, postingCount / 2);
  print(
    "a page in the middle",
    await time(() => records.page(richPerson, { page: 1, page_size: 10, before: middle })),
  );
  const nowMs = ctx.clock.nowMs();
  const filters = {
    coin: { coin: "pUSDT" },
    group: { groups: ["exchange"] },
    "group with nothing": { groups: ["mining"] },
    "a day": { fromMs: nowMs - dayMs, toMs: nowMs },
    "a search": { search: "no-such-order" },
  } as const;
  for (const [name, filter] of Object.entries(filters)) {
    print(
      name,
      await time(() => records.page(richPerson, { page: 1, page_size: 10, ...filter }), 20),
    );
  }
  const startedMs = performance.now();
  let bytes = 0;
  for await (const part of await records.export(richPerson, { format: "csv" }))
    bytes += part.length;
  console.log(
    `export of all as CSV: ${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  const lines = await time(() => records.lines(richPerson.attemptId), 5);
  print("results of the product lines", lines);
  await ledger.stop();
  printRatio(computeQuantile(rareMs, 0.5) / computeQuantile(plainMs, 0.5), aim, "most");
}

/** A person without a posting. */
async function createPerson({ ctx }: BenchWorld, ledger: Ledger): Promise<PersonAttempt> {
  const person = { userId: randomUUID(), attemptId: randomUUID() };
  await sql`insert into user_account (user_id, created_at_ms) values (${person.userId}, 0)`.execute(
    ctx.database.db,
  );
  await getOpenAttempt(ctx, ledger, person, 1);
  return person;
}

/** Posts `count` journals of every kind to that person's wallet. */
async function fill(ledger: Ledger, person: PersonAttempt, count: number): Promise<void> {
  const [wallet, house] = await Promise.all([
    ledger.account(person, "wallet", "pUSDT"),
    ledger.account("house", "contracts", "pUSDT"),
  ]);
  const post = (index: number) =>
    ledger.post({
      id: randomUUID(),
      kind: kinds[index % kinds.length]!,
      bodyHash: new Uint8Array(32),
      legs: [
        { account: wallet, amount: index % 2 === 0 ? -10n : 10n },
        { account: house, amount: index % 2 === 0 ? 10n : -10n },
      ],
      about: `order-${index}`,
    });
  for (let index = 0; index < count; index += 2_000) {
    const size = Math.min(2_000, count - index);
    await Promise.all(Array.from({ length: size }, (_, n) => post(index + n)));
  }
}

/** The cursor after about `count` records. */
async function cursorAt(records: Records, person: PersonAttempt, count: number): Promise<string> {
  let before: string | undefined;
  for (let readCount = 0; readCount < count; readCount += 100) {
    before = (await records.page(person, { page: 1, page_size: 100, before })).next ?? undefined;
  }
  return before!;
}

/** Sorted milliseconds of each call. */
async function time(call: () => Promise<unknown>, count = turns): Promise<number[]> {
  const durations: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const startedMs = performance.now();
    await call();
    durations.push(performance.now() - startedMs);
  }
  return durations.toSorted((a, b) => a - b);
}

function print(name: string, sorted: number[]): void {
  console.log(
    `${name.padEnd(30)} p50 ${computeQuantile(sorted, 0.5).toFixed(2)} p99 ${computeQuantile(sorted, 0.99).toFixed(2)} ms`,
  );
}
