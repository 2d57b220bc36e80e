import { afterEach, expect, test, vi } from "vitest";
import { createSemaphore } from "#server/platform/semaphore.ts";

afterEach(() => void vi.useRealTimers());

test("work beyond the queue is refused, and queued work waits without a limit", async () => {
  vi.useFakeTimers();
  const slots = createSemaphore(1, undefined, 2);
  const leave = await slots.take();
  const pendingTakes = [slots.take(), slots.take()];
  await expect(slots.take()).rejects.toMatchObject({
    error: "server.unavailable",
    data: { retry_after_seconds: 2 },
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  leave();
  (await pendingTakes[0]!)();
  (await pendingTakes[1]!)();
  (await slots.take())();
});

test("work gets slots in order of arrival and is refused after a timeout", async () => {
  vi.useFakeTimers();
  const slots = createSemaphore(2, 10_000);
  const [first, second] = [await slots.take(), await slots.take()];
  const order: string[] = [];
  const third = slots.take().then((leave) => {
    order.push("third");
    return leave;
  });
  const fourth = slots.take().then(
    () => order.push("fourth"),
    ({ error }) => order.push(error),
  );
  first();
  first();
  const leaveThird = await third;
  expect(order).toEqual(["third"]);
  await vi.advanceTimersByTimeAsync(10_000);
  await fourth;
  expect(order).toEqual(["third", "server.unavailable"]);
  leaveThird();
  second();
  await Promise.all([slots.take(), slots.take()]);
});
