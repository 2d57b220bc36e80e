import { afterEach, expect, test, vi } from "vitest";
import { createSlots } from "#server/platform/slots.ts";

afterEach(() => void vi.useRealTimers());

test("work waits for a place in order of arrival, and is refused after a while", async () => {
  vi.useFakeTimers();
  const slots = createSlots(2, 10_000);
  const [one, two] = [await slots.take(), await slots.take()];
  const order: string[] = [];
  const third = slots.take().then((leave) => {
    order.push("third");
    return leave;
  });
  const fourth = slots.take().then(
    () => order.push("fourth"),
    ({ error }) => order.push(error),
  );
  one();
  one();
  const leaveThird = await third;
  expect(order).toEqual(["third"]);
  await vi.advanceTimersByTimeAsync(10_000);
  await fourth;
  expect(order).toEqual(["third", "server.unavailable"]);
  leaveThird();
  two();
  await Promise.all([slots.take(), slots.take()]);
});
