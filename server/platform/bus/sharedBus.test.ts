import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { BusEvents } from "#server/platform/bus/bus.ts";
import { createSharedBus, type SharedBus } from "#server/platform/bus/sharedBus.ts";
import "#server/testing/postgres.ts";

let here: SharedBus;
let there: SharedBus;
let elsewhere: SharedBus;
const onError = (error: unknown) => {
  throw error;
};
beforeAll(async () => {
  const url = inject("postgres").appUrl;
  here = await createSharedBus({ url, schema: "test_bus_one", onError });
  there = await createSharedBus({ url, schema: "test_bus_one", onError });
  elsewhere = await createSharedBus({ url, schema: "test_bus_two", onError });
});
afterAll(() => Promise.all([here.close(), there.close(), elsewhere.close()]));

test("an event reaches listeners here once and those in other processes of the world, bigints whole", async () => {
  const event: BusEvents["second.closed"] = {
    secondMs: 1000,
    leaf: 7,
    index: { "BTC/USDT": 9_007_199_254_740_993n, "ETH/USDT": null },
  };
  const seen: unknown[] = [];
  const arrived = Promise.withResolvers<unknown>();
  here.subscribe("second.closed", (one) => seen.push(one));
  elsewhere.subscribe("second.closed", () => seen.push("another world"));
  there.subscribe("second.closed", arrived.resolve);
  here.publish("second.closed", event);
  expect(seen).toEqual([event]);
  expect(await arrived.promise).toEqual(event);
  // An answer proves that our own notification has come back, too.
  const answered = Promise.withResolvers<void>();
  here.subscribe("log.appended", () => answered.resolve());
  there.publish("log.appended", { next: 1 });
  await answered.promise;
  expect(seen).toEqual([event]);
});

test("a long list of users arrives in parts", async () => {
  const userIds = Array.from({ length: 1000 }, (_, number) => `user-${number}`.padEnd(36, "x"));
  const seen: string[] = [];
  const all = Promise.withResolvers<void>();
  there.subscribe("balance.changed", (event) => {
    seen.push(...event.userIds);
    if (seen.length === userIds.length) all.resolve();
  });
  here.publish("balance.changed", { userIds });
  await all.promise;
  expect(seen).toEqual(userIds);
});
