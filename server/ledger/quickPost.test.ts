import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLedger } from "#server/ledger/ledger.ts";
import { journalOf, move, personWith } from "#server/ledger/testing.ts";
import type { Ledger, QuickPost } from "#server/ledger/types.ts";
import { createTestParts, type TestParts } from "#server/testing/parts.ts";

let parts: TestParts;
let ledger: Ledger;
let house: bigint;
let declines = false;
let quick: unknown[][] = [];
let common: unknown[][] = [];
beforeAll(async () => {
  parts = await createTestParts();
  ledger = createLedger(parts);
  house = await ledger.account("house", "contracts", "pUSDT");
  const way: QuickPost = {
    takes: (row) => typeof row === "number",
    post: async (batch) => {
      quick.push(batch.map(({ row }) => row));
      if (batch.some(({ row }) => row === 13)) throw new Error("unlucky");
      if (declines) return null;
      const journals = batch.map(({ journal }) => journal);
      return parts.database.db
        .transaction()
        .execute((tx) => ledger.postIn(tx, journals, parts.clock.nowMs()));
    },
  };
  const write = async (_tx: unknown, posted: { row: unknown }[]) => {
    common.push(posted.map(({ row }) => row));
  };
  ledger.companion("test.quick", write, way);
});
afterAll(async () => {
  await ledger.stop();
  await parts.destroy();
});
beforeEach(() => {
  declines = false;
  quick = [];
  common = [];
});

async function postAll(rows: unknown[]) {
  const person = await personWith(ledger, 1_000n);
  const results = await Promise.allSettled(
    rows.map((row) =>
      ledger.post(journalOf(move(person.wallet, house, 1n), { kind: "test.quick" }), row),
    ),
  );
  return results.map((one) => (one.status === "fulfilled" ? one.value.outcome : "failed"));
}

test("journals go the way of their row, each way in its order and in batches of its own", async () => {
  expect(await postAll([1, "a", 2, "b", 3])).toEqual(Array(5).fill("posted"));
  expect([quick, common]).toEqual([[[1, 2, 3]], [["a", "b"]]]);
});

test("a batch that the quick way declines is posted the common way", async () => {
  declines = true;
  expect(await postAll([1, 2])).toEqual(["posted", "posted"]);
  expect(common).toEqual([[1, 2]]);
});

test("one that fails on the quick way does not fail its neighbours", async () => {
  expect(await postAll([1, 13, 3])).toEqual(["posted", "failed", "posted"]);
});
