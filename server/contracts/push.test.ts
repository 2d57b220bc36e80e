import { afterAll, beforeAll, expect, test } from "vitest";
import { orderMessage, type StreamMessage } from "#api/stream.ts";
import { createContracts } from "#server/contracts/contracts.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";

let t: TestContracts;
beforeAll(async () => {
  t = await createTestContracts();
  await t.tickTo(t.at(1));
});
afterAll(() => t.destroy());

test("a socket receives only its own user's orders", async () => {
  const [watching, awayPerson] = [await t.openPerson(), await t.openPerson()];
  const sentMessages: { userId: string; message: StreamMessage }[] = [];
  const wake: (() => void)[] = [];
  const bus = createLocalBus((error) => {
    throw error;
  });
  const ctx = {
    ...t.ctx,
    bus,
    jobs: createJobs({ database: t.ctx.database, url: "", logger: t.ctx.logger }),
  };
  createContracts(ctx, {
    ...t.services,
    ledger: createLedger(ctx),
    hub: {
      hasUser: (userId) => userId === watching.userId,
      toUser: (userId, message) => {
        sentMessages.push({ userId, message });
        for (const resume of wake.splice(0)) resume();
      },
    },
  });
  const { orderId } = await place(t, watching);
  const otherOrder = await place(t, awayPerson);
  const pushed = new Promise<void>((resolve) => wake.push(resolve));
  bus.publish("order.changed", { userId: awayPerson.userId, orderIds: [otherOrder.orderId] });
  bus.publish("order.changed", { userId: watching.userId, orderIds: [orderId] });
  bus.publish("order.changed", { userId: watching.userId, orderIds: [orderId] });
  await pushed;
  expect(sentMessages).toMatchObject([
    { userId: watching.userId, message: { topic: "order", order: { order_id: orderId } } },
  ]);
  orderMessage.parse(sentMessages[0]?.message);
});
