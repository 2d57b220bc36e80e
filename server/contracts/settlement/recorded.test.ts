import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecorder } from "#server/market/recordings/recorder.ts";
import { recordWorld } from "#server/market/recordings/recordWorld.ts";
import { readRecording } from "#server/market/replay/recording.ts";
import type { ApiError } from "#server/platform/apiError.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";

const folder = mkdtempSync(join(tmpdir(), "drydock-recorded-orders-"));
/** Seconds after the start at which an order is placed; the tier takes a minute. */
const placedAt = Array.from({ length: 22 }, (_, index) => 5 + index * 12);
const endSeconds = 340;
let recordedWorld: TestContracts;
let replayedContracts: TestContracts;
let differingIndex = -1;

/** Places the same orders at the same world times, and returns their outcomes. */
async function run(t: TestContracts, startMs: number) {
  const people = await Promise.all(placedAt.map(() => t.openPerson()));
  const placedOrders: string[] = [];
  for (const [number, seconds] of placedAt.entries()) {
    await t.tickTo(startMs + seconds * 1_000);
    const direction = number % 2 === 0 ? "up" : "down";
    const order = place(t, people[number]!, { direction, tierSeconds: 60 });
    // Refused where there is no price.
    placedOrders.push(
      await order.then(
        ({ orderId }) => orderId,
        (error: ApiError) => error.error,
      ),
    );
  }
  await t.tickTo(startMs + endSeconds * 1_000);
  await t.contracts.settleDue();
  const settledRows: unknown[][] = [];
  for (const [number, id] of placedOrders.entries()) {
    if (id === "contracts.no_price") {
      settledRows.push([id]);
      continue;
    }
    const item = await t.contracts.order(people[number]!.userId, id);
    settledRows.push([item.outcome, item.purchase_price, item.selling_price, item.payout]);
  }
  return {
    orders: settledRows,
    balances: await Promise.all(people.map((person) => t.balance(person))),
  };
}

beforeAll(async () => {
  recordedWorld = await createTestContracts();
});
afterAll(async () => {
  await recordedWorld.destroy();
  await replayedContracts?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("orders in a recorded world and in its replay end identically", async () => {
  const { ctx, onSecond, script, at } = recordedWorld;
  // Moves with every second, and has no price for 30 s: some of the orders are void.
  script((secondMs) => {
    const second = (secondMs - at(0)) / 1_000;
    if (second >= 200 && second < 230) return null;
    return 2_312_345n + BigInt(Math.round(900 * Math.sin(second / 23))) + BigInt((second * 7) % 13);
  });
  mkdirSync(ctx.config.dataDirectory, { recursive: true });
  const recorder = createRecorder(ctx, ["east", "west"]);
  onSecond.push(recorder.hooks);
  const stopListening = await recorder.listen();
  const { signal } = new AbortController();
  const recordResult = recordWorld(ctx.config, { folder, signal, secondsMax: endSeconds });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = await run(recordedWorld, at(0));
  ({ differing: differingIndex } = await recordResult);
  stopListening();

  const recording = await readRecording(folder);
  replayedContracts = await createTestContracts({ recording, startMs: at(0) });
  const after = await run(replayedContracts, at(0));
  expect(after).toEqual(before);
  expect(differingIndex).toBe(0);
  const outcomes = before.orders.map(([outcome]) => outcome);
  expect(outcomes).toEqual(expect.arrayContaining(["contracts.no_price", "lost", "void", "won"]));
}, 120_000);
