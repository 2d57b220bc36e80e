import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createLedger } from "./ledger.ts";
import { createJournal, createMoveLegs, createPersonWith } from "./testing.ts";
import type { BulkPath, Ledger } from "./types.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
let declines = false;
let bulkCalls: unknown[][] = [];
let commonRows: unknown[][] = [];
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  house = await ledger.account("house", "contracts", "pUSDT");
  const way: BulkPath = {
    accepts: (row) => typeof row === "number",
    post: async (batch) => {
      bulkCalls.push(batch.map(({ row }) => row));
      if (batch.some(({ row }) => row === 13)) throw new Error("unlucky");
      if (declines) return null;
      const journals = batch.map(({ journal }) => journal);
      return ctx.database.db
        .transaction()
        .execute((tx) => ledger.postIn(tx, journals, ctx.clock.nowMs()));
    },
  };
  const write = async (_tx: unknown, posted: { row: unknown }[]) => {
    commonRows.push(posted.map(({ row }) => row));
  };
  ledger.onPosted("test.quick", write, way);
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});
beforeEach(() => {
  declines = false;
  bulkCalls = [];
  commonRows = [];
});

async function postAll(rows: unknown[]) {
  const person = await createPersonWith(ledger, 1_000n);
  const results = await Promise.allSettled(
    rows.map((row) =>
      ledger.post(
        createJournal(createMoveLegs(person.wallet, house, 1n), { kind: "test.quick" }),
        row,
      ),
    ),
  );
  return results.map((result) => (result.status === "fulfilled" ? result.value.outcome : "failed"));
}

test("each journal takes the path of its row, in order and in separate batches", async () => {
  expect(await postAll([1, "a", 2, "b", 3])).toEqual(Array(5).fill("posted"));
  expect([bulkCalls, commonRows]).toEqual([[[1, 2, 3]], [["a", "b"]]]);
});

test("a batch that the bulk path declines is posted by the fallback path", async () => {
  declines = true;
  expect(await postAll([1, 2])).toEqual(["posted", "posted"]);
  expect(commonRows).toEqual([[1, 2]]);
});

test("a journal that fails on the bulk path does not affect its neighbours", async () => {
  expect(await postAll([1, 13, 3])).toEqual(["posted", "failed", "posted"]);
});
