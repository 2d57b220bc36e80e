import { expect, test } from "vitest";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { getCurrentPurpose, withPurpose } from "#server/platform/db/pools.ts";

test("a throwing listener is reported without affecting other listeners", () => {
  const problems: unknown[] = [];
  const bus = createLocalBus((error) => problems.push(error));
  const received: number[] = [];
  const listenerError = new Error("broken listener");
  bus.subscribe("log.appended", () => {
    throw listenerError;
  });
  const leave = bus.subscribe("log.appended", ({ next }) => received.push(next));
  bus.publish("log.appended", { next: 1 });
  leave();
  bus.publish("log.appended", { next: 2 });
  expect(received).toEqual([1]);
  expect(problems).toEqual([listenerError, listenerError]);
});

test("a listener runs with the requests purpose regardless of the publisher", () => {
  const bus = createLocalBus(() => {});
  const purposes: string[] = [];
  bus.subscribe("log.appended", () => purposes.push(getCurrentPurpose()));
  withPurpose("feed", () => bus.publish("log.appended", { next: 1 }));
  expect(purposes).toEqual(["requests"]);
});
